// Goes to one message of a conversation, for instance one that was found: loads it if it is far back, scrolls to it and
// focuses it. Once for each goal, so that the person can scroll away.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useChatClient } from '../context.tsx';
import type { ChatRow } from './rows.ts';

interface GoalOptions {
  conversation: string;
  goal: string;
  rows: readonly ChatRow[];
  opened: boolean;
  focusRow: (index: number) => void;
}

/** True when the message could not be reached. */
export function useGoal({ conversation, goal, rows, opened, focusRow }: GoalOptions): boolean {
  const client = useChatClient();
  const [outcome, setOutcome] = useState<{ goal: string; here: boolean }>();
  const gone = useRef('');
  useEffect(() => {
    if (goal === '' || !opened) return undefined;
    let current = true;
    void client.reach(conversation, goal).then((here) => current && setOutcome({ goal, here }));
    return () => {
      current = false;
    };
  }, [client, conversation, goal, opened]);
  useEffect(() => {
    if (outcome?.goal !== goal || !outcome.here || gone.current === goal) return;
    const index = rows.findIndex(({ key }) => key === goal);
    if (index < 0) return;
    gone.current = goal;
    focusRow(index);
  }, [outcome, goal, rows, focusRow]);
  return goal !== '' && outcome?.goal === goal && !outcome.here;
}

/** Frames in which a row may appear after it was scrolled to. Rows are measured on the way. */
const FRAMES = 60;

export function focusSoon(scroller: RefObject<HTMLElement | null>, eventId: string, left = FRAMES): void {
  requestAnimationFrame(() => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-event="${CSS.escape(eventId)}"]`);
    if (row !== null && row !== undefined) row.focus();
    else if (left > 0) focusSoon(scroller, eventId, left - 1);
  });
}
