// What the fold returns: one decision per event and agent, each with its trace, and effects that the host must carry
// out. All of it is plain data. trace.ts makes sentences of it when somebody asks. This file also says when two
// decisions are the same.
import type {
  ConversationMode,
  Directedness,
  InboundDecision,
  InjectionContext,
  InjectionMode,
  Intent,
  Policy,
  Priority,
  Reason,
} from '../protocol/vocabulary.ts';
import type { ClaimRefusal } from './claims.ts';
import type { RungId } from './directedness.ts';
import type { DialMove } from './intent/request-table.ts';
import type { RequestLanguage } from './intent/request-words.ts';
import type { RowId } from './matrix.ts';
import type { AttentionNotch } from './scorer/bands.ts';
import type { LoopCause } from './state.ts';

export interface Decision {
  eventId: string;
  /** The event that this decision refers to, when that is another one: for a claimed event, an edit, a reaction. */
  refersTo?: string;
  agent: string;
  decision: InboundDecision;
  directedness: Directedness;
  policy: Policy;
  mode: InjectionMode;
  context: InjectionContext;
  reason: Reason;
  intent: Intent;
  priority: Priority;
  /** A turn has at most one notice. */
  notice?: 'loop' | 'group';
  /** The agent must claim the event before it answers. */
  claimFirst?: true;
  /** Whether the host offers it to one agent at a time, to all at once, or leaves it to whoever claims it. */
  offer?: 'one_at_a_time' | 'to_all' | 'open';
  /** The host delivers it no earlier than this: the agent is in focus, follows in batches, or has overspent. */
  heldUntil?: number;
  /** Seqs of the author's untargeted lines just before. They are part of the turn, not context. */
  leadIn?: readonly number[];
  trace: Trace;
}

/** The rung that decided, the matrix row, what lowered it, and the facts they used. */
export interface Trace {
  rung: RungId | 'admission' | 'amendment' | 'act';
  /** For a fragment: the rung of the message it continues. */
  as?: RungId;
  row: RowId;
  facts: Readonly<Record<string, TraceFact>>;
  lowered?: readonly Lowering[];
}
export type TraceFact = string | number | boolean;

export const LOWERINGS = [
  'declared_posture',
  'one_obligation_per_send',
  'loop_advice',
  'stale_gap',
  'missing_capability',
  'focus',
  'follow_batch',
  'budget',
  'second_opinion',
] as const;
export type Lowering = (typeof LOWERINGS)[number];

export type Effect =
  /** The host posts one short acknowledgement from a template. No turn starts. */
  | {
      type: 'acknowledge';
      agent: string;
      eventId: string;
      template: 'leave' | 'stop' | 'mode' | 'dial';
      mode: ConversationMode;
      /** Of template `dial`: what was asked for, and whether it was at that end already. */
      dial?: { move: DialMove; atEnd: boolean };
      /** The language of the request. */
      language: RequestLanguage;
    }
  /** The host sets one reaction for the agent, after the compose window has closed. */
  | { type: 'signal'; agent: string; eventId: string; signal: 'seen' | 'queued' }
  /** The host stops the running turn and drops its unsent messages. */
  | { type: 'cancel_turn'; agent: string; eventId: string; why: 'stop' | 'deleted' | 'left' }
  /** A pending delivery is replaced or withdrawn. */
  | { type: 'supersede'; agent: string; eventId: string; why: 'edited_away' | 'deleted' }
  /** The text of a pending delivery changed. The delivery still stands. */
  | { type: 'amend'; agent: string; eventId: string; by: string }
  /** Two agents were stopped. Somebody who can release them is told; `people`: how many are present here. */
  | {
      type: 'escalate';
      eventId: string;
      why: 'loop_stopped';
      cause: LoopCause;
      agents: readonly string[];
      people: number;
    }
  | { type: 'mode'; agent: string; mode: ConversationMode; by: string }
  /** The agent's dial here was moved. It holds until the settings change or the agent is set back to normal. */
  | { type: 'dial'; agent: string; notch: AttentionNotch; by: string }
  /** A second opinion about a message, for whom it is held. */
  | { type: 'opinion'; agent: string; eventId: string; verdict: 'for' | 'not_for' }
  | { type: 'claim_granted'; agent: string; event: string; token: number; until: number }
  | { type: 'claim_refused'; agent: string; event: string; why: ClaimRefusal; holder: string; until: number }
  | { type: 'claim_released'; agent: string; event: string; why: 'released' | 'expired' }
  /** A limit is reached and something could not be kept. The host says so. */
  | { type: 'refused'; what: 'mode'; agent: string; limit: number };

/** Injected messages, offers, and knocks that must be answered start a turn. */
export function startsTurn(decision: Pick<Decision, 'policy' | 'mode' | 'claimFirst'>): boolean {
  if (decision.mode === 'immediate' || decision.mode === 'buffered') return true;
  return decision.mode === 'notify' && (decision.policy === 'must_respond' || decision.claimFirst === true);
}

// When two decisions are the same. Replays compare what is done about a message; the log also compares why, because
// agents whose decisions are equal in everything share one stored entry.

/** A decision without the event and the agent it is for. */
export type DecisionOutcome = Omit<Decision, 'eventId' | 'agent'>;

/**
 * The same is done about the message. The trace may differ. Lead-in lines are left out, because they are named by log
 * positions, and two replays may number their logs differently.
 *
 * Field by field, and what differs most often first: the log compares a hundred agents for each message they overhear.
 */
export function sameOutcome(a: DecisionOutcome, b: DecisionOutcome): boolean {
  return (
    a.reason === b.reason &&
    a.policy === b.policy &&
    a.mode === b.mode &&
    a.decision === b.decision &&
    a.directedness === b.directedness &&
    a.context === b.context &&
    a.intent === b.intent &&
    a.priority === b.priority &&
    a.refersTo === b.refersTo &&
    a.notice === b.notice &&
    a.claimFirst === b.claimFirst &&
    a.offer === b.offer &&
    a.heldUntil === b.heldUntil
  );
}

/** The same is done for the same reasons: only the event and the agent may differ. */
export function sameDecision(a: DecisionOutcome, b: DecisionOutcome): boolean {
  return sameOutcome(a, b) && sameList(a.leadIn, b.leadIn) && sameTrace(a.trace, b.trace);
}

function sameTrace(a: Trace, b: Trace): boolean {
  return (
    a.rung === b.rung &&
    a.row === b.row &&
    a.as === b.as &&
    sameList(a.lowered, b.lowered) &&
    (a.facts === b.facts || sameFacts(a.facts, b.facts))
  );
}

function sameFacts(a: Trace['facts'], b: Trace['facts']): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

function sameList<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): boolean {
  if (a === b) return true;
  return a?.length === b?.length && a?.every((item, index) => item === b?.[index]) === true;
}
