// A log that was written with an older version of the scorer is replayed to the decisions of then, to the probability:
// `scorer-replay-N.json` was recorded when version N was the newest.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SCORER_VERSION, attend, emptyState } from '../../src/attention/index.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { T0, drawn, recordOf, roster } from './drawn-lines.ts';

/** Decisions of a drawn log, each as "directedness policy mode" and how likely it was, if that was asked. */
function replayed(versionOf: (index: number) => number): string[] {
  const random = seededRandom(20_261_118);
  let state = emptyState();
  return Array.from({ length: 600 }, (_, index) => {
    const event = drawn(random, index, T0 + index * 20_000);
    const attended = attend(state, recordOf(event, state, versionOf(index)), roster);
    ({ state } = attended);
    return attended.decisions
      .map(({ directedness, policy, mode, trace }) =>
        [directedness, policy, mode, trace.facts['scorer'], trace.facts['probability']].join(' ').trimEnd(),
      )
      .join(', ');
  });
}

const thenOf = (version: number): readonly string[] =>
  JSON.parse(
    readFileSync(new URL(`scorer-replay-${version}.json`, import.meta.url), 'utf8'),
  ) as readonly string[];

describe.each([1, 2, 3])('a log of version %i of the scorer', (version) => {
  it('is replayed to the decisions of then', () => {
    const then = thenOf(version);
    expect(replayed(() => version)).toEqual(then);
    expect(then.filter((line) => new RegExp(` ${version} \\d+`).test(line)).length).toBeGreaterThan(60);
  });
});

describe.each([1, 2])('a log of version %i of the scorer, with a newer one', (version) => {
  it('goes on with the newest, without a change to what is before', () => {
    const then = thenOf(version);
    const both = replayed((index) => (index < 300 ? version : SCORER_VERSION));
    expect(both.slice(0, 300)).toEqual(then.slice(0, 300));
    expect(both.slice(300)).not.toEqual(then.slice(300));
    expect(both.some((line) => line.includes(` ${SCORER_VERSION} `))).toBe(true);
  });
});
