// Reads the intent of a message from its words, in eight languages. The subtype decides first, then the table of
// rules; `inContext` adds that an agent has just asked. Invariant: pure and total. An intent that silences or
// interrupts is read only when the words are unmistakable. read.ts finds the words.
import type { AuthorKind, Intent } from '../../protocol/vocabulary.ts';
import { LANGUAGES, entries } from './compile.ts';
import { withoutPatience } from './patience.ts';
import {
  type TextReading,
  UNLISTED,
  bitsOf,
  holdsRequest,
  read,
  readTokens,
  spelled,
  withoutNames,
} from './read.ts';
import { type AgentRequest, findRequest } from './request.ts';

export type { AgentRequest } from './request.ts';
import { BREAK, type TextTokens, tokenize } from './tokenize.ts';
import { ROLE } from './words/shape.ts';

export interface IntentInput {
  /** Raw, as written. */
  text: string;
  /** foldText(text) */
  folded: string;
  authorKind: AuthorKind;
  subtype?: string | undefined;
  /** The agent's folded name and aliases. Rules about the whole message ignore them. */
  names?: readonly string[];
}

const BY_SUBTYPE: ReadonlyMap<string, Intent> = new Map([
  ['log', 'status'],
  ['progress', 'status'],
  ['status', 'status'],
  ['join', 'status'],
  ['leave', 'status'],
  ['assigned', 'request'],
  ['review_requested', 'request'],
]);

const NO_NAMES: readonly string[] = [];

export interface ReadText {
  intent: Intent;
  /** What it asks of the agent itself. With another intent than leave, stop or mode_change it asks for more besides. */
  asks: AgentRequest | undefined;
}

export function readIntent(input: IntentInput): Intent {
  return readText(input).intent;
}

export function readText(input: IntentInput): ReadText {
  const structural = input.subtype === undefined ? undefined : BY_SUBTYPE.get(input.subtype);
  if (structural !== undefined) return { intent: structural, asks: undefined };
  const { folded, authorKind } = input;
  const tokens = withoutNames(tokenize(folded), input.names ?? NO_NAMES);
  const reading = readTokens(tokens);
  const meant = spelled(tokens);
  const found = holdsRequest(meant) && !has(reading, ROLE.safety) ? findRequest(meant) : undefined;
  if (found !== undefined) {
    const { request, rest } = found;
    const other = rest === undefined ? undefined : asksElse(rest, authorKind);
    if (other === undefined)
      return { intent: request.what === 'mode' ? 'mode_change' : request.what, asks: request };
    // "stop, and check the logs": without an object of its own the request is only the way to the other one.
    if (request.clear) return { intent: other, asks: request };
  }
  return { intent: byRules({ folded, authorKind, reading }), asks: undefined };
}

/** Intents that need somebody to do something. */
const ASKING: ReadonlySet<Intent> = new Set(['question', 'request', 'urgent', 'blocker', 'safety', 'cancel']);

/** What the words beside a request ask for, if they ask for anything. */
function asksElse(rest: TextTokens, authorKind: AuthorKind): Intent | undefined {
  const intent = byRules({ folded: '', authorKind, reading: readTokens(rest) });
  return ASKING.has(intent) ? intent : undefined;
}

function byRules(message: Message): Intent {
  for (const rule of RULES) {
    if (rule.when(message)) return rule.intent;
  }
  return 'statement';
}

/** Intents that mean the same whether or not the agent has asked something. */
const KEPT_IN_CONTEXT: ReadonlySet<Intent> = new Set([
  'question',
  'cancel',
  'urgent',
  'safety',
  'blocker',
  'stop',
  'leave',
  'mode_change',
  'approval',
  'rejection',
]);
const AROUND_CONSENT =
  ROLE.yes | ROLE.approve | ROLE.ack | ROLE.praise | ROLE.thanks | ROLE.filler | ROLE.please | ROLE.closer;
const THANKS_ALONE = ROLE.thanks | ROLE.filler | ROLE.please | ROLE.closer | ROLE.glue | ROLE.joiner;
const AROUND_REFUSAL = ROLE.no | ROLE.reject | ROLE.thanks | ROLE.filler | ROLE.please | ROLE.closer;

/**
 * The intent of a message from somebody whom the agent has just asked something. Thanks are an answer too: a person who
 * thanks instead of answering leaves it to the agent to understand. Between agents bare thanks end the exchange.
 */
export function inContext(
  intent: Intent,
  folded: string,
  asked: 'yes_no' | 'open',
  authorKind: AuthorKind,
): Intent {
  if (KEPT_IN_CONTEXT.has(intent)) return intent;
  const reading = read(folded);
  if (has(reading, ROLE.no | ROLE.reject)) {
    if (isWhole(reading, AROUND_REFUSAL)) return 'rejection';
    // "no, the other one" rejects a yes-or-no question and says more. To an open question it is the answer.
    if (intent !== 'request' && asked === 'yes_no' && opensWithNo(reading.units)) return 'rejection';
  } else if (has(reading, ROLE.yes | ROLE.approve) && isWhole(reading, AROUND_CONSENT)) return 'approval';
  if (intent === 'request') return intent;
  const bare = intent === 'thanks' && isWhole(reading, THANKS_ALONE);
  return bare && authorKind !== 'human' ? intent : 'answer';
}

/**
 * "bye all", "that's it for today, see you": nobody has anything to do about it. To the agent that somebody has talked with
 * last it says no more than an ack does. As a kind of message it stays what it is, because people also part from people.
 */
export function takesLeave(folded: string): boolean {
  const reading = read(folded);
  return has(reading, ROLE.closer) && !reading.asked && isSocial(reading);
}

/** How people laugh in writing, by sounds that are doubled or by a word for it. */
const LAUGH =
  /^(?:[abm]?w?(?:[hj][aeiou]+|a+h+){2,}h?|(?:hue){2,}|(?:rs){2,}|k{3,}|w{2,}|lo+l|lmf?ao+|rofl|mdr+|ptdr|xd+|[ㅋㅎ\u110f\u1112]{2,}|[哈呵嘿嘻]{2,}|笑|爆笑|草)$/u;
const LAUGHING_EMOJI = /^(?:[😀😃😄😁😆😅😂🤣😹😸]\ufe0f?)+$/u;
const BETWEEN = /[\s.,!~…、。()]+/u;
/** A longer text says something. */
const MAX_LAUGH_CHARS = 40;

/** "haha", "jajaja", "ㅋㅋㅋ", 😂: nothing else is said, and nothing can be answered. */
export function onlyLaughs(folded: string): boolean {
  if (folded.length > MAX_LAUGH_CHARS) return false;
  const words = folded.split(BETWEEN).filter((word) => word !== '');
  return words.length > 0 && words.every((word) => LAUGH.test(word) || LAUGHING_EMOJI.test(word));
}

function opensWithNo(units: readonly number[]): boolean {
  const first = units[0];
  return first !== undefined && first >= 0 && (first & (ROLE.no | ROLE.reject)) !== 0;
}

const ASKS_FOR = ROLE.ask | ROLE.request | ROLE.please;

/** Whether an agent's message asks its reader for an answer. A closing offer of help does not, nor "one moment, please". */
export function asksSomething(folded: string): boolean {
  const reading = readTokens(withoutPatience(tokenize(folded)));
  if (has(reading, ROLE.offer)) return has(reading, ROLE.ask);
  return asks(reading) || has(reading, ASKS_FOR);
}

// The rules. The first match wins. An intent that silences or interrupts needs the whole message or an unmistakable
// marker: a question mark, a request or one unlisted word is enough to rule out thanks, ack, leave, stop and cancel.

interface Message {
  folded: string;
  authorKind: AuthorKind;
  reading: TextReading;
}

/** A message that only says thanks, or only "leave", is never longer than this (in tokens; in CJK, characters). */
const MAX_SOCIAL_SIZE = 40;
const MAX_STATUS_SIZE = 60;

const SOCIAL =
  ROLE.thanks |
  ROLE.ack |
  ROLE.praise |
  ROLE.yes |
  ROLE.filler |
  ROLE.glue |
  ROLE.joiner |
  ROLE.closer |
  ROLE.solved;
const AROUND_COMMAND = ROLE.filler | ROLE.please | ROLE.thanks | ROLE.ack | ROLE.yes | ROLE.no | ROLE.closer;
const DECISION = ROLE.approve | ROLE.reject;

const RULES: readonly { intent: Intent; when: (message: Message) => boolean }[] = [
  { intent: 'safety', when: ({ reading }) => has(reading, ROLE.safety) },
  { intent: 'cancel', when: ({ reading }) => commands(reading, ROLE.cancel, ROLE.solved) },
  { intent: 'urgent', when: ({ reading }) => has(reading, ROLE.urgent) },
  { intent: 'blocker', when: ({ reading }) => has(reading, ROLE.blocker) },
  { intent: 'rejection', when: ({ reading }) => decides(reading, ROLE.reject) },
  { intent: 'approval', when: ({ reading }) => decides(reading, ROLE.approve) },
  {
    intent: 'thanks',
    when: ({ reading }) => isSocial(reading) && has(reading, ROLE.thanks) && !pleadsFor(reading),
  },
  {
    intent: 'ack',
    when: ({ reading }) =>
      isSocial(reading) && has(reading, CONSENT) && !pleadsFor(reading) && !onlyPleads(reading),
  },
  { intent: 'status', when: ({ folded }) => isBotLine(folded) },
  {
    intent: 'question',
    when: ({ reading }) => has(reading, ROLE.ask) || (reading.asked && opensAsking(reading)),
  },
  { intent: 'request', when: ({ reading }) => has(reading, ROLE.request) },
  { intent: 'question', when: ({ reading }) => asks(reading) },
  { intent: 'request', when: ({ reading }) => has(reading, ROLE.please) || orders(reading) },
  { intent: 'status', when: reports },
  { intent: 'status', when: ({ authorKind }) => authorKind === 'system' },
];

function has(reading: TextReading, roles: number): boolean {
  return (reading.any & roles) !== 0;
}

/** A question by its mark, its opening or its ending. */
function asks(reading: TextReading): boolean {
  return reading.asked || (reading.placed & (ROLE.askOpening | ROLE.askFinal | ROLE.askTag)) !== 0;
}

/** "how long is it and can you eat there?" is still a question. */
function opensAsking(reading: TextReading): boolean {
  return (reading.lead & ROLE.askOpening) !== 0;
}

function orders(reading: TextReading): boolean {
  return (reading.placed & (ROLE.imperative | ROLE.nounVerb)) !== 0;
}

/** Leave, stop, cancel, modes: the message has the command, politeness and nothing else, no object and no pronoun. */
function commands(reading: TextReading, core: number, also = 0): boolean {
  if (!has(reading, core)) return false;
  // "can you leave?" is a polite request. "stop?" is a question.
  if (reading.asked && !has(reading, ROLE.request)) return false;
  return isWhole(reading, core | also | AROUND_COMMAND);
}

/** "lgtm, ship it": a clear decision, nothing else, and not its opposite as well. */
function decides(reading: TextReading, core: number): boolean {
  if (!has(reading, core) || has(reading, DECISION & ~core) || reading.asked) return false;
  const opposite = core === ROLE.approve ? 0 : ROLE.no;
  return isWhole(reading, core | SOCIAL | opposite);
}

function isSocial(reading: TextReading): boolean {
  if (asks(reading) || orders(reading) || has(reading, ROLE.ask | ROLE.request | ROLE.contrast)) return false;
  return isWhole(reading, SOCIAL);
}

const CONSENT = ROLE.ack | ROLE.praise | ROLE.yes;

/** "please correct that", 请确认: right after "please" a word of consent says what to do. */
function pleadsFor({ units, breaks }: TextReading): boolean {
  for (let i = 1; i < units.length; i++) {
    const [before, unit] = [bitsOf(units[i - 1] ?? 0), bitsOf(units[i] ?? 0)];
    const consents = (unit & CONSENT) !== 0 && (unit & ROLE.please) === 0;
    if (consents && (before & ROLE.please) !== 0 && (before & CONSENT) === 0 && breaks[i] === BREAK.none)
      return true;
  }
  return false;
}

/** "お願いします" consents to somebody who has asked (`inContext`). To anybody else it asks. */
function onlyPleads({ units }: TextReading): boolean {
  const consent = units.filter((unit) => (bitsOf(unit) & CONSENT) !== 0);
  return consent.length > 0 && consent.every((unit) => (bitsOf(unit) & ROLE.please) !== 0);
}

/** Every unit has one of the roles, or is a thanked thing after its joiner. */
function isWhole(reading: TextReading, roles: number): boolean {
  const { units, breaks, size } = reading;
  if (size > MAX_SOCIAL_SIZE || units.length === 0) return false;
  let before = 0;
  for (let i = 0; i < units.length; i++) {
    const unit = units[i] ?? UNLISTED;
    if (unit === UNLISTED) return false;
    if ((unit & roles) === 0) {
      const thanked = (unit & ROLE.thanked) !== 0 && (roles & ROLE.joiner) !== 0;
      if (!thanked || (before & (ROLE.joiner | ROLE.thanked)) === 0 || breaks[i] !== BREAK.none) return false;
    }
    before = unit;
  }
  return true;
}

/** A report by its words. The rules for questions and requests come first, so it is neither. */
function reports({ folded, reading }: Message): boolean {
  if (has(reading, ROLE.contrast) || reading.size > MAX_STATUS_SIZE) return false;
  if (has(reading, ROLE.status) || (reading.placed & ROLE.label) !== 0) return true;
  return has(reading, ROLE.label) && startsWithTag(folded);
}

// Lines that only programs write: a tag or label in front and a link at the end, as CI, trackers and feeds post them.
// The form alone counts, in any language, before the title can be read as a question or a request. It needs both marks:
// a person who pastes a link with a sentence has at most one.

const MAX_TAG_CHARS = 40;
const MAX_DECORATION_CHARS = 4;

function isBotLine(folded: string): boolean {
  if (!folded.includes('://')) return false;
  const line = folded.trim();
  if (line.includes('\n')) return false;
  return endsWithReference(line) && (startsWithTag(line) || line.includes('] (') || startsWithLabel(line));
}

/** "… - https://host/42", "… - https://host/42 (somebody)". */
function endsWithReference(line: string): boolean {
  const link = line.lastIndexOf('://');
  const dash = line.lastIndexOf(' - ', link);
  // The scheme is one word right after the dash. IRC colour codes may be attached to it.
  return dash >= 0 && link - dash <= ' - '.length + MAX_DECORATION_CHARS + 'https'.length;
}

/** "[build] …", "(fixed) …", after at most a few signs or digits. */
function startsWithTag(line: string): boolean {
  for (let i = 0; i <= MAX_DECORATION_CHARS && i < line.length; i++) {
    const char = line.charAt(i);
    if (char === '[' || char === '(') {
      const close = line.indexOf(char === '[' ? ']' : ')', i);
      return close > i + 1 && close - i <= MAX_TAG_CHARS;
    }
    if (char === ' ') return false;
  }
  return false;
}

/** "change merged: …": a colon within the first few words. */
function startsWithLabel(line: string): boolean {
  const colon = line.indexOf(': ');
  return colon > 0 && colon <= MAX_TAG_CHARS;
}

const STATUS_WORDS: readonly string[] = Object.values(LANGUAGES).flatMap(({ asksStatus = '' }) =>
  entries(asksStatus),
);

const LETTER = /[\p{Script=Latin}\p{N}]/u;

/**
 * Whether the text has a word that asks how far things are. Reports use the same words, so the caller must know already
 * that the message asks something. A word counts anywhere in the text. In scripts with spaces it must be a whole word.
 */
export function holdsStatusWord(folded: string): boolean {
  return STATUS_WORDS.some((words) => holds(folded, words));
}

function holds(folded: string, words: string): boolean {
  const spaced = LETTER.test(words);
  for (let at = folded.indexOf(words); at >= 0; at = folded.indexOf(words, at + 1)) {
    if (!spaced || (!isLetter(folded[at - 1]) && !isLetter(folded[at + words.length]))) return true;
  }
  return false;
}

function isLetter(char: string | undefined): boolean {
  return char !== undefined && LETTER.test(char);
}
