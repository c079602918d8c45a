// What the obligations fold asks the host to do, as data. Returns, escalations and reciprocals are `loopExempt`: loop
// prevention must not suppress them (spec/obligations.md, 6). None of them carries a byte of the message: a knock says
// who, where, which topic, how old, and what its author will do without an answer; the content stays pullable.
import type { Identity } from '../protocol/identity.ts';
import type { Blocks } from '../protocol/vocabulary.ts';
import type { ObligationKind, ReturnMode, ObligationRung } from './obligation-state.ts';

/** Fixed host vocabulary for knocks, one word per kind of obligation. */
export const OBLIGATION_TOPICS: Record<ObligationKind, string> = {
  question: 'open obligation',
  reciprocal: 'clarification needed',
  escalation: 'escalated obligation',
};

export type EscalationReason = 'returns_spent' | 'declined' | 'blocked' | 'loop_stopped';
/** `below`: everything on the escalation's list is settled. `clarified`, `question_closed`: for a reciprocal. */
export type DischargeCause = 'reaction' | 'deleted' | 'below' | 'clarified' | 'question_closed';
export type RefusalReason =
  | 'no_recipient'
  | 'not_one_responder'
  | 'recipient_is_author'
  | 'author_denied'
  | 'backfill'
  | 'too_many_open'
  | 'state_full'
  | 'held_full'
  | 'too_many_edits'
  | 'reciprocal_used'
  | 'reciprocal_of_reciprocal'
  | 'unclear_on_escalation';

interface About {
  obligationId: string;
  eventId: string;
  recipient: Identity;
}

interface ObligationKnock extends About {
  /** Deliveries after the first carry an id of their own, or the harness would drop them as repeats. */
  derivedId: string;
  refersTo: string;
  author: Identity;
  conversationId: string;
  topic: string;
  ageMs: number;
  blocks: Blocks;
  defaultAction: string;
  loopExempt: true;
}

export interface OpenedEffect extends About {
  type: 'opened';
  author: Identity;
  blocks: Blocks;
  policy: 'must_respond';
  mode: ReturnMode;
  /** `human`: the recipient is a person, or the loop guard is at level 2 and a person was asked at once. */
  rung: ObligationRung;
  /** The event names several: allowed, one is advised. */
  advice?: 'address_one_responder';
}

export interface ReturnEffect extends ObligationKnock {
  type: 'return';
  attempt: number;
  of: number;
  /** A return is an injected knock, also where the event itself only lay in the mailbox. */
  mode: 'notify';
  /** The recipient has said `done`; its author has not agreed. */
  doneAt: number | null;
  items: readonly EscalatedItem[];
}

export interface EscalatedItem extends About {
  author: Identity;
  ageMs: number;
  blocks: Blocks;
  defaultAction: string;
}

export interface EscalateEffect extends ObligationKnock {
  type: 'escalate';
  reason: EscalationReason;
  blockedOn: Identity;
  tier: number;
  rung: ObligationRung;
  /** False when it was added to an escalation its recipient already has. */
  opened: boolean;
  items: readonly EscalatedItem[];
}

export interface ReciprocalEffect extends ObligationKnock {
  type: 'reciprocal';
  rung: ObligationRung;
}

export type ObligationEffect =
  | OpenedEffect
  | ReturnEffect
  | EscalateEffect
  | ReciprocalEffect
  | (About & { type: 'resumed'; reason: 'clarified' | 'escalation_closed' })
  | (About & { type: 'discharged'; by: Identity; cause: DischargeCause; ageMs: number })
  | { type: 'held'; eventId: string; targetEventId: string; actor: Identity }
  /** `recipient` as it was written: what is refused may be no identity at all, such as a channel. */
  | { type: 'refused'; eventId: string; recipient: string | null; reason: RefusalReason; limit?: number };
