// The compose fold turns fragments of chat into turns for a model. It is pure: time comes with the inputs, and `wakeAt`
// says when it needs the next `tick`. Invariants: a fragment is in exactly one turn that was not cancelled, or it is
// superseded; a turn has one author; one turn runs at a time. An input is applied before due windows are released, so a
// fragment that comes just before a late tick still joins its window.
import { amend, strike } from './amend.ts';
import { COMPOSE_DEFAULTS, type ComposeOptions } from './options.ts';
import { closesAt, isKnown, join, mergeIntoTurn, onSent, release } from './turn.ts';

export function compose(
  before: ComposeState,
  input: ComposeInput,
  given: Partial<ComposeOptions> = {},
): { state: ComposeState; outputs: ComposeOutput[] } {
  if (before.version !== COMPOSE_VERSION) {
    throw new Error(`compose state has version ${before.version}, this code reads ${COMPOSE_VERSION}`);
  }
  const options = { ...COMPOSE_DEFAULTS, ...given };
  const draft = openDraft(before);
  const outputs = apply(draft, input, options);
  outputs.push(...release(draft, input.at, options));
  return { state: closeDraft(draft), outputs };
}

/** When to send the next `tick`. Null while a turn runs, because its end releases the next, and when nothing waits. */
export function wakeAt(state: ComposeState, given: Partial<ComposeOptions> = {}): number | null {
  if (state.turn !== null || state.foreign || state.windows.length === 0) return null;
  const options = { ...COMPOSE_DEFAULTS, ...given };
  return Math.min(...state.windows.map((w) => closesAt(w, options)));
}

function apply(draft: ComposeDraft, input: ComposeInput, options: ComposeOptions): ComposeOutput[] {
  switch (input.type) {
    case 'fragment':
      return onFragment(draft, input, options);
    case 'edit':
      return amend(draft, input, options);
    case 'delete':
      return strike(draft, input, options);
    case 'sent':
      return onSent(draft, input.turn);
    case 'typing':
      onTyping(draft, input);
      break;
    case 'turn_started':
      onStarted(draft, input.turn);
      break;
    case 'turn_ended':
      onEnded(draft, input.turn);
      break;
    case 'tick':
      break;
  }
  return [];
}

function onFragment(draft: ComposeDraft, input: FragmentInput, options: ComposeOptions): ComposeOutput[] {
  // Delivery is at least once: a repeated event is the same fragment.
  if (isKnown(draft, input.eventId)) return [];
  const merged = mergeIntoTurn(draft, input, options);
  if (merged !== null) return merged;
  if (join(draft, input, options)) return [];
  return [{ type: 'refused', eventIds: [input.eventId], reason: 'too_many_windows' }];
}

function onTyping(draft: ComposeDraft, input: Extract<ComposeInput, { type: 'typing' }>): void {
  for (const window of draft.windows) {
    if (window.author !== input.author || input.at < window.lastAt) continue;
    window.typingAt = input.typing ? input.at : null;
    // Whoever stops typing without saying anything does not go on, whatever they usually do.
    if (!input.typing) window.goesOnMs = null;
  }
}

function onStarted(draft: ComposeDraft, number: number | undefined): void {
  if (draft.turn === null) draft.foreign ||= number === undefined;
  else if (number === undefined || number === draft.turn.number) draft.turn.replaces = null;
}

function onEnded(draft: ComposeDraft, number: number | undefined): void {
  if (number !== undefined && number !== draft.turn?.number) return;
  draft.turn = null;
  draft.foreign = false;
}

// Inputs, outputs and state. A state is plain JSON, one for each agent and conversation. A turn has a number, so the end
// of a cancelled turn is never taken for the end of the turn that replaced it.

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
  /** The length of the text as the platform counts it. */
  chars: number;
  addressee: string;
  /** When it was said, by the source's clock. Missing: at `at`. A caller that comes late is handed old messages now. */
  saidAt?: number;
  /** Approvals are buffered like the rest: "yes" is often followed by "but wait for Bob". */
  mode: 'immediate' | 'buffered';
  /** For a derived delivery (`evt/return-2`), the event it is about. It is never merged with what people type. */
  refersTo?: string;
  /** The author's own ambient lines just before. They join the turn and are not only context. */
  leadIn?: readonly LeadIn[];
  /** Within what time its author usually adds something (rhythm.ts). Missing: they seldom do, or nobody knows. */
  goesOnMs?: number;
}

export type ComposeInput =
  | FragmentInput
  | { type: 'typing'; author: string; typing: boolean; at: number }
  | { type: 'edit'; eventId: string; text: string; chars: number; at: number }
  | { type: 'delete'; eventId: string; at: number }
  /** `turn` is the number from `inject` or `cancel_and_restart`. Missing: the current turn. */
  | { type: 'turn_started'; at: number; turn?: number }
  /** The turn has sent something. When it was just cancelled, the restart is taken back. */
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
  /** In the order in which they were said, lead-in lines first. */
  eventIds: string[];
  leadIn: string[];
  edited: Edited[];
  refersTo?: string;
}

export type ComposeOutput =
  | ({ type: 'inject' } & Injection)
  /** Stop turn `cancels`, which has sent nothing, and start again with all fragments. */
  | ({ type: 'cancel_and_restart'; cancels: number } & Injection)
  /** Stop the turn. Nothing is left to start again with. */
  | { type: 'cancel'; turn: number; eventIds: string[] }
  | { type: 'supersede'; eventIds: string[] }
  /**
   * The edit came after the turn had sent something. It is an event of its own, with reason `edited_after_response`.
   */
  | { type: 'late_edit'; eventIds: string[] }
  /** The fragment was not taken. Offer it again after the next `inject`. */
  | { type: 'refused'; eventIds: string[]; reason: 'too_many_windows' };

export interface Fragment {
  eventId: string;
  at: number;
  chars: number;
  leadIn: boolean;
  edited: string | null;
}

/** Fragments that may become one turn: they have the same author and addressee. A state is about one conversation. */
export interface ComposeWindow {
  author: string;
  addressee: string;
  refersTo: string | null;
  firstAt: number;
  /** When its first fragment was said, by the source's clock. */
  saidAt: number;
  lastAt: number;
  /** The last sign of typing since the latest fragment. */
  typingAt: number | null;
  /** How its author usually goes on, as of the latest fragment. Null: they do not, or nobody knows. */
  goesOnMs: number | null;
  immediate: boolean;
  /** The window is full or its time is over. It takes no more and is injected as soon as no turn runs. */
  closed: boolean;
  fragments: readonly Fragment[];
}

export interface ComposeTurn extends ComposeWindow {
  number: number;
  sent: boolean;
  lateRestarts: number;
  /** The turn that this one replaced, and its events. Null once this one has started. */
  replaces: { number: number; eventIds: string[] } | null;
}

declare const isStored: unique symbol;

export interface ComposeState {
  /** Exists in the types only. It tells a state from a draft. */
  readonly [isStored]?: true;
  readonly version: number;
  readonly turns: number;
  readonly windows: readonly ComposeWindow[];
  /**
   * The running turn. `foreign`: a turn runs that was not composed here, such as a role offer. All windows wait for
   * it.
   */
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
  const { version, turns, windows, turn, foreign } = state;
  const draft = { version, turns, windows: windows.map(copyWindow), turn: turn && copyTurn(turn), foreign };
  return draft as unknown as ComposeDraft;
}

/** By hand: `structuredClone` of a state takes longer than to fold an input into it. */
function copyWindow<W extends ComposeWindow>(window: W): W {
  return { ...window, fragments: window.fragments.map((fragment) => ({ ...fragment })) };
}

function copyTurn(turn: ComposeTurn): ComposeTurn {
  const { replaces } = turn;
  return {
    ...copyWindow(turn),
    replaces: replaces && { ...replaces, eventIds: [...replaces.eventIds] },
  };
}

/** The draft must not be changed after this. */
export function closeDraft(draft: ComposeDraft): ComposeState {
  return draft as unknown as ComposeState;
}

export function initialCompose(): ComposeState {
  return { version: COMPOSE_VERSION, turns: 0, windows: [], turn: null, foreign: false };
}
