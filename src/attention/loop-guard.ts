// The loop guard keeps two agents from going round in circles. It looks at each pair of agents by itself, and at what
// they ask each other: an ask that is answered by an ask, and more so by the same ask, brings them nearer to a stop; an
// answer takes the count back. Different tasks, answered tasks and reports of one side never count. At level 1 the
// model is told that it may stay silent, at level 2 the message wakes nobody. A person who speaks to one of the two
// releases them.
import type { Asking } from './intent/asking.ts';
import type { AttentionLimits } from './settings.ts';
import { type LoopCause, type LoopPair, type LoopState, MINUTE_MS, STATE_LIMITS, minuteOf } from './state.ts';

export type LoopLevel = 0 | 1 | 2;

/** What the guard says about an agent's message to another agent. */
export interface LoopReading {
  level: LoopLevel;
  cause: LoopCause | null;
  /** The count with this message included. */
  count: number;
  /** The other agent spoke last between the two, or this replies to it: the message goes on with their exchange. */
  prompted: boolean;
  /** The other has asked this agent something that is still open, and this goes on with their exchange. */
  met: boolean;
  /** It restates what the other has just asked. */
  echoes: boolean;
}

export interface LoopTurn {
  from: string;
  to: string;
  at: number;
  /** The author of the message that this one replies to. */
  repliesTo: string | undefined;
  /** Its words ask for something. */
  asks: boolean;
  /** It names the other agent as its recipient. That asks too, unless it only goes on with their exchange. */
  named: boolean;
  said: Asking;
  /** No people are there who could release the two. */
  alone: boolean;
}

/** How much a turn adds to the count of its pair. */
const COUNTS = {
  /** An ask in answer to an ask. */
  askedBack: 1,
  /** An answer to what was asked before, or the same asked again after an answer. */
  answeredAgain: 1,
  askedAgain: 2,
  /** The same ask in answer to an ask: an echo, "no, you". */
  echoed: 3,
} as const;

/** A pair as it begins. */
const RELEASED = { last: '', openA: 0, openB: 0, count: 0, passed: 0, stopped: null, about: '' } as const;

export interface Judged extends LoopReading {
  pair: LoopPair;
}

export function judge(loop: LoopState, said: LoopTurn, limits: AttentionLimits): Judged {
  const before = findPair(loop, said.from, said.to) ?? newPair(said);
  const ask = readAsk(before, said);
  if (before.stopped !== null && !isOver(before, said, ask, limits)) {
    const { stopped: cause, count } = before;
    return { level: 2, cause, count, prompted: true, met: false, echoes: false, pair: before };
  }
  const pair: LoopPair = before.stopped === null ? before : { ...before, ...RELEASED };
  const live = pair.last !== '' && said.at - pair.atMin * MINUTE_MS <= limits.exchangeMs;
  const prompted = said.repliesTo === undefined ? live && pair.last === said.to : said.repliesTo === said.to;
  const turn = { ...said, asks: said.asks || (said.named && !prompted), opens: said.asks };
  const met = prompted && openOf(pair, said.to) > 0;
  const again = turn.asks && prompted && (met ? !ask.isNew : asksSame(pair, turn, ask));
  const echoes = prompted && pair.last === said.to && pair.asked.startsWith(ask.code);
  const answered = turn.asks && met && answers(pair, turn, again || ask.standing);
  const place = { prompted, met, again, answered, task: ask.newFigures };
  const counted = {
    count: countOf(pair, live ? pair.count : 0, turn, place),
    passed: turn.asks ? passedOn(loop, turn, ask, prompted, limits) : 0,
  };
  const count = Math.max(counted.count, counted.passed);
  const next = nextPair({ ...pair, ...counted }, turn, ask, place);
  if (turn.asks && count >= limits.loopStopTurns) {
    const cause = again ? 'repeating' : 'unproductive';
    return { level: 2, cause, count, prompted, met, echoes, pair: { ...next, stopped: cause } };
  }
  return {
    level: count >= limits.loopAdviceTurns ? 1 : 0,
    cause: null,
    count,
    prompted,
    met,
    echoes,
    pair: next,
  };
}

/** A new task ends repeating. Where nobody could release the two, a stop ends like any exchange that has been left. */
function isOver(
  { stopped, atMin }: LoopPair,
  { at, alone }: LoopTurn,
  { newFigures }: ReadAsk,
  { exchangeMs }: AttentionLimits,
): boolean {
  if (stopped === 'repeating' && newFigures) return true;
  return alone && stopped !== 'told' && at - atMin * MINUTE_MS > exchangeMs;
}

/** After an answer only the very same ask repeats: a list of tasks may begin anew. */
function asksSame({ asked, last }: LoopPair, { to }: LoopTurn, { code }: ReadAsk): boolean {
  return last === to && asked.startsWith(code);
}

interface Place {
  prompted: boolean;
  /** The other has an open ask, which this turn meets. */
  met: boolean;
  again: boolean;
  /** It asks, and answers what the other had asked. */
  answered: boolean;
  /** It has figures that are new. */
  task: boolean;
}

/** What starts something, and one side that goes on alone, count nothing. */
function countOf(pair: LoopPair, count: number, turn: LoopTurn, place: Place): number {
  const { prompted, met, again, answered, task } = place;
  if (!prompted || pair.last === turn.from) return turn.asks ? Math.max(1, count) : count;
  if (!turn.asks) {
    if (!met) return count;
    return pair.ask === 'again' || !turn.said.says ? count + COUNTS.answeredAgain : 0;
  }
  // All was answered, so a new task begins anew.
  if (!met) return again ? count + COUNTS.askedAgain : task ? 1 : Math.max(1, count);
  if (answered) return 1;
  return count + (again && !asksBack(pair, turn, place) ? COUNTS.echoed : COUNTS.askedBack);
}

/** A question about the task that was just given, such as "which branch?". The task stays open. */
function asksBack({ ask, last }: LoopPair, { to, asks }: LoopTurn, { met, answered }: Place): boolean {
  return asks && met && !answered && ask === 'task' && last === to;
}

/**
 * An ask that also answers the one before: it says something about its words, or anything at all after a new task. What
 * is an order only by its first word may be a report, the first time.
 */
function answers({ ask, about, last }: LoopPair, { to, said }: LoopTurn, again: boolean): boolean {
  if (last !== to || ask === 'again') return false;
  const reports = said.orders && !again;
  if (ask === 'task' || ask === 'back') return said.says || reports;
  // A standing question behind each answer, such as "what is next?".
  if (said.says && again) return true;
  const words = reports ? said.asked : said.told;
  return words.some((word) => holdsCode(about, codeOf(word)));
}

/**
 * An ask that goes round among several is not answered by anybody, and no pair of them need talk back and forth. So it
 * takes along how often it was passed on: 0 for one that begins here.
 */
function passedOn(
  { pairs }: LoopState,
  turn: LoopTurn,
  ask: ReadAsk,
  prompted: boolean,
  { exchangeMs }: AttentionLimits,
): number {
  let passed = 0;
  for (const pair of pairs) {
    const third = pair.a === turn.from ? pair.b : pair.b === turn.from ? pair.a : undefined;
    if (third === undefined || pair.last !== third || openOf(pair, third) === 0) continue;
    if (pair.stopped !== null || turn.at - pair.atMin * MINUTE_MS > exchangeMs) continue;
    const same = pair.asked.startsWith(ask.code);
    const goesOn = third !== turn.to && !prompted && (turn.repliesTo ?? third) === third;
    if (!same && !goesOn) continue;
    passed = Math.max(passed, Math.max(1, pair.passed) + (same ? COUNTS.askedAgain : COUNTS.askedBack));
  }
  return passed;
}

interface ReadAsk {
  /** Stands for what is asked. The order of the words does not matter. */
  code: string;
  /** The same without the sentences around it. */
  bare: string;
  /** Stands for the numbers, ids, names and links in it. '' when it has none. */
  figures: string;
  /** The two have not asked each other this before, as far as the pair remembers. */
  isNew: boolean;
  /** The question itself was asked before, maybe about something else: "what is next?" */
  standing: boolean;
  newFigures: boolean;
  /** Words by which an answer is recognised, figures first. */
  about: string;
}

function readAsk(pair: LoopPair, { said }: LoopTurn): ReadAsk {
  const words = said.asked.length > 0 ? said.matter : said.told;
  const code = codeOf(mixed(words));
  const bare = codeOf(mixed(said.asked));
  const figures = said.figures.length === 0 ? '' : codeOf(mixed(said.figures));
  const about = [...new Set([...said.figures, ...words])].slice(0, STATE_LIMITS.loopWords);
  return {
    code,
    figures,
    bare,
    isNew: !holdsCode(pair.asked, code),
    standing: holdsCode(pair.asked, bare),
    newFigures: figures !== '' && !holdsCode(pair.figures, figures),
    about: about.map(codeOf).join(''),
  };
}

function nextPair(pair: LoopPair, turn: LoopTurn & { opens: boolean }, ask: ReadAsk, place: Place): LoopPair {
  const { from, to } = turn;
  const back = asksBack(pair, turn, place);
  let next: LoopPair = { ...pair, last: from, atMin: minuteOf(turn.at) };
  if (place.met && !back) next = withOpen(next, to, openOf(next, to) - 1);
  if (!turn.asks) return next;
  // Being named asks without words: there is nothing that an answer could be about. The same asked again is one ask.
  const already = place.again ? openOf(next, from) : 0;
  if (turn.opens && already === 0)
    next = withOpen(next, from, Math.min(STATE_LIMITS.loopOpen, openOf(next, from) + 1));
  return {
    ...next,
    ask: back ? 'back' : place.again ? 'again' : place.task && !place.answered ? 'task' : 'new',
    asked: withCode(withCode(pair.asked, ask.bare, STATE_LIMITS.loopAsks), ask.code, STATE_LIMITS.loopAsks),
    figures:
      ask.figures === '' ? pair.figures : withCode(pair.figures, ask.figures, STATE_LIMITS.loopFigures),
    about: ask.about,
  };
}

function openOf(pair: LoopPair, agent: string): number {
  return agent === pair.a ? pair.openA : pair.openB;
}

function withOpen(pair: LoopPair, agent: string, open: number): LoopPair {
  return agent === pair.a ? { ...pair, openA: open } : { ...pair, openB: open };
}

function newPair({ from: a, to: b }: LoopTurn): LoopPair {
  return { a, b, atMin: 0, ask: 'new', asked: '', figures: '', ...RELEASED };
}

export function findPair({ pairs }: LoopState, one: string, other: string): LoopPair | undefined {
  return pairs.find(({ a, b }) => (a === one && b === other) || (a === other && b === one));
}

/** Puts the pair in front. At the limit the pair that is least likely a loop is forgotten. */
export function keepPair(loop: LoopState, pair: LoopPair): LoopState {
  const others = loop.pairs.filter(({ a, b }) => a !== pair.a || b !== pair.b);
  if (others.length < STATE_LIMITS.loopPairs) return { ...loop, pairs: [pair, ...others] };
  const quiet = others.findLastIndex(({ stopped, count }) => stopped === null && count <= 1);
  const running = others.findLastIndex(({ stopped }) => stopped === null);
  const dropped = quiet >= 0 ? quiet : running >= 0 ? running : others.length - 1;
  return { ...loop, pairs: [pair, ...others.toSpliced(dropped, 1)] };
}

/** A person spoke to these agents: their exchanges with other agents begin anew. What they have asked is not forgotten. */
export function releasePairs(loop: LoopState, agents: ReadonlySet<string>): LoopState {
  return withPairsOf(loop, agents, RELEASED);
}

/** A person told these agents to stop. */
export function stopPairs(loop: LoopState, agents: ReadonlySet<string>): LoopState {
  return withPairsOf(loop, agents, { stopped: 'told' });
}

/** The agent resolved something, so its exchanges came to a result. A stop stays. */
export function settlePairs(loop: LoopState, agent: string): LoopState {
  return withPairsOf(loop, new Set([agent]), { count: 0, passed: 0, openA: 0, openB: 0 });
}

function withPairsOf(loop: LoopState, agents: ReadonlySet<string>, change: Partial<LoopPair>): LoopState {
  if (!loop.pairs.some(({ a, b }) => agents.has(a) || agents.has(b))) return loop;
  const pairs = loop.pairs.map((pair) =>
    agents.has(pair.a) || agents.has(pair.b) ? { ...pair, ...change } : pair,
  );
  return { ...loop, pairs };
}

// Codes. What was asked is kept as codes of three characters, 18 bits each: two different asks of a pair share one
// once in 20,000 pairs. The order of the words does not matter.

export const CODE_CHARS = 3;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function codeOf(hash: number): string {
  const bits = (hash ^ (hash >>> 14)) >>> 0;
  return `${DIGITS[bits & 63]}${DIGITS[(bits >>> 6) & 63]}${DIGITS[(bits >>> 12) & 63]}`;
}

function mixed(words: readonly number[]): number {
  let sum = words.length;
  for (const word of words) sum = (sum + Math.imul(word ^ (word >>> 15), 0x2c1b3c6d)) >>> 0;
  return sum;
}

/** Puts the code in front. */
function withCode(codes: string, code: string, limit: number): string {
  let rest = '';
  for (let at = 0; at < codes.length; at += CODE_CHARS) {
    if (!codes.startsWith(code, at)) rest += codes.slice(at, at + CODE_CHARS);
  }
  return (code + rest).slice(0, limit * CODE_CHARS);
}

function holdsCode(codes: string, code: string): boolean {
  for (let at = 0; at < codes.length; at += CODE_CHARS) if (codes.startsWith(code, at)) return true;
  return false;
}
