// The messages of one conversation. Only those near the screen exist in the document. It stays at the newest message
// until the person scrolls away. Older pages come in above without moving what is being read.
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from '../../ui/button.tsx';
import { Waiting } from '../../ui/note.tsx';
import { useChatClient, useChatState } from '../context.tsx';
import { isArchived } from '../state/state.ts';
import { growingIn, hasGrown } from '../state/growing.ts';
import { EMPTY_ROOM } from '../state/room.ts';
import { pendingIn } from '../state/sends.ts';
import { Message } from './message.tsx';
import type { MessageVerbs } from './message-actions.tsx';
import { NewLine, ToFirstUnread, useNewFrom } from './new-line.tsx';
import { PendingSend } from './pending-send.tsx';
import { type ChatRow, rowsOf, withAnswers } from './rows.ts';
import { useFollow } from './use-follow.ts';
import { focusSoon, useGoal } from './use-goal.ts';

interface MessageListProps {
  conversation: string;
  label: string;
  verbs: Omit<MessageVerbs, 'goTo'>;
  /** Shown when nobody has written yet. */
  empty: ReactNode;
  /** The message to go to, even if it is far back. Empty: none. */
  goal: string;
}

const ESTIMATED_PX = 52;
const OVERSCAN = 6;
const AT_END_PX = 48;
/** At this distance from the oldest row, the page before it is loaded. */
const OLDER_PX = 400;
const TOP_PX = 36;
/** A thread begins with its message, so nothing needs to be said above it. */
const THREAD_TOP_PX = 10;

export function MessageList({ conversation, label, verbs, empty, goal }: MessageListProps): ReactNode {
  const client = useChatClient();
  const state = useChatState();
  const { rooms, sends, me, agents, conversations, growing } = state;
  const archived = isArchived(state, conversation);
  const room = rooms.get(conversation) ?? EMPTY_ROOM;
  const said = useMemo(() => rowsOf(room, pendingIn(sends, conversation)), [room, sends, conversation]);
  const answers = useMemo(() => growingIn(growing, conversation, room), [growing, conversation, room]);
  const rows = useMemo(() => withAnswers(said, answers), [said, answers]);
  const scroller = useRef<HTMLDivElement>(null);
  const isThread = conversations.get(conversation)?.kind === 'thread';
  const virtualizer = useVirtualizer({
    count: room.opened ? rows.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_PX,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN,
    paddingStart: isThread && !room.more ? THREAD_TOP_PX : TOP_PX,
    paddingEnd: 10,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: AT_END_PX,
  });
  // A row above the screen may shrink when the one before it is loaded. What is being read must not move. An answer grows
  // at its end, so whoever reads its beginning stays there.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ start, end, key }, _, { scrollOffset }) =>
    (hasGrown(growing, key) ? end : start) < (scrollOffset ?? 0);
  const follow = { conversation, room, rows, scroller, virtualizer, near: AT_END_PX, counted: !isThread };
  const { newBelow, toEnd, onScroll } = useFollow(follow);
  useEffect(() => client.show(conversation), [client, conversation]);

  const items = virtualizer.getVirtualItems();
  const first = items.at(0)?.index;
  const offset = virtualizer.scrollOffset ?? 0;
  useEffect(() => {
    if (first !== undefined && offset < OLDER_PX && room.more && !room.reading) client.older(conversation);
  }, [client, conversation, first, offset, room.more, room.reading]);

  const [current, setCurrent] = useState<string>();
  // The rows change many times a second while an answer grows. The other messages are not to be drawn again for that.
  const latest = useRef(rows);
  useLayoutEffect(() => {
    latest.current = rows;
  }, [rows]);
  const focusRow = useCallback(
    (index: number) => {
      const key = latest.current[index]?.key;
      if (key === undefined) return;
      setCurrent(key);
      virtualizer.scrollToIndex(index);
      focusSoon(scroller, key);
    },
    [virtualizer],
  );
  // The address names a message, or the person jumps to the first unread one.
  const [jump, setJump] = useState('');
  const target = jump === '' ? goal : jump;
  const missed = useGoal({ conversation, goal: target, rows, opened: room.opened, focusRow });
  const goTo = useCallback(
    (eventId: string) => focusRow(latest.current.findIndex(({ key }) => key === eventId)),
    [focusRow],
  );
  const newFrom = useNewFrom(conversation);
  const newIndex = newFrom === undefined ? -1 : rows.findIndex(({ key }) => key === newFrom);
  const isAbove =
    newFrom !== undefined && (newIndex < 0 ? room.more : newIndex < (virtualizer.range?.startIndex ?? 0));
  const all = useMemo(() => ({ ...verbs, goTo }), [verbs, goTo]);
  const move = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || !event.target.classList.contains('message')) return;
    const here = rows.findIndex(({ key }) => key === current);
    const next = { ArrowUp: here - 1, ArrowDown: here + 1, Home: 0, End: rows.length - 1 }[event.key];
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
          <div className="note room-closed" data-tone="error" role="alert">
            <span>{room.problem}</span>
            <Button small onClick={() => client.again(conversation)}>
              Try again
            </Button>
          </div>
        )}
        {!room.opened && room.problem === undefined && <Waiting what="messages" />}
        {room.opened && rows.length === 0 && empty}
        {room.opened && rows.length > 0 && (
          <div className="messages-all" style={{ height: virtualizer.getTotalSize() }}>
            {(room.more || !isThread) && (
              <p className="messages-top">
                {room.more ? 'Reading older messages…' : 'This is where it begins.'}
              </p>
            )}
            {items.map(({ index, key, start }) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className="messages-row"
                  data-lit={row.key === target ? '' : undefined}
                  style={{ transform: `translateY(${start}px)` }}
                  onFocus={() => setCurrent(row.key)}
                >
                  {dayLine(row)}
                  {/* Whoever saw it grow is reading it: nothing may push it down. */}
                  {row.key === newFrom && !hasGrown(growing, row.key) && <NewLine />}
                  {row.kind === 'send' ? (
                    <PendingSend send={row.send} />
                  ) : (
                    <Message
                      message={row.message}
                      me={me?.id}
                      agents={agents}
                      follows={row.follows}
                      growing={row.isGrowing === true}
                      newest={index === rows.length - 1}
                      archived={archived}
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
      {missed && (
        <p className="not-found small" role="alert">
          This message is gone, not for you to see, or too far back to be shown in its place.
        </p>
      )}
      {room.opened && newFrom !== undefined && (
        <ToFirstUnread key={newFrom} above={isAbove} go={() => setJump(newFrom)} />
      )}
      {newBelow > 0 && (
        <button type="button" className="new-below" onClick={toEnd}>
          {newBelow} new below ↓
        </button>
      )}
    </div>
  );
}

function dayLine(row: ChatRow): ReactNode {
  return row.kind === 'message' && row.day !== undefined ? <h2 className="day">{row.day}</h2> : null;
}
