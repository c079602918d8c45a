// What the obligations fold asks the host to do, as data. Returns, escalations and reciprocals are `loopExempt`: loop
// prevention must not suppress them (spec/obligations.md, 6). None of them has the text of the message. A knock says
// who, where, which topic, how old, and what the author does without an answer; the recipient can pull the text.
import type { Identity } from '../protocol/identity.ts';
import type { Blocks, EscalationCause } from '../protocol/vocabulary.ts';
import type { ObligationKind, ReturnMode, ObligationRung } from './obligation-state.ts';

/** The topic of a knock, one for each kind of obligation. */
export const OBLIGATION_TOPICS: Record<ObligationKind, string> = {
  question: 'open obligation',
  reciprocal: 'clarification needed',
  escalation: 'escalated obligation',
};

/** `below`: everything on the escalation's list is closed. `clarified`, `question_closed`: for a reciprocal. */
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
  /** Every delivery after the first has an id of its own, or the harness would drop it as a repeat. */
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
  /** `human`: the recipient is a person, or a person is asked at once because the loop guard is at level 2. */
  rung: ObligationRung;
  /** The event names several recipients. That is allowed; one is better. */
  advice?: 'address_one_responder';
}

export interface ReturnEffect extends ObligationKnock {
  type: 'return';
  attempt: number;
  of: number;
  /** A return is always a knock, even when the event itself went to the mailbox. */
  mode: 'notify';
  /** When the recipient said `done`. The author has not agreed yet. */
  doneAt: number | null;
  /** Set on the return of an escalation. */
  blockedOn: Identity | null;
  items: readonly EscalatedItem[];
}

export interface EscalatedItem extends About {
  author: Identity;
  createdAt: number;
  ageMs: number;
  blocks: Blocks;
  defaultAction: string;
}

export interface EscalateEffect extends ObligationKnock {
  type: 'escalate';
  reason: EscalationCause;
  blockedOn: Identity;
  tier: number;
  rung: ObligationRung;
  /** False when it was added to an escalation that the recipient has already. */
  opened: boolean;
  items: readonly EscalatedItem[];
  /** The obligations that this step put on the list. `logId`: the id of the record that says so. */
  moved: readonly (About & { logId: string })[];
}

/** Debts were taken off the list of an escalation that stays open. */
export interface ShortenedEffect extends About {
  type: 'shortened';
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
  | ShortenedEffect
  | (About & { type: 'resumed'; reason: 'clarified' | 'escalation_closed' })
  | (About & { type: 'discharged'; by: Identity; cause: DischargeCause; ageMs: number })
  | { type: 'held'; eventId: string; targetEventId: string; actor: Identity }
  /** `recipient` as it was written. It may be no identity at all, for instance a channel. */
  | { type: 'refused'; eventId: string; recipient: string | null; reason: RefusalReason; limit?: number };
