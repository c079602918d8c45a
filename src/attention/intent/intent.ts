// Reads the intent of a message from its words, in eight languages. The subtype decides first, then the table of
// rules; `inContext` adds that an agent has just asked. Invariant: pure and total. An intent that silences or
// interrupts is read only when the words are unmistakable.

import type { AuthorKind, ConversationMode, Intent } from '../../protocol/vocabulary.ts';
import { read } from './read.ts';
import { RULES, has, isWhole, asks } from './rules.ts';
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

export function readIntent(input: IntentInput): Intent {
  const structural = input.subtype === undefined ? undefined : BY_SUBTYPE.get(input.subtype);
  if (structural !== undefined) return structural;
  const reading = read(input.folded, input.names ?? NO_NAMES);
  const message = { folded: input.folded, authorKind: input.authorKind, reading };
  for (const rule of RULES) {
    if (rule.when(message)) return rule.intent;
  }
  return 'statement';
}

/** The mode that the words of a mode change ask for. */
export function readMode(folded: string): ConversationMode | undefined {
  const reading = read(folded, NO_NAMES);
  if (has(reading, ROLE.mentionOnly)) return 'mention_only';
  if (has(reading, ROLE.auto)) return 'auto';
  return has(reading, ROLE.follow) ? 'follow' : undefined;
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
const AROUND_REFUSAL = ROLE.no | ROLE.reject | ROLE.thanks | ROLE.filler | ROLE.please | ROLE.closer;

/** The intent of a message from somebody whom the agent has just asked something. */
export function inContext(intent: Intent, folded: string, asked: 'yes_no' | 'open'): Intent {
  if (KEPT_IN_CONTEXT.has(intent)) return intent;
  const reading = read(folded, NO_NAMES);
  if (has(reading, ROLE.no | ROLE.reject)) {
    if (isWhole(reading, AROUND_REFUSAL)) return 'rejection';
    // "no, the other one" rejects a yes-or-no question and says more. To an open question it is the answer.
    if (intent !== 'request' && asked === 'yes_no' && opensWithNo(reading.units)) return 'rejection';
  } else if (has(reading, ROLE.yes | ROLE.approve) && isWhole(reading, AROUND_CONSENT)) return 'approval';
  return intent === 'request' || intent === 'thanks' ? intent : 'answer';
}

function opensWithNo(units: readonly number[]): boolean {
  const first = units[0];
  return first !== undefined && first >= 0 && (first & (ROLE.no | ROLE.reject)) !== 0;
}

const ASKS_FOR = ROLE.ask | ROLE.request | ROLE.please;

/** Whether an agent's message asks its reader for an answer. A closing offer of help does not. */
export function asksSomething(folded: string): boolean {
  const reading = read(folded, NO_NAMES);
  if (has(reading, ROLE.offer)) return has(reading, ROLE.ask);
  return asks(reading) || has(reading, ASKS_FOR);
}
