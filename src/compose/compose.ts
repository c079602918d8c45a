// The compose fold turns fragments of chat into turns for a model. It is pure: time comes with the inputs, and `wakeAt`
// says when it needs the next `tick`. Invariants: a fragment is in exactly one turn that was not cancelled, or it is
// superseded; a turn has one author; one turn runs at a time. An input is applied before due windows are released, so a
// fragment that comes just before a late tick still joins its window.
import { amend, strike } from './amend.ts';
import { COMPOSE_DEFAULTS } from './options.ts';
import type { ComposeOptions } from './options.ts';
import { COMPOSE_VERSION, closeDraft, openDraft } from './state.ts';
import type { ComposeDraft, ComposeInput, ComposeOutput, ComposeState, FragmentInput } from './state.ts';
import { mergeIntoTurn, onSent, release } from './turn.ts';
import { closesAt, isKnown, join } from './window.ts';

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
