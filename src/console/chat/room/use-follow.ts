// Tracks whether the person is at the end of a conversation, how many messages are new below, and what has been read.
import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useChatClient } from '../context.tsx';
import type { RoomState } from '../state/room.ts';
import type { ChatRow } from './rows.ts';

interface FollowOptions {
  conversation: string;
  room: RoomState;
  rows: readonly ChatRow[];
  scroller: RefObject<HTMLDivElement | null>;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  near: number;
  /** Threads have no count of what is unread. */
  counted: boolean;
}

export function useFollow({
  conversation,
  room,
  rows,
  scroller,
  virtualizer,
  near,
  counted,
}: FollowOptions): {
  newBelow: number;
  toEnd: () => void;
  onScroll: () => void;
} {
  const client = useChatClient();
  const [atEnd, setAtEnd] = useState(true);
  const visible = useVisible();
  const last = room.held.at(-1)?.message.eventId;
  const seen = useRef<string | undefined>(undefined);

  const toEnd = useCallback(() => {
    virtualizer.scrollToEnd();
    setAtEnd(true);
  }, [virtualizer]);
  // A conversation opens at its newest message.
  useLayoutEffect(() => {
    if (room.opened) virtualizer.scrollToEnd();
  }, [room.opened, virtualizer]);
  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    setAtEnd(element.scrollHeight - element.scrollTop - element.clientHeight <= near);
  }, [scroller, near]);
  // The list always scrolls to the person's own message.
  const sending = rows.at(-1)?.kind === 'send' ? rows.at(-1)?.key : undefined;
  useLayoutEffect(() => {
    if (sending !== undefined) toEnd();
  }, [sending, toEnd]);

  const reads = room.opened && atEnd && visible;
  useEffect(() => {
    if (atEnd) seen.current = last;
    if (counted) client.watch(reads && last !== undefined ? { conversation, eventId: last } : undefined);
  }, [client, conversation, reads, atEnd, last, counted]);
  useEffect(() => (counted ? () => client.watch(undefined) : undefined), [client, counted]);

  const from = rows.findIndex(({ key }) => key === seen.current);
  const newBelow =
    atEnd || from < 0 ? 0 : rows.slice(from + 1).filter(({ kind }) => kind === 'message').length;
  return { newBelow, toEnd, onScroll };
}

function useVisible(): boolean {
  const [visible, setVisible] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const changed = (): void => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', changed);
    return () => document.removeEventListener('visibilitychange', changed);
  }, []);
  return visible;
}
