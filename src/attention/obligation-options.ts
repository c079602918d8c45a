// The figures of the ladder, and the facts of a record. Options are configuration. Facts are what other parts of the
// host knew when the record was written (loop level, injection modes); they are stored, so a replay sees the same.
import type { ChatEvent } from '../protocol/chat-event.ts';
import type { Identity } from '../protocol/identity.ts';
import type { InjectionMode } from '../protocol/vocabulary.ts';
import type { ReturnMode } from './obligation-state.ts';

const MINUTE_MS = 60_000;

/** A fixed interval without back-off. The more an event may interrupt, the sooner it returns. */
export const RETURN_INTERVAL_MS: Record<ReturnMode, number> = {
  immediate: 5 * MINUTE_MS,
  buffered: 15 * MINUTE_MS,
  notify: 30 * MINUTE_MS,
  tool_mailbox: 30 * MINUTE_MS,
};

export const RETURNS_BEFORE_ESCALATION = 3;

/** What happens to a reciprocal without an answer. These are the host's words, because the recipient only reacted. */
export const RECIPROCAL_DEFAULT_ACTION = 'The question stays paused until it is clarified.';

export interface ObligationOptions {
  intervalsMs?: Partial<Record<ReturnMode, number>>;
  returnsBeforeEscalation?: number;
  /** False: no returns, and no escalations after them. The conformance fixture compares with this. */
  returns?: boolean;
  /** Fact: the loop guard's level in the record's conversation. At 2 a new obligation goes to the human rung. */
  loopLevel?: 0 | 1 | 2;
  /** Fact: the mode that attention chose for each recipient. Missing means buffered, the spec's default for to_me. */
  modes?: Readonly<Record<Identity, InjectionMode>>;
  /** Fact: recipients for whom admission denied the author. */
  deniedFor?: readonly Identity[];
  /** Fact: the log has the event that a reaction or delete is about, so the record does not wait for it. */
  targetKnown?: boolean;
  /** Fact: whether the record with this id was said where it may mean the event by the source's own id. */
  saidNear?: (recordId: string, event: ChatEvent) => boolean;
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
