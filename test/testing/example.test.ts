// The example of docs/testing.md, run as it stands there.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { looping, testHost } from '../../src/testing/index.ts';

const answer = async (_prompt: string): Promise<string> => 'No, it is green.';

it('answers once, and takes thanks without a word', async () => {
  const host = await testHost({ agents: ['lead', 'builder'], seed: 1 });
  await host.agent('lead', async (turn) => answer(turn.prompt));
  await host.agent('builder', looping('lead'));

  const asked = await host.say('ada', '@lead is the deploy blocked?');
  await host.advance(5_000);
  expect(host.visible('lead').map(({ text }) => text)).toEqual(['No, it is green.']);
  expect((await host.why(asked, 'lead')).policy).toBe('must_respond');

  await host.say('ada', '@lead thanks!');
  await host.advance(60_000);
  expect(host.turns('lead')).toBe(1);
  expect(host.reactions('lead')).toHaveLength(1);
  await host.close();
});

it('and docs/testing.md shows the same lines', () => {
  const here = readFileSync(new URL(import.meta.url), 'utf8');
  const page = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8');
  const body = /^const answer[\s\S]*?^\}\);$/m.exec(here)?.[0] ?? 'missing';
  expect(page).toContain(body);
});
