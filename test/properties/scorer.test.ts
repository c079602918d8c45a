// What must hold of the scorer whatever was learned: explicit signs are not its business, a line that is aimed at somebody
// else is less likely for the agent, records of before are decided as before, and the arithmetic is the same everywhere.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ATTENTION,
  type AttentionState,
  type Decision,
  SCORER_VERSION,
  attend,
  bandOf,
  emptyState,
} from '../../src/attention/index.ts';
import { readMessage } from '../../src/attention/heard.ts';
import { PARAMETERS_1 } from '../../src/attention/scorer/parameters-1.ts';
import { PARAMETERS_2 } from '../../src/attention/scorer/parameters-2.ts';
import { PARAMETERS_3 } from '../../src/attention/scorer/parameters-3.ts';
import { parametersOf } from '../../src/attention/scorer/parameters.ts';
import {
  type ScorerParameters,
  probabilityOf,
  score,
  shares,
  unpacked,
} from '../../src/attention/scorer/score.ts';
import type { MessageEvent } from '../../src/protocol/chat-event.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { SEED, cases } from '../long.ts';
import { T0, TEXTS, drawn, recordOf, roster } from './drawn-lines.ts';

const LEARNED = [PARAMETERS_1, PARAMETERS_2, PARAMETERS_3];
const random = seededRandom(SEED);
const drawnNext = (index: number, at: number): MessageEvent => drawn(random, index, at);

/** Rungs that look at what the message itself says or carries. */
const EXPLICIT = new Set([
  'mention',
  'reply',
  'assignment',
  'name',
  'direct_message',
  'addressed_elsewhere',
  'self',
]);
const outcome = ({ trace, policy, mode, directedness, reason }: Decision) => ({
  rung: trace.rung,
  row: trace.row,
  policy,
  mode,
  directedness,
  reason,
});

describe('the scorer', () => {
  it('changes nothing that an explicit sign decides', () => {
    const count = cases(5_000, 100_000);
    let [state, explicit, weighed] = [emptyState(), 0, 0];
    for (let index = 0, at = T0; index < count; index++) {
      at += 5_000 + Math.floor(random.next() * 60_000);
      const event = drawnNext(index, at);
      const scored = attend(state, recordOf(event, state, SCORER_VERSION), roster);
      const plain = attend(state, recordOf(event, state, undefined), roster);
      for (const [which, decision] of plain.decisions.entries()) {
        const other = scored.decisions[which];
        if (other?.trace.facts['probability'] !== undefined) weighed++;
        if (!EXPLICIT.has(decision.trace.rung)) continue;
        explicit++;
        expect(other && outcome(other)).toEqual(outcome(decision));
      }
      state = scored.state;
    }
    expect(explicit).toBeGreaterThan(count / 2);
    expect(weighed).toBeGreaterThan(count / 20);
  });

  it('finds a line less likely for an agent when it is aimed at somebody else, be the name misspelt or inside it', () => {
    let [state, compared, total] = [emptyState(), 0, { plain: 0, aimed: 0 }];
    for (let index = 0, at = T0; index < 3_000; index++) {
      at += 5_000 + Math.floor(random.next() * 60_000);
      const event = drawnNext(index, at);
      const isBare =
        event.author.id !== 'catrin' && TEXTS.includes(event.text ?? '') && event.replyTo === undefined;
      if (isBare && state.speakers.some(({ key }) => key === 'catrin')) {
        const plain = probabilities(state, event);
        const aimed = probabilities(state, { ...event, text: `catrni: ${event.text}` });
        const inside = { ...event, text: `I think catrin knows: ${event.text}` };
        const [known, unknown] = [probabilities(state, inside), probabilities(nameless(state), inside)];
        for (const [agent, before] of plain) {
          compared++;
          expect(known.get(agent)).toBeLessThanOrEqual(unknown.get(agent) ?? 0);
          total = { plain: total.plain + before, aimed: total.aimed + (aimed.get(agent) ?? 0) };
        }
        const named = attend(
          state,
          recordOf({ ...event, text: `catrin: ${event.text}` }, state, SCORER_VERSION),
          roster,
        );
        for (const { directedness } of named.decisions) expect(directedness).not.toBe('to_me');
      }
      ({ state } = attend(state, recordOf(event, state, SCORER_VERSION), roster));
    }
    expect(compared).toBeGreaterThan(500);
    expect(total.aimed).toBeLessThan(total.plain / 2);
  });

  it('is not asked about records that name no version: they are decided as they were before', () => {
    let state = emptyState();
    for (let index = 0, at = T0; index < 1_000; index++) {
      at += 5_000 + Math.floor(random.next() * 60_000);
      const event = drawnNext(index, at);
      const folded = attend(state, recordOf(event, state, undefined), roster);
      expect(folded.decisions.every(({ trace }) => trace.facts['probability'] === undefined)).toBe(true);
      state = folded.state;
    }
    expect([state.lines, state.pace, state.speakers.every(({ words }) => words === '')]).toEqual([
      [],
      0,
      true,
    ]);
  });

  it('refuses a record of a version that it does not have', () => {
    expect(() => parametersOf(SCORER_VERSION + 1)).toThrow('start the Earshot that wrote it');
  });
});

/** The same room, but nobody knows who is called Catrin. */
function nameless(state: AttentionState): AttentionState {
  const speakers = state.speakers.map((one) => (one.key === 'catrin' ? { ...one, name: '' } : one));
  return { ...state, speakers };
}

/** Of each agent that the scorer has something to say about. */
function probabilities(state: AttentionState, event: MessageEvent): Map<string, number> {
  const heard = readMessage(state, recordOf(event, state, SCORER_VERSION), event, roster);
  const found = new Map<string, number>();
  for (const agent of roster.agents) {
    const judgement = heard.judge?.(agent);
    if (judgement !== undefined) found.set(agent.id, judgement.probability);
  }
  return found;
}

interface GoldenScore {
  features: number[];
  sum: number;
  probability: number;
}

/** A Node of another version than this one, if the machine has one. */
const OTHER_NODE = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  .map((folder) => join(folder, 'node'))
  .find((node) => {
    if (!existsSync(node)) return false;
    return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim() !== process.version;
  });

const goldenOf = (version: number): GoldenScore[] =>
  JSON.parse(
    readFileSync(new URL(`scorer-golden-${version}.json`, import.meta.url), 'utf8'),
  ) as GoldenScore[];

describe.each(LEARNED)('the arithmetic of version $version', (learned) => {
  const golden = goldenOf(learned.version);
  const parameters = unpacked(learned);

  it('gives the bits it has always given', () => {
    for (const { features, sum, probability } of golden) {
      expect([score(parameters, features), probabilityOf(sum)]).toEqual([sum, probability]);
    }
    expect(new Set(golden.map((one) => bandOf(one.probability, ATTENTION.balanced))).size).toBe(3);
  });

  it.skipIf(OTHER_NODE === undefined)('gives the same bits on another version of Node', () => {
    const told = scoredBy(OTHER_NODE ?? '', learned.version, golden);
    expect(told).toEqual([golden.map(({ sum }) => sum), golden.map((one) => one.probability)]);
  });

  it('ends where a walk from the root of each tree ends, and shares are what the walk adds', () => {
    const limits = Array.from(parameters.nodes).filter((_, at) => at % 5 === 1);
    for (let n = 0; n < cases(200, 10_000); n++) {
      // Often just a limit, or one more: there a cut decides.
      const features = parameters.features.map(
        () => (limits[Math.floor(random.next() * limits.length)] ?? 0) + Math.floor(random.next() * 2),
      );
      const walked = walk(parameters, features);
      expect([score(parameters, features), [...shares(parameters, features)]]).toEqual([
        walked.sum,
        walked.shares,
      ]);
    }
  });

  it('is of the features as they are, also in an array that is used again', () => {
    const array = new Int32Array(parameters.features.length);
    const sums = golden.map(({ features }) => {
      array.fill(0);
      array.set(features);
      return score(parameters, array);
    });
    expect(sums).toEqual(golden.map(({ sum }) => sum));
  });

  it('splits a score into shares that add up to it', () => {
    const roots = parameters.roots.reduce((sum, root) => sum + (parameters.nodes[root * 5 + 4] ?? 0), 0);
    for (const { features, sum } of golden) {
      const all = shares(parameters, features).reduce((total, share) => total + share, 0);
      expect(all + roots + parameters.bias).toBe(sum);
    }
  });

  it('is whole numbers only', () => {
    expect(Array.from(parameters.nodes).every(Number.isSafeInteger)).toBe(true);
  });
});

/** From the root of each tree to a leaf, as the nodes say it. */
function walk(
  { nodes, roots, bias, plain, features: names }: ScorerParameters,
  features: readonly number[],
): { sum: number; shares: number[] } {
  const added = new Int32Array(names.length);
  for (const [place, weight] of plain) added[place] = (features[place] ?? 0) * weight;
  let sum = added.reduce((total, share) => total + share, bias);
  const node = (at: number): number[] => Array.from({ length: 5 }, (_, n) => nodes[at * 5 + n] ?? 0);
  for (const root of roots) {
    let [feature = -1, limit = 0, left = 0, right = 0, mean = 0] = node(root);
    while (feature >= 0) {
      const [asked, before] = [feature, mean];
      [feature = -1, limit = 0, left = 0, right = 0, mean = 0] = node(
        (features[feature] ?? 0) <= limit ? left : right,
      );
      added[asked] = (added[asked] ?? 0) + mean - before;
    }
    sum += mean;
  }
  return { sum, shares: [...added] };
}

/** What a Node without this one's types and modules makes of the same features. */
function scoredBy(node: string, version: number, golden: readonly GoldenScore[]): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-scorer-'));
  try {
    for (const name of ['score.ts', 'cuts.ts', 'usual.ts', `parameters-${version}.ts`]) {
      const source = readFileSync(new URL(`../../src/attention/scorer/${name}`, import.meta.url), 'utf8');
      writeFileSync(
        join(folder, name.replace('.ts', '.mjs')),
        stripTypeScriptTypes(source).replaceAll('.ts', '.mjs'),
      );
    }
    writeFileSync(join(folder, 'golden.json'), JSON.stringify(golden.map(({ features }) => features)));
    writeFileSync(
      join(folder, 'main.mjs'),
      `import { readFileSync } from 'node:fs';
       import { PARAMETERS_${version} as learned } from './parameters-${version}.mjs';
       import { probabilityOf, score, unpacked } from './score.mjs';
       const rows = JSON.parse(readFileSync(new URL('golden.json', import.meta.url), 'utf8'));
       const sums = rows.map((features) => score(unpacked(learned), features));
       console.log(JSON.stringify([sums, sums.map(probabilityOf)]));`,
    );
    return JSON.parse(execFileSync(node, [join(folder, 'main.mjs')], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('a probability', () => {
  it('is between nothing and certain, and never falls as the score rises', () => {
    let before = 0;
    for (let sum = -60_000; sum <= 60_000; sum += 97) {
      const probability = probabilityOf(sum);
      expect(Number.isInteger(probability) && probability >= before && probability <= 1_000).toBe(true);
      before = probability;
    }
  });
});
