// The guide's state in this tab: the current step, what of it has happened, and how to move on.
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useChatState } from '../context.tsx';
import { type Check, checksOf, isDone } from './progress.ts';
import { GUIDE, type GuideStep, isDemo } from './steps.ts';

export interface GuideControl {
  open: boolean;
  toggle: () => void;
  step: GuideStep;
  index: number;
  checks: readonly Check[];
  done: readonly string[];
  go: (index: number) => void;
}

/** Undefined when the steps cannot be played here. */
export function useGuide(conversation: string): GuideControl | undefined {
  const { agents, roles, rooms, conversations, me } = useChatState();
  const [memory, setMemory] = useState(recallGuide);
  const change = useCallback(
    (changes: Partial<GuideMemory>) => setMemory((before) => ({ ...before, ...changes })),
    [],
  );
  useEffect(() => rememberGuide(memory), [memory]);
  const [playable, setPlayable] = useState(false);
  useEffect(() => {
    // Once shown, the guide stays, because agents come and go with the host.
    if (isDemo({ agents, roles })) setPlayable(true);
  }, [agents, roles]);
  const held = rooms.get(conversation)?.held;
  const index = Math.min(Math.max(0, memory.index), GUIDE.length - 1);
  const step = GUIDE[index];
  const checks = useMemo(() => {
    const messages = (held ?? []).map(({ message }) => message).filter(({ at }) => at > memory.since);
    return step === undefined || me === undefined ? [] : checksOf(step.id, { messages, me: me.id });
  }, [held, memory.since, step, me]);
  const id = step?.id ?? '';
  const finished = isDone(checks);
  useEffect(() => {
    if (finished)
      setMemory((before) => (before.done.includes(id) ? before : { ...before, done: [...before.done, id] }));
  }, [finished, id]);

  if (!playable || step === undefined || conversations.get(conversation)?.kind !== 'channel')
    return undefined;
  return {
    open: memory.open,
    toggle: () => change({ open: !memory.open }),
    step,
    index,
    checks,
    done: memory.done,
    // Messages so far do not count for the next step.
    go: (next) => change({ index: next, since: held?.at(-1)?.message.at ?? memory.since }),
  };
}

/** What the guide remembers in this browser: the current step, the finished ones, whether its card is open. */
interface GuideMemory {
  open: boolean;
  index: number;
  done: readonly string[];
  /** Messages up to this time do not count for the step. */
  since: string;
}

const KEPT = 'earshot.guide';
const FRESH: GuideMemory = { open: true, index: 0, done: [], since: '' };

function recallGuide(): GuideMemory {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<GuideMemory>;
    return {
      open: kept.open ?? FRESH.open,
      index: Number.isInteger(kept.index) ? (kept.index ?? 0) : 0,
      done: Array.isArray(kept.done) ? kept.done : [],
      since: typeof kept.since === 'string' ? kept.since : '',
    };
  } catch {
    // The stored value is not ours, so start again.
    return FRESH;
  }
}

function rememberGuide(memory: GuideMemory): void {
  localStorage.setItem(KEPT, JSON.stringify(memory));
}
