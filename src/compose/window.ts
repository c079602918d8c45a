// The window: which fragments belong together, and how long they wait. Invariant: a window has one author and one
// addressee, and closes at most `maxWindowMs` after its first fragment. A fragment ends an earlier typing sign, because
// some platforms never say that typing stopped. A typing sign only makes the wait longer.
import type { ComposeOptions } from './options.ts';
import type { ComposeDraft, ComposeWindow, Fragment, FragmentInput } from './state.ts';

/** When the window is injected, if no turn runs then. */
export function closesAt(window: ComposeWindow, options: ComposeOptions): number {
  if (window.immediate || window.closed) return window.firstAt;
  const quiet = window.fragments.some((f) => isNearLimit(f, options))
    ? options.nearLimitQuietMs
    : options.quietMs;
  const typing = window.typingAt === null ? 0 : window.typingAt + options.typingMs;
  return Math.min(window.firstAt + options.maxWindowMs, Math.max(window.lastAt + quiet, typing));
}

function isNearLimit(fragment: Fragment, options: ComposeOptions): boolean {
  const { platformLimitChars, nearLimitShare } = options;
  return platformLimitChars !== null && fragment.chars >= platformLimitChars * nearLimitShare;
}

export function belongsTo(window: ComposeWindow, input: FragmentInput): boolean {
  return (
    window.author === input.author &&
    window.addressee === input.addressee &&
    window.refersTo === (input.refersTo ?? null)
  );
}

/** Adds the fragment to its author's open window, or begins a new one. False when there is no room for another. */
export function join(draft: ComposeDraft, input: FragmentInput, options: ComposeOptions): boolean {
  const open = draft.windows.find((w) => !w.closed && belongsTo(w, input));
  if (open !== undefined) {
    const spans = input.at - open.firstAt <= options.maxWindowMs;
    if (spans && open.fragments.length < options.maxFragments) {
      add(open, fragmentsOf(draft, input, options, options.maxFragments - open.fragments.length));
      open.lastAt = Math.max(open.lastAt, input.at);
      open.typingAt = null;
      hasten(draft, input);
      return true;
    }
  }
  if (draft.windows.length >= options.maxWindows) return false;
  if (open !== undefined) open.closed = true;
  draft.windows.push(begin(draft, input, options));
  hasten(draft, input);
  return true;
}

/** An urgent fragment is not delayed, and neither are its author's earlier fragments, so the order stays. */
function hasten(draft: ComposeDraft, input: FragmentInput): void {
  if (input.mode !== 'immediate') return;
  for (const window of draft.windows) if (belongsTo(window, input)) window.immediate = true;
}

function begin(draft: ComposeDraft, input: FragmentInput, options: ComposeOptions): ComposeWindow {
  const { author, addressee, at } = input;
  return {
    author,
    addressee,
    refersTo: input.refersTo ?? null,
    firstAt: at,
    lastAt: at,
    typingAt: null,
    immediate: false,
    closed: false,
    fragments: fragmentsOf(draft, input, options, options.maxFragments),
  };
}

/** The fragment and the ambient lines before it that join it: the newest ones when not all fit. */
export function fragmentsOf(
  draft: ComposeDraft,
  input: FragmentInput,
  options: ComposeOptions,
  room: number,
): Fragment[] {
  const lines = (input.leadIn ?? [])
    .filter((l) => l.author === input.author && l.at <= input.at && input.at - l.at <= options.leadInMs)
    .filter((l) => l.eventId !== input.eventId && !isKnown(draft, l.eventId))
    .map((l) => ({ eventId: l.eventId, at: l.at, chars: l.chars, leadIn: true, edited: null }))
    .toSorted((a, b) => a.at - b.at);
  const fit = Math.max(0, Math.min(options.maxLeadIn, room - 1));
  const own = { eventId: input.eventId, at: input.at, chars: input.chars, leadIn: false, edited: null };
  return [...lines.slice(lines.length - Math.min(fit, lines.length)), own];
}

/** Keeps the order in which things were said. The sort is stable, so equal times keep the order of arrival. */
export function add(window: ComposeWindow, fragments: readonly Fragment[]): void {
  window.fragments = [...window.fragments, ...fragments].toSorted((a, b) => a.at - b.at);
}

export function isKnown(draft: ComposeDraft, eventId: string): boolean {
  return [...draft.windows, ...(draft.turn === null ? [] : [draft.turn])].some((w) =>
    w.fragments.some((f) => f.eventId === eventId),
  );
}

/** Only lead-in lines are left, and those were not addressed to the agent. */
export function isEmpty(window: ComposeWindow): boolean {
  return window.fragments.every((f) => f.leadIn);
}
