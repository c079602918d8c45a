// The compose fold: fragments of chat in, turns for a model out. Pure: time comes with the inputs, and `wakeAt` says
// when the next `tick` is wanted. Invariants: a fragment is in exactly one turn that was not cancelled, or superseded;
// two authors are never in one turn; one turn at a time. Inputs are applied first, then what is due is released, so a
// fragment that races a late tick joins its window.
import { amend, strike } from './amend.ts';
import { COMPOSE_DEFAULTS } from './options.ts';
import type { ComposeOptions } from './options.ts';
import { COMPOSE_VERSION } from './state.ts';
import type { ComposeInput, ComposeOutput, ComposeState, FragmentInput } from './state.ts';
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
  const state = structuredClone(before);
  const outputs = apply(state, input, options);
  outputs.push(...release(state, input.at, options));
  return { state, outputs };
}

/** When to send the next `tick`; null while a turn runs (its end releases) or nothing waits. */
export function wakeAt(state: ComposeState, given: Partial<ComposeOptions> = {}): number | null {
  if (state.turn !== null || state.foreign || state.windows.length === 0) return null;
  const options = { ...COMPOSE_DEFAULTS, ...given };
  return Math.min(...state.windows.map((w) => closesAt(w, options)));
}

function apply(state: ComposeState, input: ComposeInput, options: ComposeOptions): ComposeOutput[] {
  switch (input.type) {
    case 'fragment':
      return onFragment(state, input, options);
    case 'edit':
      return amend(state, input, options);
    case 'delete':
      return strike(state, input, options);
    case 'sent':
      return onSent(state, input.turn);
    case 'typing':
      onTyping(state, input);
      break;
    case 'turn_started':
      onStarted(state, input.turn);
      break;
    case 'turn_ended':
      onEnded(state, input.turn);
      break;
    case 'tick':
      break;
  }
  return [];
}

function onFragment(state: ComposeState, input: FragmentInput, options: ComposeOptions): ComposeOutput[] {
  // At-least-once delivery: the same event again is the same fragment.
  if (isKnown(state, input.eventId)) return [];
  const merged = mergeIntoTurn(state, input, options);
  if (merged !== null) return merged;
  if (join(state, input, options)) return [];
  return [{ type: 'refused', eventIds: [input.eventId], reason: 'too_many_windows' }];
}

function onTyping(state: ComposeState, input: Extract<ComposeInput, { type: 'typing' }>): void {
  for (const window of state.windows) {
    if (window.author !== input.author || input.at < window.lastAt) continue;
    window.typingAt = input.typing ? input.at : null;
  }
}

function onStarted(state: ComposeState, number: number | undefined): void {
  if (state.turn === null) state.foreign ||= number === undefined;
  else if (number === undefined || number === state.turn.number) state.turn.replaces = null;
}

function onEnded(state: ComposeState, number: number | undefined): void {
  if (number !== undefined && number !== state.turn?.number) return;
  state.turn = null;
  state.foreign = false;
}
