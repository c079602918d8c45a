// Scores "one turn per thought" on labelled chat, with a virtual clock: the real fold decides every line, the real compose
// fold makes turns of what starts one, and a model that takes `modelMs` answers at the end of its turn. The command line
// is in score.ts (`--thoughts`); docs/scoring.md says what a thought is.
import { SCORER_VERSION, attend, emptyState, rosterFor, startsTurn } from '../src/attention/index.ts';
import {
  type ComposeInput,
  type ComposeOptions,
  type FragmentInput,
  type Rhythm,
  addsWithinMs,
  compose,
  goesOnMs,
  initialCompose,
  noteAnswered,
  noteSaid,
  wakeAt,
} from '../src/compose/index.ts';
import { AGENT_LIMITS } from '../src/agent/limits.ts';
import type { MessageEvent } from '../src/protocol/chat-event.ts';
import {
  type AddresseeRow,
  type LabelledRoom,
  PLAYED,
  eventsOf,
  isFor,
  playersIn,
  roomsOf,
  settingsFor,
} from './labelled-rooms.ts';

/** Lines of one author for one addressee, by their place in the room. */
export type Thought = readonly number[];

/** What one line gives the compose fold. */
export interface Delivered {
  /** The place of the line in its room. */
  line: number;
  author: string;
  at: number;
  chars: number;
  /** Earlier lines of the author that join the turn. */
  leadIn: readonly number[];
  /** How the author usually goes on, by all their lines before: within a window's time, and later. */
  goesOnMs: number | undefined;
  addsWithinMs: number | undefined;
}

export interface Turn {
  lines: readonly number[];
  /** From the last line of the turn to its start. */
  waitedMs: number;
  /** From the last line of the turn to its end. */
  answeredMs: number;
}

/** A turn on its way: when its answer is ready, and when it is given. */
interface Running {
  number: number;
  ids: readonly string[];
  startedAt: number;
  readyAt: number;
  endsAt: number;
}

/** How long the agent SDK holds an answer back at most. */
const { holdMs: HOLD_MS } = AGENT_LIMITS;

/** Model times, in ms. */
export const MODEL_TIMES = [10_000, 30_000] as const;

/**
 * `before`: the exchange rule alone decides, and everybody is waited for alike. `scorer`: the same with the scorer. `rhythm`:
 * window and answer also go by how their author writes.
 */
export const WAYS = ['before', 'scorer', 'rhythm'] as const;
type Way = (typeof WAYS)[number];

export interface ThoughtScore {
  modelMs: number;
  /** What it was measured with. */
  way: Way;
  thoughts: number;
  /** Shares of the thoughts, in percent: exactly one turn, none, several, and one turn with every line. */
  one: number;
  none: number;
  several: number;
  whole: number;
  turns: number;
  /** From the last line of a turn to its start, over the turns of thoughts. */
  wait: Spread;
  /** From the last line of a turn to its answer. */
  answered: Spread;
}

interface Spread {
  median: number;
  p75: number;
  p90: number;
  mean: number;
}

/** Every participant plays the agent once, as in the score for "is this for me?". */
export function scoreThoughts(rows: readonly AddresseeRow[]): ThoughtScore[] {
  const rooms = roomsOf(rows);
  const scores = MODEL_TIMES.map((modelMs) => WAYS.map((way) => ({ modelMs, way, tally: newTally() })));
  for (const room of rooms) {
    for (const me of playersIn(room)) {
      const thoughts = thoughtsIn(room, me);
      const ruled = deliveredTo(room, me, {});
      const scored = deliveredTo(room, me, { scorer: SCORER_VERSION });
      for (const { modelMs, way, tally } of scores.flat()) {
        const delivered = way === 'before' ? ruled : scored;
        count(tally, thoughts, turnsOf(way === 'rhythm' ? delivered : delivered.map(alike), modelMs));
      }
    }
  }
  return scores.flat().map(({ modelMs, way, tally }) => ({ modelMs, way, ...scoreOf(tally) }));
}

/** As if nobody knew how its author writes. */
function alike(delivered: Delivered): Delivered {
  return { ...delivered, goesOnMs: undefined, addsWithinMs: undefined };
}

interface Tally {
  none: number;
  one: number;
  several: number;
  whole: number;
  turns: number;
  waits: number[];
  answers: number[];
}

const newTally = (): Tally => ({ none: 0, one: 0, several: 0, whole: 0, turns: 0, waits: [], answers: [] });

function count(tally: Tally, thoughts: readonly Thought[], turns: readonly Turn[]): void {
  const turnOfLine = new Map(turns.flatMap((turn) => turn.lines.map((line) => [line, turn] as const)));
  tally.turns += turns.length;
  for (const thought of thoughts) {
    const taken = new Set(thought.flatMap((line) => turnOfLine.get(line) ?? []));
    if (taken.size === 0) tally.none++;
    else if (taken.size > 1) tally.several++;
    else {
      tally.one++;
      if (thought.every((line) => turnOfLine.has(line))) tally.whole++;
    }
    for (const { waitedMs, answeredMs } of taken) {
      tally.waits.push(waitedMs);
      tally.answers.push(answeredMs);
    }
  }
}

function scoreOf({
  none,
  one,
  several,
  whole,
  turns,
  waits,
  answers,
}: Tally): Omit<ThoughtScore, 'modelMs' | 'way'> {
  const thoughts = none + one + several;
  const share = (part: number): number => (100 * part) / Math.max(1, thoughts);
  return {
    thoughts,
    one: share(one),
    none: share(none),
    several: share(several),
    whole: share(whole),
    turns,
    wait: spreadOf(waits),
    answered: spreadOf(answers),
  };
}

function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  const mean = Math.round(times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length));
  return { median: at(0.5), p75: at(0.75), p90: at(0.9), mean };
}

/** Lines further apart than this are two thoughts. */
const THOUGHT_GAP_MS = 120_000;

/**
 * By the labels alone: lines of one author to the same addressees, the agent among them, with nothing else of theirs and
 * no line of the agent for them in between.
 */
export function thoughtsIn(room: LabelledRoom, me: string): Thought[] {
  const thoughts: number[][] = [];
  const open = new Map<string, { lines: number[]; to: string; t: number }>();
  for (const [line, row] of room.entries()) {
    if (row.author === me) for (const to of addresseesOf(row)) open.delete(to);
    else if (row.ann === 1) {
      const to = addresseesOf(row).join(' ');
      const before = open.get(row.author);
      if (!isFor(row, me)) open.delete(row.author);
      else if (before?.to === to && (row.t - before.t) * 1_000 <= THOUGHT_GAP_MS) {
        before.lines.push(line);
        before.t = row.t;
      } else {
        const lines = [line];
        thoughts.push(lines);
        open.set(row.author, { lines, to, t: row.t });
      }
    }
  }
  return thoughts;
}

function addresseesOf({ addressee, addressees = [] }: AddresseeRow): string[] {
  return [...new Set([...(addressee === null ? [] : [addressee]), ...addressees])].toSorted();
}

/** The lines that start a turn of the agent, as the fold decides them. */
export function deliveredTo(room: LabelledRoom, me: string, facts: { scorer?: number }): Delivered[] {
  const conversation = { id: 'room', kind: 'channel' as const };
  const roster = rosterFor(settingsFor(me, 'default'), { platform: 'irc', workspaceId: 'w', conversation });
  const rhythms = new Map<string, Rhythm>();
  let state = emptyState();
  return eventsOf(room, me).flatMap((event, line) => {
    const at = Math.max(state.at, Number(event.at));
    const attended = attend(state, { kind: 'event', seq: line + 1, at, event, facts }, roster);
    state = attended.state;
    const rhythm = noteRhythm(rhythms, room[line], event, me);
    const decision = attended.decisions.find(({ agent }) => agent === PLAYED);
    if (decision === undefined || !startsTurn(decision)) return [];
    const author = room[line]?.author ?? '';
    const chars = event.text?.length ?? 0;
    const leadIn = (decision.leadIn ?? []).map((seq) => seq - 1);
    const habit = { goesOnMs: goesOnMs(rhythm), addsWithinMs: addsWithinMs(rhythm) };
    return [{ line, author, at, chars, leadIn, ...habit }];
  });
}

/** As the host does: every line of a person counts, and what the agent answers them, or others tell them, ends a thought. */
function noteRhythm(
  rhythms: Map<string, Rhythm>,
  row: AddresseeRow | undefined,
  { at, mentions = [] }: MessageEvent,
  me: string,
): Rhythm | undefined {
  if (row === undefined) return undefined;
  const told = row.author === me ? addresseesOf(row) : mentions.map(({ id }) => id);
  for (const to of told) {
    const before = rhythms.get(to);
    if (before !== undefined && to !== row.author) rhythms.set(to, noteAnswered(before));
  }
  if (row.author === me) return undefined;
  const rhythm = noteSaid(rhythms.get(row.author), Number(at));
  rhythms.set(row.author, rhythm);
  return rhythm;
}

/**
 * The turns that ended, in order. What comes while a turn runs cancels it and starts it again, and an answer that is ready
 * early waits for authors who usually add something, unless somebody else waits for it, as in the agent SDK.
 */
export function turnsOf(
  delivered: readonly Delivered[],
  modelMs: number,
  options: Partial<ComposeOptions> = {},
): Turn[] {
  const byId = new Map(delivered.map((one) => [`e${one.line}`, one]));
  const turns: Turn[] = [];
  let state = initialCompose();
  let running: Running | undefined;
  const fold = (input: ComposeInput): void => {
    const folded = compose(state, input, options);
    state = folded.state;
    for (const output of folded.outputs) {
      if (output.type !== 'inject' && output.type !== 'cancel_and_restart') continue;
      const readyAt = input.at + modelMs;
      const endsAt = Math.max(readyAt, heldUntil(output.eventIds, byId));
      running = { number: output.turn, ids: output.eventIds, startedAt: input.at, readyAt, endsAt };
    }
    // An answer is held back until somebody else waits for the next turn.
    if (running !== undefined && state.windows.length > 0)
      running.endsAt = Math.min(running.endsAt, Math.max(running.readyAt, input.at));
  };
  const nextAt = (): number | null => (running === undefined ? wakeAt(state, options) : running.endsAt);
  const until = (at: number): void => {
    for (let next = nextAt(); next !== null && next < at; next = nextAt()) {
      const ended = running;
      running = undefined;
      if (ended === undefined) fold({ type: 'tick', at: next });
      else {
        turns.push(turnOf(ended.ids, byId, ended.startedAt, next));
        fold({ type: 'turn_ended', at: next, turn: ended.number });
      }
    }
  };
  for (const one of delivered) {
    until(one.at);
    fold(fragmentOf(one));
  }
  until(Number.POSITIVE_INFINITY);
  return turns;
}

function heldUntil(ids: readonly string[], byId: ReadonlyMap<string, Delivered>): number {
  const last = byId.get(ids.at(-1) ?? '');
  return last === undefined ? 0 : last.at + Math.min(last.addsWithinMs ?? 0, HOLD_MS);
}

function fragmentOf({ line, author, at, chars, goesOnMs: ms }: Delivered): FragmentInput {
  const said = { eventId: `e${line}`, author, at, chars, addressee: 'to_me', mode: 'buffered' } as const;
  return { type: 'fragment', ...said, ...(ms === undefined ? {} : { goesOnMs: ms }) };
}

function turnOf(
  ids: readonly string[],
  byId: ReadonlyMap<string, Delivered>,
  startedAt: number,
  endedAt: number,
): Turn {
  const taken = ids.flatMap((id) => byId.get(id) ?? []);
  const last = Math.max(...taken.map(({ at }) => at));
  return {
    lines: [...new Set(taken.flatMap(({ line, leadIn }) => [...leadIn, line]))],
    waitedMs: startedAt - last,
    answeredMs: endedAt - last,
  };
}
