// The loop guard keeps agents from talking to each other for ever. Per conversation it counts agent messages that
// would start another agent's turn; any admitted human resets the count. At level 1 the model is told that it may
// stay silent. At level 2 the exchange is stopped and escalated once. The guard catches fast, slow and repeating
// loops.
import type { AttentionLimits } from './settings.ts';
import { type AttentionState, type LoopCause, type LoopState, STATE_LIMITS } from './state.ts';
import { hashText, isUnbounded, isWordChar } from './text.ts';

export type LoopLevel = 0 | 1 | 2;

const MINUTE_S = 60;
const DAY_S = 24 * 3_600;

/** What the guard says about an agent's message that would engage another agent. */
export interface LoopReading {
  level: LoopLevel;
  cause: LoopCause | null;
  /** The count with this message included. */
  count: number;
}

export function readLoop(loop: LoopState, turn: LoopTurn, limits: AttentionLimits): LoopReading {
  const count = loop.count + 1;
  const cause = loop.stopped ?? stopCause(loop, turn, count, limits);
  if (cause !== null) return { level: 2, cause, count };
  const minute = since(loop, lastMinute(loop, turn.at)) + 1;
  const advised = count >= limits.loopAdviceTurns || minute >= limits.loopAdviceTurns;
  return { level: advised ? 1 : 0, cause: null, count };
}

export interface LoopTurn {
  at: number;
  /** Stands for the two agents, whichever of them speaks. */
  pair: number;
  /** Signature of the text. 0 when the text is too short to compare. */
  mark: number;
}

function stopCause(
  loop: LoopState,
  turn: LoopTurn,
  count: number,
  limits: AttentionLimits,
): LoopCause | null {
  if (count >= limits.loopStopTurns && !loop.progressed) return 'unproductive';
  if (count >= limits.loopHardTurns) return 'hard_limit';
  if (since(loop, secondOf(turn.at) - DAY_S) + 1 >= limits.loopDayTurns) return 'day_limit';
  if (repeats(loop.marks, turn.mark)) return 'repeating';
  if (since(loop, lastMinute(loop, turn.at), turn.pair) + 1 >= limits.loopPairTurnsPerMinute)
    return 'pair_rate';
  return null;
}

/** Any human ends the minute's count. The day's count goes on until a human addresses an agent. */
function lastMinute(loop: LoopState, at: number): number {
  return Math.max(secondOf(at) - MINUTE_S, secondOf(loop.humanAt));
}

function secondOf(at: number): number {
  return Math.floor(at / 1_000);
}

/** How many turns came after this second. */
function since(loop: LoopState, from: number, pair?: number): number {
  let turns = 0;
  for (const turn of loop.turns) {
    if (turn.at > from && (pair === undefined || turn.pair === pair)) turns++;
  }
  return turns;
}

/** The exchange repeats when this message followed the last one before, or was said twice already. */
function repeats(marks: readonly number[], mark: number): boolean {
  if (mark === 0) return false;
  const before = marks[0];
  let same = 0;
  for (const [index, earlier] of marks.entries()) {
    if (earlier !== mark) continue;
    same++;
    if (before !== mark && marks[index + 1] === before && index > 0) return true;
  }
  return same >= 2;
}

export function countTurn(state: AttentionState, turn: LoopTurn, cause: LoopCause | null): AttentionState {
  const { loop } = state;
  const turns = [{ at: secondOf(turn.at), pair: turn.pair }, ...loop.turns];
  return {
    ...state,
    loop: {
      ...loop,
      count: loop.count + 1,
      turns: turns.slice(0, STATE_LIMITS.loopTurns),
      marks: [turn.mark, ...loop.marks].slice(0, STATE_LIMITS.loopMarks),
      stopped: loop.stopped ?? cause,
    },
  };
}

const NO_TURNS: LoopState['turns'] = [];
const NO_MARKS: LoopState['marks'] = [];

/** A human spoke or reacted, here or in the parent room. Only a human who addresses an agent ends a day's stop. */
export function resetLoop(state: AttentionState, at: number, addressedAgent: boolean): AttentionState {
  const { loop } = state;
  const stopped = loop.stopped === 'day_limit' && !addressedAgent ? loop.stopped : null;
  const turns = addressedAgent ? NO_TURNS : loop.turns;
  return { ...state, loop: { count: 0, progressed: false, humanAt: at, turns, marks: NO_MARKS, stopped } };
}

export function noteProgress(state: AttentionState): AttentionState {
  return state.loop.progressed ? state : { ...state, loop: { ...state.loop, progressed: true } };
}

export function pairOf(a: string, b: string): number {
  // 15 bits keep the stored state small. Two pairs of one room hardly ever share a value.
  return hashText(a < b ? `${a} ${b}` : `${b} ${a}`) & 0x7fff;
}

/**
 * Near-identical texts have the same signature. It uses the letters of the first 12 words, because numbers,
 * punctuation, emoji and mentions differ between rounds of a loop. A text of a word or two has none: "done" twice is
 * no loop.
 */
export function markOf(folded: string): number {
  const words: string[] = [];
  let word = '';
  let dense = 0;
  let tag = false; // inside an @name
  for (let i = 0; i <= folded.length && words.length < 12; i++) {
    const char = folded[i] ?? ' ';
    const unbounded = isUnbounded(char);
    if (tag && unbounded) [tag, word] = [false, ''];
    if (isWordChar(char) && !(char >= '0' && char <= '9')) {
      word += char;
      if (unbounded) dense++;
    } else {
      if (word !== '' && !tag) words.push(word);
      word = '';
      tag = char === '@' || (tag && char > ' ');
    }
  }
  return words.length < 3 && dense < 6 ? 0 : hashText(words.join(' ')) || 1;
}
