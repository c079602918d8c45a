// tune and score beside a host: corrections move an agent's dial the way people want, a few move nothing, and nothing
// changes before it is told to.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TuneAnswer } from '../../src/protocol/tune-api.ts';
import { earshot } from '../replay/fake-io.ts';
import { upHere } from '../server/here.ts';
import { folder, type Listening } from '../server/up.ts';
import { WEIGHED_SETTINGS, weighedLines } from '../server/weighed-lines.ts';

const at = (host: Listening, ...argv: string[]) => earshot([...argv, '--data', host.data]);
const fileOf = (host: Listening): string => readFileSync(join(host.data, 'earshot.yaml'), 'utf8');

async function started(): Promise<Listening> {
  const data = folder();
  writeFileSync(join(data, 'earshot.yaml'), WEIGHED_SETTINGS);
  return upHere({ data });
}

async function label(host: Listening, ids: readonly string[], should: 'answer' | 'quiet'): Promise<void> {
  for (const id of ids) {
    const said = await at(host, 'why', id, 'lead', '--should', should);
    expect(said.code, said.err).toBe(0);
  }
}

/** What the dial and the bias together ask of a line, in log-odds: more is quieter. */
function cutOf({ agents: [one] }: TuneAnswer, which: 'now' | 'fitted'): number {
  if (one === undefined) throw new Error('nothing was fitted');
  const asked = (100 - one.attention[which]) / 100;
  return Math.log(asked / (1 - asked)) - one.bias[which];
}

it('forty corrections make an agent quieter, and only when it is told to', async () => {
  const host = await started();
  await label(host, await weighedLines(host, 40), 'quiet');
  const looked = await at(host, 'tune', '--json');
  expect(looked.code, looked.err).toBe(0);
  const tuned = JSON.parse(looked.out) as TuneAnswer & { difference: { turnsSaved: number } };
  expect(tuned.agents).toMatchObject([{ agent: 'lead', corrections: 40, weighed: 40, moves: true }]);
  expect(cutOf(tuned, 'fitted')).toBeGreaterThan(cutOf(tuned, 'now'));
  expect(tuned.difference.turnsSaved).toBe(40);
  expect(fileOf(host)).toBe(WEIGHED_SETTINGS);
  expect((await at(host, 'score', '--own')).out).toContain('lead: 0 of 40 corrections');

  const applied = await at(host, 'tune', '--apply');
  expect(applied.out).toContain('is in force');
  expect(fileOf(host)).toContain('attention');
  expect((await at(host, 'score', '--own')).out).toContain('lead: 40 of 40 corrections');
});

it('three refuse to move it, with a sentence', async () => {
  const host = await started();
  await label(host, await weighedLines(host, 3), 'quiet');
  const tuned = await at(host, 'tune', '--apply');
  expect(tuned.out).toContain('lead: 3 corrections are about lines that named nobody, and 8 are needed');
  expect(tuned.out).toContain('the settings stay as they are');
  expect(fileOf(host)).toBe(WEIGHED_SETTINGS);
});

it('without corrections there is nothing to learn from', async () => {
  const host = await started();
  await weighedLines(host, 1);
  expect((await at(host, 'tune')).out).toContain('there is nothing to learn from');
  expect((await at(host, 'score')).code).toBe(2);
});
