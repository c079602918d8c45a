// Windows and the turn they become. A window holds the fragments that belong together and says how long they wait.
// Invariant: a window has one author and one addressee, and closes at most `maxWindowMs` after its first fragment. A
// fragment ends an earlier typing sign, because some platforms never say that typing stopped. A typing sign only makes
// the wait longer.
import type {
  ComposeDraft,
  ComposeOutput,
  ComposeTurn,
  ComposeWindow,
  Fragment,
  FragmentInput,
  Injection,
} from './compose.ts';
import type { ComposeOptions } from './options.ts';

/** When the window is injected, if no turn runs then. */
export function closesAt(window: ComposeWindow, options: ComposeOptions): number {
  if (window.immediate || window.closed) return window.firstAt;
  const quiet = window.fragments.some((f) => isNearLimit(f, options))
    ? options.nearLimitQuietMs
    : quietMs(window, options);
  const typing = window.typingAt === null ? 0 : window.typingAt + options.typingMs;
  return Math.min(window.firstAt + options.maxWindowMs, Math.max(window.lastAt + quiet, typing));
}

/** Who usually goes on is waited for, within what the drafts allow: 2 to 5 s. */
function quietMs({ goesOnMs }: ComposeWindow, options: ComposeOptions): number {
  const needed = Math.min(goesOnMs ?? 0, options.quietMs * options.goesOnTimes);
  return Math.max(options.quietMs, needed);
}

function isNearLimit(fragment: Fragment, options: ComposeOptions): boolean {
  const { platformLimitChars, nearLimitShare } = options;
  return platformLimitChars !== null && fragment.chars >= platformLimitChars * nearLimitShare;
}

function belongsTo(window: ComposeWindow, input: FragmentInput): boolean {
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
    if (isNear(open, input, options) && hasRoom(open, input, options)) {
      add(open, fragmentsOf(draft, input, options, options.maxFragments - open.fragments.length));
      open.lastAt = Math.max(open.lastAt, input.at);
      open.typingAt = null;
      open.goesOnMs = input.goesOnMs ?? null;
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

/** Neither arrived nor said too long after the first fragment. */
function isNear(window: ComposeWindow, { at, saidAt = at }: FragmentInput, options: ComposeOptions): boolean {
  const { maxWindowMs } = options;
  return at - window.firstAt <= maxWindowMs && saidAt - window.saidAt <= maxWindowMs;
}

function hasRoom({ fragments }: ComposeWindow, { chars }: FragmentInput, options: ComposeOptions): boolean {
  const joined = fragments.reduce((sum, fragment) => sum + fragment.chars, chars);
  return fragments.length < options.maxFragments && joined <= options.maxChars;
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
    saidAt: input.saidAt ?? at,
    lastAt: at,
    typingAt: null,
    goesOnMs: input.goesOnMs ?? null,
    immediate: false,
    closed: false,
    fragments: fragmentsOf(draft, input, options, options.maxFragments),
  };
}

/** The fragment and the ambient lines before it that join it: the newest ones when not all fit. */
function fragmentsOf(
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
function add(window: ComposeWindow, fragments: readonly Fragment[]): void {
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

// The running turn, one at a time per conversation. While it has sent nothing, it can be cancelled and started again
// with what came meanwhile. Once it has sent something, it never is (spec, Model Retry: a turn that acted is not
// re-run differently). A restart stands only when the host confirms that nothing was sent: `sent` for the old number
// undoes it.

/** If no turn runs, injects the next window that is due: urgent ones first, then by the time of the first fragment. */
export function release(draft: ComposeDraft, at: number, options: ComposeOptions): ComposeOutput[] {
  if (draft.turn !== null || draft.foreign) return [];
  const due = draft.windows
    .filter((w) => closesAt(w, options) <= at)
    .toSorted((a, b) => Number(b.immediate) - Number(a.immediate) || a.firstAt - b.firstAt);
  const next = due[0];
  if (next === undefined) return [];
  draft.windows = draft.windows.filter((w) => w !== next);
  draft.turns += 1;
  const turn = { ...next, number: draft.turns, sent: false, lateRestarts: 0, replaces: null };
  draft.turn = turn;
  return [{ type: 'inject', ...injection(turn) }];
}

/** A fragment that comes while the turn runs: the turn starts again with it, where that is still allowed. */
export function mergeIntoTurn(
  draft: ComposeDraft,
  input: FragmentInput,
  options: ComposeOptions,
): ComposeOutput[] | null {
  const { turn } = draft;
  if (turn === null || !belongsTo(turn, input) || !mayRestart(turn, input.at, options)) return null;
  // The author's earlier words still wait in a window. The fragment joins that window, which keeps the order.
  if (draft.windows.some((w) => belongsTo(w, input))) return null;
  const room = options.maxFragments - turn.fragments.length;
  if (!hasRoom(turn, input, options)) return null;
  const before = eventIds(turn);
  add(turn, fragmentsOf(draft, input, options, room));
  return [restart(draft, turn, before, input.at, options)];
}

export function mayRestart(turn: ComposeTurn, at: number, options: ComposeOptions): boolean {
  if (turn.sent) return false;
  return at - turn.firstAt <= options.maxWindowMs || turn.lateRestarts < options.maxLateRestarts;
}

export function restart(
  draft: ComposeDraft,
  turn: ComposeTurn,
  before: string[],
  at: number,
  options: ComposeOptions,
): ComposeOutput {
  const cancels = turn.number;
  draft.turns += 1;
  turn.number = draft.turns;
  // When the turn has not started yet, the turn before it may still have sent something. So the oldest is remembered.
  turn.replaces ??= { number: cancels, eventIds: before };
  if (at - turn.firstAt > options.maxWindowMs) turn.lateRestarts += 1;
  return { type: 'cancel_and_restart', cancels, ...injection(turn) };
}

/** A turn has sent something. The current turn can then no longer be restarted. */
export function onSent(draft: ComposeDraft, number: number | undefined): ComposeOutput[] {
  const { turn } = draft;
  if (turn === null) return [];
  if (number === undefined || number === turn.number) {
    turn.sent = true;
    return [];
  }
  if (turn.replaces?.number !== number) return [];
  return takeBack(draft, turn, turn.replaces.eventIds);
}

/** The cancelled turn had sent something after all. Its events are answered; later ones become a turn of their own. */
function takeBack(draft: ComposeDraft, turn: ComposeTurn, answered: readonly string[]): ComposeOutput[] {
  const outputs: ComposeOutput[] = [{ type: 'cancel', turn: turn.number, eventIds: eventIds(turn) }];
  const isAnswered = (f: Fragment) => answered.includes(f.eventId);
  const late = turn.fragments.filter((f) => isAnswered(f) && f.edited !== null).map((f) => f.eventId);
  if (late.length > 0) outputs.push({ type: 'late_edit', eventIds: late });
  draft.turn = null;
  const fragments = turn.fragments.filter((f) => !isAnswered(f));
  const first = fragments.find((f) => !f.leadIn);
  if (first !== undefined) draft.windows.unshift(windowOf(turn, fragments, first.at));
  return outputs;
}

function windowOf(turn: ComposeTurn, fragments: Fragment[], firstAt: number): ComposeWindow {
  const { author, addressee, refersTo, saidAt, lastAt, immediate } = turn;
  const rest = { typingAt: null, goesOnMs: null, immediate, closed: true, fragments };
  return { author, addressee, refersTo, firstAt, saidAt, lastAt, ...rest };
}

function injection(turn: ComposeTurn): Injection {
  const { number, author, addressee, refersTo, fragments } = turn;
  return {
    turn: number,
    author,
    addressee,
    eventIds: eventIds(turn),
    leadIn: fragments.filter((f) => f.leadIn).map((f) => f.eventId),
    edited: fragments.flatMap((f) => (f.edited === null ? [] : [{ eventId: f.eventId, text: f.edited }])),
    ...(refersTo === null ? {} : { refersTo }),
  };
}

export function eventIds(window: ComposeWindow): string[] {
  return window.fragments.map((f) => f.eventId);
}
