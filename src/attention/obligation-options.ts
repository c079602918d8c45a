// The figures of the ladder and the facts a record brings along. Options are configuration; facts are what other parts
// of the host knew when the record was written (loop level, injection modes), stamped so that a replay sees the same.
import type { Identity } from '../protocol/identity.ts';
import type { InjectionMode } from '../protocol/vocabulary.ts';
import type { ReturnMode } from './obligation-state.ts';

const MINUTE_MS = 60_000;

/** Flat, no back-off. The more an event was allowed to interrupt, the sooner it comes back. */
export const RETURN_INTERVAL_MS: Record<ReturnMode, number> = {
  immediate: 5 * MINUTE_MS,
  buffered: 15 * MINUTE_MS,
  notify: 30 * MINUTE_MS,
  tool_mailbox: 30 * MINUTE_MS,
};

export const RETURNS_BEFORE_ESCALATION = 3;

/** What a reciprocal's author does without an answer. Host words, because the recipient only reacted. */
export const RECIPROCAL_DEFAULT_ACTION = 'The question stays paused until it is clarified.';

export interface ObligationOptions {
  intervalsMs?: Partial<Record<ReturnMode, number>>;
  returnsBeforeEscalation?: number;
  /** False switches returns and the escalations after them off: the control arm of the conformance fixture. */
  returns?: boolean;
  /** Fact: the loop guard's level in the record's conversation. At 2 a new obligation goes to the human rung. */
  loopLevel?: 0 | 1 | 2;
  /** Fact: the mode attention chose, per recipient. Missing means buffered, the spec's default for to_me. */
  modes?: Readonly<Record<Identity, InjectionMode>>;
  /** Fact: recipients for whom admission denied the author. */
  deniedFor?: readonly Identity[];
  /** Fact: the log has the event that a reaction or delete points at, so there is nothing to wait for. */
  targetKnown?: boolean;
}

/** Never digest or silent: an obligation is at least a knock (spec/obligations.md, 1). */
export function returnMode(mode: InjectionMode | undefined): ReturnMode {
  if (mode === undefined) return 'buffered';
  return mode === 'digest' || mode === 'silent' ? 'notify' : mode;
}

export function intervalMs(mode: ReturnMode, options: ObligationOptions): number {
  return options.intervalsMs?.[mode] ?? RETURN_INTERVAL_MS[mode];
}

export function returnsBeforeEscalation(options: ObligationOptions): number {
  return options.returnsBeforeEscalation ?? RETURNS_BEFORE_ESCALATION;
}
