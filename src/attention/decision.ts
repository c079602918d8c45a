// What the fold answers: one decision per (event, agent), each with its trace, and effects the host must carry
// out. All plain data: words are made only when somebody reads them (trace.ts).
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
import type { RowId } from './matrix.ts';
import type { LoopCause } from './state.ts';

export interface Decision {
  eventId: string;
  /** Set when this is a follow-up under a derived id: a claimed event, an edit. */
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
  /** At most one notice rides on a turn. */
  notice?: 'loop' | 'group';
  /** Answering needs a granted claim. */
  claimFirst?: true;
  /** Offered to one holder at a time by the host; otherwise to everybody who may claim. */
  offer?: 'one_at_a_time' | 'open';
  /** Not before this: the agent is in focus, or follows in batches. */
  heldUntil?: number;
  /** Seqs of the same author's untargeted lines just before: part of the turn, not context. */
  leadIn?: readonly number[];
  trace: Trace;
}

/** The deciding rung, the matrix row, what lowered the outcome, and the facts they used. */
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
] as const;
export type Lowering = (typeof LOWERINGS)[number];

export type Effect =
  /** The host posts one short templated acknowledgement itself: no turn. */
  | {
      type: 'acknowledge';
      agent: string;
      eventId: string;
      template: 'leave' | 'stop' | 'mode';
      mode: ConversationMode;
    }
  /** The host sets one reaction for the agent, once the compose window has closed. */
  | { type: 'signal'; agent: string; eventId: string; signal: 'seen' | 'queued' }
  /** Stop the running turn and drop unsent sends. */
  | { type: 'cancel_turn'; agent: string; eventId: string; why: 'stop' | 'deleted' | 'left' }
  /** A pending delivery is replaced or withdrawn. */
  | { type: 'supersede'; agent: string; eventId: string; why: 'edited_away' | 'deleted' }
  /** A pending delivery's text changed and still stands. */
  | { type: 'amend'; agent: string; eventId: string; by: string }
  | { type: 'escalate'; eventId: string; why: 'loop_stopped'; cause: LoopCause; agents: readonly string[] }
  | { type: 'mode'; agent: string; mode: ConversationMode; by: string }
  | { type: 'claim_granted'; agent: string; event: string; token: number; until: number }
  | { type: 'claim_refused'; agent: string; event: string; why: ClaimRefusal; holder: string; until: number }
  | { type: 'claim_released'; agent: string; event: string; why: 'released' | 'expired' }
  /** The agent has now seen everything up to here: seen-while-quiet starts after it. */
  | { type: 'cursor'; agent: string; seq: number }
  /** Something could not be kept because a limit is reached; said out loud, never dropped. */
  | { type: 'refused'; what: 'mode'; agent: string; limit: number };

/** A turn is started by everything that is injected, by offers, and by knocks that must be answered. */
export function startsTurn(decision: Pick<Decision, 'policy' | 'mode' | 'claimFirst'>): boolean {
  if (decision.mode === 'immediate' || decision.mode === 'buffered') return true;
  return decision.mode === 'notify' && (decision.policy === 'must_respond' || decision.claimFirst === true);
}
