// Finds what people ask of the agent itself: leave, stop, be quiet, come back, follow along. A request is a clause, not
// the message: politeness, reasons and thanks around it change nothing. Every word of the clause must be known, so an
// object of its own ("stop the deploy"), a negation, a report or a condition is none. request-table.ts says which words
// together are a request; request-clauses.ts cuts the message into clauses.
// Invariant: pure, and cheap for the many messages that hold no word of a request.

import type { ConversationMode } from '../../protocol/vocabulary.ts';
import { type Clause, type Item, clausesOf, isBenign, isReason } from './request-clauses.ts';
import {
  type DialMove,
  MEANING,
  MODE_OF,
  MORE_REQUESTS,
  REQUESTS,
  type RequestKind,
  type RequestRow,
} from './request-table.ts';
import { LANGUAGE_ORDER, type RequestLanguage } from './request-words.ts';
import { BREAK, type TextTokens } from './tokenize.ts';
import { JOB, PART } from './words/requests/shape.ts';

export type { DialMove } from './request-table.ts';

export interface AgentRequest {
  what: 'leave' | 'stop' | 'mode';
  mode: ConversationMode;
  /** It asks for a notch of the dial. `mode` is what comes closest where the dial counts nothing. */
  dial: DialMove | undefined;
  /** It can be meant for nobody but an agent that talks here: "stop replying", not "stop". */
  clear: boolean;
  language: RequestLanguage;
}

export interface FoundRequest {
  request: AgentRequest;
  /** The words beside the request that may ask for something else. Undefined: there are none. */
  rest: TextTokens | undefined;
}

/** `tokens` hold words of a request (`holdsRequest`). */
export function findRequest(tokens: TextTokens): FoundRequest | undefined {
  const { clauses, languages } = clausesOf(tokens);
  let best: Run | undefined;
  for (const sentence of sentencesOf(clauses)) {
    const run = runIn(sentence, clauses, tokens);
    if (run !== undefined && (best === undefined || rank(run) < rank(best))) best = run;
  }
  if (best === undefined) return undefined;
  const { kind, clear } = best;
  const language = LANGUAGE_ORDER[languages.indexOf(Math.max(...languages))] ?? 'en';
  const what = kind === 'leave' || kind === 'stop' ? kind : 'mode';
  const dial = kind === 'quieter' || kind === 'keener' ? kind : undefined;
  return { request: { what, mode: MODE_OF[kind], dial, clear, language }, rest: restOf(clauses, tokens) };
}

/** Clauses of one sentence that are a request together. */
interface Run {
  row: RequestRow;
  kind: RequestKind;
  clear: boolean;
}

const RANK: Record<RequestKind, number> = {
  leave: 0,
  mention_only: 1,
  stop: 2,
  quieter: 3,
  keener: 4,
  auto: 5,
  follow: 6,
};
const rank = ({ kind, clear }: Run): number => RANK[kind] + (clear ? 0 : 10);

function sentencesOf(clauses: readonly Clause[]): Clause[][] {
  const sentences: Clause[][] = [];
  for (const clause of clauses) {
    const open = sentences.at(-1);
    if (open === undefined || clause.before === BREAK.sentence) sentences.push([clause]);
    else open.push(clause);
  }
  return sentences;
}

/** The longest run of neighbouring clauses that is a request, and is meant as one. */
function runIn(sentence: readonly Clause[], all: readonly Clause[], tokens: TextTokens): Run | undefined {
  const end = sentence.at(-1)?.end ?? 0;
  const asked = tokens.questions.includes(end) || sentence.some(({ jobs }) => (jobs & JOB.question) !== 0);
  for (let size = sentence.length; size > 0; size--) {
    for (let from = 0; from + size <= sentence.length; from++) {
      const clauses = sentence.slice(from, from + size);
      const read = meaningOf(clauses, asked);
      if (read === undefined) continue;
      const others = sentence.filter((clause) => !clauses.includes(clause));
      if (!isMeant(read, clauses, sentence.slice(0, from), others, tokens)) continue;
      if (
        read.row.whole === true &&
        !all.every((clause) => clauses.includes(clause) || accompanies(clause))
      ) {
        continue;
      }
      for (const clause of clauses) clause.taken = true;
      return read;
    }
  }
  return undefined;
}

interface Read extends Run {
  parts: number;
  weak: boolean;
}

const FRAMES =
  PART.asks |
  PART.may |
  PART.please |
  PART.noNeed |
  PART.halt |
  PART.cease |
  PART.start |
  PART.only |
  PART.less |
  PART.not;
const ALLOWS_NOW = PART.may | PART.not | PART.noNeed | PART.asks;

function meaningOf(clauses: readonly Clause[], asked: boolean): Read | undefined {
  // Most clauses are none, and that is soon seen.
  for (const { items } of clauses) for (const item of items) if (!goesInto(item)) return undefined;
  const items = clauses.flatMap((clause) => clause.items);
  let parts = 0;
  let jobs = 0;
  let languages = -1;
  for (const item of items) {
    parts |= item.parts;
    jobs |= item.jobs;
    if ((item.parts & ~PART.please) !== 0) languages &= item.languages;
  }
  if (languages === 0) return undefined; // "no comment" is no Spanish negation of an English verb
  if ((parts & PART.framed) !== 0 && !isFramed(items)) return undefined;
  if ((parts & PART.now) !== 0 && (parts & ALLOWS_NOW) === 0) return undefined;
  const row = rowFor(setOf(parts), parts, jobs);
  if (row === undefined) return undefined;
  if (row.needs !== undefined && (parts & row.needs) === 0) return undefined;
  const weakly = (jobs & JOB.weak) !== 0 && (jobs & JOB.oftener) === 0;
  if (row.weakNeeds !== undefined && weakly && (parts & row.weakNeeds) === 0) return undefined;
  if (row.without !== undefined && (parts & row.without) !== 0) return undefined;
  if (asked && (row.statement === true || !asksNicely(parts, jobs))) return undefined;
  const clear = (jobs & JOB.clear) !== 0 || row.clear === true || (parts & (row.clear ?? 0)) !== 0;
  const weak = (jobs & JOB.weak) !== 0;
  const kind = weak ? (row.weakKind ?? row.kind) : row.kind;
  return { row, kind, clear, weak: weak || kind === 'auto', parts };
}

/** "more often" is about talking in general; "more" only beside a place. "no more often" is neither. */
function rowFor(set: number, parts: number, jobs: number): RequestRow | undefined {
  const general = (jobs & JOB.oftener) !== 0;
  const here = (jobs & JOB.moreOf) !== 0 && (parts & PART.place) !== 0;
  const more = general || here ? MORE_REQUESTS.get(set) : undefined;
  if (more !== undefined) return more;
  return general && (parts & PART.less) === 0 ? undefined : REQUESTS.get(set);
}

const GOES_ALONG = JOB.oftener | JOB.moreOf | JOB.around | JOB.tag | JOB.question | JOB.splits | JOB.clear;

/** An item that may stand in a request. */
function goesInto({ listed, parts, jobs }: Item): boolean {
  if (!listed || (jobs & (JOB.never | JOB.ends | JOB.because)) !== 0) return false;
  return parts !== 0 || (jobs & GOES_ALONG) !== 0;
}

/** Each form that needs a frame has one beside it. */
function isFramed(items: readonly Item[]): boolean {
  return items.every(
    (item) =>
      (item.parts & PART.framed) === 0 ||
      items.some((other) => other !== item && (other.parts & FRAMES) !== 0),
  );
}

/** The parts by which the table is asked. "only" means something before a mention alone. */
function setOf(parts: number): number {
  let set = parts & MEANING;
  if ((parts & PART.speak) !== 0) set |= PART.talk;
  // A verb that also stands alone needs nothing to go along.
  if ((set & PART.go) !== 0) set &= ~PART.exit;
  if ((set & PART.back) !== 0) set &= ~PART.backTo;
  if ((set & PART.halt) !== 0) set &= ~PART.cease;
  // "be quieter unless tagged" says when: that is a mode.
  if ((set & PART.mention) !== 0) set &= ~PART.less;
  return (set & PART.mention) === 0 ? set & ~PART.only : set;
}

/** "can you leave?" and "leave, ok?" are requests. "leave?" is a question. */
function asksNicely(parts: number, jobs: number): boolean {
  return (parts & (PART.asks | PART.please)) !== 0 || (jobs & JOB.tag) !== 0;
}

/** Nothing in its sentence makes it a condition, a quotation, or something else's verb. */
function isMeant(
  { row, clear, weak, parts }: Read,
  clauses: readonly Clause[],
  earlier: readonly Clause[],
  others: readonly Clause[],
  { quotes }: TextTokens,
): boolean {
  if (others.some(({ jobs }) => (jobs & JOB.if) !== 0)) return false;
  if (earlier.some(({ jobs }) => (jobs & JOB.said) !== 0)) return false;
  const before = earlier.at(-1);
  if (clauses[0]?.before === BREAK.colon && before !== undefined && !isBenign(before)) return false;
  if (isQuoted(clauses, quotes)) return false;
  if ((clear && row.kind !== 'auto') || others.every(accompanies)) return true;
  // A "stop" may be about anything that was spoken of. A polite "leave" without an object is about this place.
  if (row.bare === true) return false;
  return !weak || (parts & (PART.asks | PART.please | PART.may)) !== 0;
}

/** The clause says nothing of its own, or why the agent should go, be silent or come back. */
function accompanies(clause: Clause): boolean {
  return isBenign(clause) || (clause.jobs & JOB.context) !== 0;
}

function isQuoted(clauses: readonly Clause[], quotes: readonly number[]): boolean {
  const first = quotes[0];
  const last = quotes.at(-1);
  if (first === undefined || last === undefined) return false;
  if (first === last) return clauses.some(({ start, end }) => start <= first && first <= end);
  return clauses.some(({ start, end }) => start < last && end > first);
}

/** The words of the other clauses, without politeness and reasons. */
function restOf(clauses: readonly Clause[], tokens: TextTokens): TextTokens | undefined {
  const kept = clauses.filter((clause) => !clause.taken && !isBenign(clause) && !isReason(clause));
  if (kept.length === 0) return undefined;
  const rest: TextTokens = {
    words: [],
    breaks: [],
    endBreak: BREAK.sentence,
    asked: false,
    questions: [],
    quotes: [],
  };
  for (const { start, end } of kept) {
    for (let i = start; i < end; i++) {
      rest.words.push(tokens.words[i] ?? '');
      rest.breaks.push(tokens.breaks[i] ?? 0);
    }
    if (tokens.questions.includes(end)) rest.asked = true;
  }
  return rest;
}
