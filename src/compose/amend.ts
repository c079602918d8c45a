// Edits and deletes of messages that are not answered yet (spec, Edits, Deletes, And Fragments). Before the injection
// they are applied. During a turn that has sent nothing, the turn starts again. After that an edit is an event of its
// own, and a delete changes nothing here.
import type { ComposeDraft, ComposeInput, ComposeOutput } from './compose.ts';
import type { ComposeOptions } from './options.ts';
import { eventIds, isEmpty, mayRestart, restart } from './turn.ts';

type Input<T extends ComposeInput['type']> = Extract<ComposeInput, { type: T }>;

export function amend(draft: ComposeDraft, input: Input<'edit'>, options: ComposeOptions): ComposeOutput[] {
  const waiting = draft.windows.flatMap((w) => w.fragments).find((f) => f.eventId === input.eventId);
  if (waiting !== undefined) {
    waiting.edited = input.text;
    waiting.chars = input.chars;
    return [];
  }
  const { turn } = draft;
  const fragment = turn?.fragments.find((f) => f.eventId === input.eventId);
  if (turn === null || fragment === undefined) return [];
  if (!mayRestart(turn, input.at, options)) return [{ type: 'late_edit', eventIds: [input.eventId] }];
  fragment.edited = input.text;
  fragment.chars = input.chars;
  return [restart(draft, turn, eventIds(turn), input.at, options)];
}

export function strike(
  draft: ComposeDraft,
  input: Input<'delete'>,
  options: ComposeOptions,
): ComposeOutput[] {
  return [...strikeWaiting(draft, input.eventId), ...strikeRunning(draft, input, options)];
}

/** A delivery that is derived from the event stays. The host withdraws each by its own id. */
function strikeWaiting(draft: ComposeDraft, eventId: string): ComposeOutput[] {
  const window = draft.windows.find((w) => eventIds(w).includes(eventId));
  if (window === undefined) return [];
  window.fragments = window.fragments.filter((f) => f.eventId !== eventId);
  draft.windows = draft.windows.filter((w) => !isEmpty(w));
  return [{ type: 'supersede', eventIds: [eventId] }];
}

function strikeRunning(
  draft: ComposeDraft,
  input: Input<'delete'>,
  options: ComposeOptions,
): ComposeOutput[] {
  const { turn } = draft;
  if (turn === null || turn.sent) return [];
  const before = eventIds(turn);
  if (!before.includes(input.eventId)) return [];
  turn.fragments = turn.fragments.filter((f) => f.eventId !== input.eventId);
  const superseded: ComposeOutput = { type: 'supersede', eventIds: [input.eventId] };
  if (!isEmpty(turn)) return [superseded, restart(draft, turn, before, input.at, options)];
  draft.turn = null;
  return [superseded, { type: 'cancel', turn: turn.number, eventIds: before }];
}
