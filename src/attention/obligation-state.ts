// What the obligations fold remembers: plain JSON, versioned, every list bounded. `open` is what the two queries
// read; `closed` and `held` exist only to judge late and early records. Nothing in here is set from outside: it is
// derived from events and reactions, and read state (`seen`) is not among them.
import type { Identity } from '../protocol/identity.ts';
import type { Blocks, InjectionMode, Signal } from '../protocol/vocabulary.ts';

export const OBLIGATIONS_VERSION = 1;

/** Every bound. At each of them a `refused` effect says what was not taken and why, except where noted. */
export const OBLIGATION_LIMITS = {
  /** Open questions in one state; one more is refused (`state_full`). */
  open: 1_000,
  /** Open questions, reciprocals and escalations together. Beyond, the ladder stays on its rung and tries again. */
  openWithLadder: 3_000,
  /** Open questions from one author to one recipient; one more is refused (`too_many_open`). */
  openPerPair: 3,
  /** Records waiting for their event. Beyond, the oldest is given up (`held_full`). */
  held: 256,
  /** Obligations on one escalation. Beyond, a second escalation is opened: nothing is lost, so nothing is refused. */
  items: 64,
  /** Edit ids that still lead to their event. Beyond, the newest edit gets none (`too_many_edits`). */
  edits: 16,
  /** Discharged ids remembered to recognise stragglers. Older ones are forgotten: the log rejects repeats by key. */
  closed: 256,
  /** Rungs above the recipient before the ladder goes to the owner whatever the directory says. */
  tiers: 8,
} as const;

export type ReturnMode = Exclude<InjectionMode, 'digest' | 'silent'>;

/** `question`: its author asked. `reciprocal`: the recipient could not understand it. `escalation`: made by the host. */
export type ObligationKind = 'question' | 'reciprocal' | 'escalation';
export type ObligationRung = 'recipient' | 'coordinator' | 'human';

export interface Obligation {
  /** `eventId#recipient`: an obligation's own id, because one event may oblige several. */
  id: string;
  eventId: string;
  recipient: Identity;
  author: Identity;
  kind: ObligationKind;
  conversationId: string;
  /** The source's time, never later than the log's. Age is counted from here, also after a restart. */
  createdAt: number;
  blocks: Blocks;
  defaultAction: string;
  /** As named by the author; null means the author's coordinator at the time of the reaction. */
  delegate: Identity | null;
  mode: ReturnMode;
  rung: ObligationRung;
  /** 0 for the recipient, +1 for every escalation. */
  tier: number;
  /** When it comes back or moves up; null while paused, escalated or on the human rung. */
  dueAt: number | null;
  /** Place on this rung, 0 to N. */
  attempt: number;
  /** Numbers the derived ids; never falls, so no harness drops a return as a repeat. */
  returned: number;
  extended: boolean;
  paused: boolean;
  /** The one reciprocal this obligation may ever have. */
  reciprocal: string | null;
  /** On a reciprocal: the question it pauses. */
  about: string | null;
  escalatedTo: string | null;
  /** On an escalation: who does not answer, and the obligations waiting for them. */
  blockedOn: Identity | null;
  items: readonly string[];
  /** The recipient's `done`: evidence for the author, not discharge. */
  doneAt: number | null;
  edits: readonly string[];
}

/** A reaction is an event of its own, read by who emitted it. */
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
  /** Numbers the events the ladder makes. */
  derived: number;
}

export function initialObligations(): ObligationsState {
  return { version: OBLIGATIONS_VERSION, open: [], held: [], closed: [], derived: 0 };
}

export function obligationId(eventId: string, recipient: Identity): string {
  return `${eventId}#${recipient}`;
}
