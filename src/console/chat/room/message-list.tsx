// The messages of one conversation. Only those near the screen exist in the document. It stays at the newest message
// until the person scrolls away. Older pages come in above without moving what is being read.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ErrorNote, Waiting } from '../../ui/note.tsx';
import { useChatClient, useChatState } from '../context.tsx';
import { EMPTY_ROOM } from '../state/room.ts';
import { pendingIn } from '../state/sends.ts';
import { Message } from './message.tsx';
import type { MessageVerbs } from './message-actions.tsx';
import { PendingSend } from './pending-send.tsx';
import { type ChatRow, rowsOf } from './rows.ts';
import { useFollow } from './use-follow.ts';

interface MessageListProps {
  conversation: string;
  label: string;
  verbs: Omit<MessageVerbs, 'goTo'>;
  /** Shown when nobody has written yet. */
  empty: ReactNode;
}

const ESTIMATED_PX = 52;
const OVERSCAN = 6;
const AT_END_PX = 48;
/** At this distance from the oldest row, the page before it is loaded. */
const OLDER_PX = 400;
const TOP_PX = 36;

export function MessageList({ conversation, label, verbs, empty }: MessageListProps): ReactNode {
  const client = useChatClient();
  const { rooms, sends, me, agents, conversations } = useChatState();
  const room = rooms.get(conversation) ?? EMPTY_ROOM;
  const rows = useMemo(() => rowsOf(room, pendingIn(sends, conversation)), [room, sends, conversation]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: room.opened ? rows.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_PX,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN,
    paddingStart: TOP_PX,
    paddingEnd: 10,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: AT_END_PX,
  });
  // A row above the screen may shrink when the one before it is loaded. What is being read must not move.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ start }, _, { scrollOffset }) =>
    start < (scrollOffset ?? 0);
  const counted = conversations.get(conversation)?.kind !== 'thread';
  const follow = { conversation, room, rows, scroller, virtualizer, near: AT_END_PX, counted };
  const { newBelow, toEnd, onScroll } = useFollow(follow);
  useEffect(() => client.show(conversation), [client, conversation]);

  const items = virtualizer.getVirtualItems();
  const first = items.at(0)?.index;
  const offset = virtualizer.scrollOffset ?? 0;
  useEffect(() => {
    if (first !== undefined && offset < OLDER_PX && room.more && !room.reading) client.older(conversation);
  }, [client, conversation, first, offset, room.more, room.reading]);

  const [current, setCurrent] = useState<string>();
  const focusRow = useCallback(
    (index: number) => {
      const key = rows[index]?.key;
      if (key === undefined) return;
      setCurrent(key);
      virtualizer.scrollToIndex(index);
      // The row may not exist before it has been scrolled to.
      requestAnimationFrame(() =>
        scroller.current?.querySelector<HTMLElement>(`[data-event="${CSS.escape(key)}"]`)?.focus(),
      );
    },
    [rows, virtualizer],
  );
  const goTo = useCallback(
    (eventId: string) => focusRow(rows.findIndex(({ key }) => key === eventId)),
    [rows, focusRow],
  );
  const all = useMemo(() => ({ ...verbs, goTo }), [verbs, goTo]);
  const move = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || !event.target.classList.contains('message')) return;
    const at = rows.findIndex(({ key }) => key === current);
    const next = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    focusRow(Math.max(0, Math.min(rows.length - 1, next)));
  };
  // One message is always in the tab order: the last one, until the arrow keys move to another.
  const reachable = rows.some(({ key }) => key === current)
    ? current
    : rows.findLast(({ kind }) => kind === 'message')?.key;

  return (
    <div className="messages">
      <div
        ref={scroller}
        className="messages-scroll"
        role="log"
        aria-live="off"
        aria-label={label}
        onScroll={onScroll}
        onKeyDown={move}
      >
        {room.problem !== undefined && (
          <ErrorNote error={new Error(room.problem)} again={() => client.again(conversation)} />
        )}
        {!room.opened && room.problem === undefined && <Waiting what="messages" />}
        {room.opened && rows.length === 0 && empty}
        {room.opened && rows.length > 0 && (
          <div className="messages-all" style={{ height: virtualizer.getTotalSize() }}>
            <p className="messages-top">
              {room.more ? 'Reading older messages…' : 'This is where it begins.'}
            </p>
            {items.map(({ index, key, start }) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className="messages-row"
                  style={{ transform: `translateY(${start}px)` }}
                  onFocus={() => setCurrent(row.key)}
                >
                  {dayLine(row)}
                  {row.kind === 'send' ? (
                    <PendingSend send={row.send} />
                  ) : (
                    <Message
                      message={row.message}
                      me={me?.id}
                      agents={agents}
                      follows={row.follows}
                      current={row.key === reachable}
                      verbs={all}
                    />
                  )}
                  {row.kind === 'message' && row.isRoot === true && <hr className="root-line" />}
                </div>
              );
            })}
          </div>
        )}
      </div>
      {newBelow > 0 && (
        <button type="button" className="new-below" onClick={toEnd}>
          {newBelow} new below ↓
        </button>
      )}
    </div>
  );
}

function dayLine(row: ChatRow): ReactNode {
  return row.kind === 'message' && row.day !== undefined ? <h3 className="day">{row.day}</h3> : null;
}
