// The words of the compose fold: what goes in, what comes out, what is kept between. State is plain JSON, one per
// (agent, conversation). A turn has a number, so that the end of a cancelled turn is never taken for the end of the one
// that replaced it.

export const COMPOSE_VERSION = 1;

export interface LeadIn {
  eventId: string;
  author: string;
  at: number;
  chars: number;
}

export interface FragmentInput {
  type: 'fragment';
  eventId: string;
  author: string;
  at: number;
  /** Length of the text as the platform counts it. */
  chars: number;
  addressee: string;
  /** Approvals are buffered like the rest: "yes" is often followed by "but wait for Bob". */
  mode: 'immediate' | 'buffered';
  /** A derived delivery (`evt/return-2`) and the event it is about: never merged with what people type. */
  refersTo?: string;
  /** The author's own ambient lines just before: they join as current, not as context. */
  leadIn?: readonly LeadIn[];
}

export type ComposeInput =
  | FragmentInput
  | { type: 'typing'; author: string; typing: boolean; at: number }
  | { type: 'edit'; eventId: string; text: string; chars: number; at: number }
  | { type: 'delete'; eventId: string; at: number }
  /** `turn` is the number from `inject` or `cancel_and_restart`. Without it the current turn is meant. */
  | { type: 'turn_started'; at: number; turn?: number }
  /** An outbound action was produced. For a turn that was just cancelled: the restart is taken back. */
  | { type: 'sent'; at: number; turn?: number }
  | { type: 'turn_ended'; at: number; turn?: number }
  | { type: 'tick'; at: number };

export interface Edited {
  eventId: string;
  text: string;
}

export interface Injection {
  turn: number;
  author: string;
  addressee: string;
  /** In the order they were said, lead-in first. */
  eventIds: string[];
  leadIn: string[];
  edited: Edited[];
  refersTo?: string;
}

export type ComposeOutput =
  | ({ type: 'inject' } & Injection)
  /** Stop turn `cancels`, in which nothing was sent, and start again with everything. */
  | ({ type: 'cancel_and_restart'; cancels: number } & Injection)
  /** Stop the turn; there is nothing left to start again. */
  | { type: 'cancel'; turn: number; eventIds: string[] }
  | { type: 'supersede'; eventIds: string[] }
  /** The edit came after something was sent: an event of its own, reason `edited_after_response`. */
  | { type: 'late_edit'; eventIds: string[] }
  /** Not taken: offer it again after the next `inject`. */
  | { type: 'refused'; eventIds: string[]; reason: 'too_many_windows' };

export interface Fragment {
  eventId: string;
  at: number;
  chars: number;
  leadIn: boolean;
  edited: string | null;
}

/** What may become one turn: same author, same addressee; the conversation is the state's own. */
export interface ComposeWindow {
  author: string;
  addressee: string;
  refersTo: string | null;
  firstAt: number;
  lastAt: number;
  /** The last sign of typing since the latest fragment. */
  typingAt: number | null;
  immediate: boolean;
  /** Full, or past its time: takes no more, goes as soon as no turn runs. */
  closed: boolean;
  fragments: readonly Fragment[];
}

export interface ComposeTurn extends ComposeWindow {
  number: number;
  sent: boolean;
  lateRestarts: number;
  /** The turn this one replaced and what that had taken in, until this one is known to have started. */
  replaces: { number: number; eventIds: string[] } | null;
}

declare const isStored: unique symbol;

export interface ComposeState {
  /** In the types only: tells a state from a draft. */
  readonly [isStored]?: true;
  readonly version: number;
  readonly turns: number;
  readonly windows: readonly ComposeWindow[];
  /** The running turn. `foreign`: one that was not composed here, such as a role offer; everything waits for its end. */
  readonly turn: ComposeTurn | null;
  readonly foreign: boolean;
}

/** A state while one input is folded into it: a deep copy that belongs to that step alone and is changed in place. */
export interface ComposeDraft {
  readonly [isStored]: false;
  version: number;
  turns: number;
  windows: ComposeWindow[];
  turn: ComposeTurn | null;
  foreign: boolean;
}

export function openDraft(state: ComposeState): ComposeDraft {
  return structuredClone(state) as unknown as ComposeDraft;
}

/** The draft must not be changed after this. */
export function closeDraft(draft: ComposeDraft): ComposeState {
  return draft as unknown as ComposeState;
}

export function initialCompose(): ComposeState {
  return { version: COMPOSE_VERSION, turns: 0, windows: [], turn: null, foreign: false };
}
