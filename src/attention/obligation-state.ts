// The state of the obligations fold: plain JSON with a version, every list bounded. Queries read `open`. `closed` is
// needed for late records, `held` for early ones. All of it is derived from events and reactions, and nothing from
// read state (`seen`).
import type { Identity } from '../protocol/identity.ts';
import type { Blocks, InjectionMode, Signal } from '../protocol/vocabulary.ts';

export const OBLIGATIONS_VERSION = 1;

/** Every bound. At a bound, a `refused` effect says what was not taken and why, except where noted. */
export const OBLIGATION_LIMITS = {
  /** Open questions in one state; one more is refused (`state_full`). */
  open: 1_000,
  /** Open questions, reciprocals and escalations together. Beyond it the ladder stays on its rung and tries again. */
  openWithLadder: 3_000,
  /** Open questions from one author to one recipient; one more is refused (`too_many_open`). */
  openPerPair: 3,
  /** Records that wait for their event. Beyond it the oldest is given up (`held_full`). */
  held: 256,
  /** Obligations on one escalation. Beyond it a second escalation is opened, so nothing is refused. */
  items: 64,
  /** Ids of edits by which an obligation is found. Beyond it a new edit's id is not kept (`too_many_edits`). */
  edits: 16,
  /** Closed obligations that are remembered for late records. Older ones are forgotten; the log refuses repeats. */
  closed: 256,
  /** Rungs above the recipient. After these the ladder goes to the owner, whatever the directory says. */
  tiers: 8,
} as const;

export type ReturnMode = Exclude<InjectionMode, 'digest' | 'silent'>;

/**
 * `question`: its author asked. `reciprocal`: its recipient did not understand a question. `escalation`: by the host.
 */
export type ObligationKind = 'question' | 'reciprocal' | 'escalation';
export type ObligationRung = 'recipient' | 'coordinator' | 'human';

export interface Obligation {
  /** `eventId#recipient`, because one event may oblige several recipients. */
  id: string;
  eventId: string;
  recipient: Identity;
  author: Identity;
  kind: ObligationKind;
  conversationId: string;
  /** The source's time, never later than the log's. Age counts from here, also after a restart. */
  createdAt: number;
  blocks: Blocks;
  defaultAction: string;
  /** Named by the author. Null: the author's coordinator at the time of the reaction. */
  delegate: Identity | null;
  mode: ReturnMode;
  rung: ObligationRung;
  /** 0 for the recipient, +1 for every escalation. */
  tier: number;
  /** When it returns or moves up. Null while it is paused, escalated or on the human rung. */
  dueAt: number | null;
  /** Returns made on this rung, 0 to N. */
  attempt: number;
  /** The number in the ids of returns. It never falls, so no harness drops a return as a repeat. */
  returned: number;
  extended: boolean;
  paused: boolean;
  /** The reciprocal of this obligation. It may have only one, ever. */
  reciprocal: string | null;
  /** On a reciprocal: the question that it pauses. */
  about: string | null;
  escalatedTo: string | null;
  /** On an escalation: who does not answer, and the obligations that wait for them. */
  blockedOn: Identity | null;
  items: readonly string[];
  /** The numbers in the ids of its longer lists (`evt/escalation-7/list-9`). Missing when it has had none. */
  lists?: readonly number[];
  /** When the recipient said `done`. It tells the author something and closes nothing. */
  doneAt: number | null;
  edits: readonly string[];
}

/** A reaction is an event of its own. Its meaning depends on who emitted it. */
export interface Reaction {
  reactionId: string;
  targetEventId: string;
  createdAt: number;
  actor: Identity;
  signal: Signal;
  recipient: Identity | null;
}

export type HeldRecord =
  | { type: 'reaction'; reaction: Reaction }
  | { type: 'delete'; eventId: string; targetEventId: string; actor: Identity };

export interface ObligationsState {
  version: number;
  open: readonly Obligation[];
  held: readonly HeldRecord[];
  closed: readonly { eventId: string; recipient: Identity }[];
  /** The number of the last event that the ladder made. */
  derived: number;
}

export function initialObligations(): ObligationsState {
  return { version: OBLIGATIONS_VERSION, open: [], held: [], closed: [], derived: 0 };
}

export function obligationId(eventId: string, recipient: Identity): string {
  return `${eventId}#${recipient}`;
}
