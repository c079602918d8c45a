// Scores the intent reader on utterances with human labels, without context, with one vote per distinct text. `n`, how
// often a text occurred, is no weight: in one source it counts real repetition ("thank you so much!" 60 times), in
// another overlapping excerpts of one dialogue. The command line is in score.ts.

import { readIntent } from '../src/attention/intent/intent.ts';
import { foldText } from '../src/attention/text.ts';
import type { Intent } from '../src/protocol/vocabulary.ts';

export interface IntentRow {
  text: string;
  gold: string;
  source: string;
  n: number;
}

export interface ClassScore {
  precision: number;
  recall: number;
  f1: number;
  support: number;
}

export interface IntentScore {
  kind: 'intent';
  rows: number;
  perClass: Record<string, ClassScore>;
  macroF1: number;
  /** Share of questions and requests read as something that silences, in percent. The hard gate: at most 0.2. */
  silencedPct: number;
  silenced: number;
  questionsAndRequests: number;
}

export const GOLD_CLASSES = ['thanks', 'ack', 'question', 'request', 'status', 'other'] as const;

/** Maps our sixteen intents to the six labels. A command or a call for help is a request. */
const GOLD_OF: Record<Intent, (typeof GOLD_CLASSES)[number]> = {
  thanks: 'thanks',
  ack: 'ack',
  approval: 'ack',
  question: 'question',
  request: 'request',
  urgent: 'request',
  cancel: 'request',
  stop: 'request',
  leave: 'request',
  mode_change: 'request',
  status: 'status',
  rejection: 'other',
  answer: 'other',
  safety: 'other',
  blocker: 'other',
  statement: 'other',
};

/** The assistant's name in HWU64. A host knows the names of its agents and passes them. */
const AGENT_NAMES: Record<string, readonly string[]> = { hwu64: ['olly'] };

const SILENCING: ReadonlySet<Intent> = new Set(['thanks', 'ack', 'status', 'leave', 'stop', 'cancel']);

export function scoreIntent(rows: readonly IntentRow[]): IntentScore {
  const tally = new Map(GOLD_CLASSES.map((gold) => [gold as string, { hit: 0, read: 0, support: 0 }]));
  let silenced = 0;
  let questionsAndRequests = 0;
  for (const row of rows) {
    // Every author counts as human. A bot recognized by its account would not test the words.
    const intent = readIntent({
      text: row.text,
      folded: foldText(row.text),
      authorKind: 'human',
      names: AGENT_NAMES[row.source] ?? [],
    });
    const gold = tally.get(row.gold);
    const predicted = tally.get(GOLD_OF[intent]);
    if (gold === undefined || predicted === undefined) throw new Error(`unknown label ${row.gold}`);
    gold.support++;
    predicted.read++;
    if (gold === predicted) gold.hit++;
    if (row.gold === 'question' || row.gold === 'request') {
      questionsAndRequests++;
      if (SILENCING.has(intent)) silenced++;
    }
  }
  const perClass: Record<string, ClassScore> = {};
  for (const [gold, { hit, read, support }] of tally) {
    const precision = ratio(hit, read);
    const recall = ratio(hit, support);
    perClass[gold] = { precision, recall, f1: ratio(2 * precision * recall, precision + recall), support };
  }
  const scored = Object.values(perClass).filter((score) => score.support > 0);
  return {
    kind: 'intent',
    rows: rows.length,
    perClass,
    macroF1: ratio(
      scored.reduce((sum, score) => sum + score.f1, 0),
      scored.length,
    ),
    silencedPct: 100 * ratio(silenced, questionsAndRequests),
    silenced,
    questionsAndRequests,
  };
}

/** Each source alone: what a rule is worth where people write otherwise. The mean is over the classes that it has. */
export function scoreSources(rows: readonly IntentRow[]): Record<string, IntentScore> {
  const bySource = Object.groupBy(rows, (row) => row.source);
  return Object.fromEntries(Object.entries(bySource).map(([source, own = []]) => [source, scoreIntent(own)]));
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
