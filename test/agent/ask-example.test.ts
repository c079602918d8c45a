// The example of docs/agent.md that asks, taken from the page and run as it stands there.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import type { AgentConnection } from '../../src/agent/index.ts';
import { world } from './harness.ts';

type Example = { default: (agent: AgentConnection, deploy: () => Promise<string>) => void };

async function example(): Promise<Example['default']> {
  const page = readFileSync(join(import.meta.dirname, '../../docs/agent.md'), 'utf8');
  const code = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = '']) => block);
  const asks = code.find((block) => block.includes('turn.ask')) ?? 'missing';
  const file = join(mkdtempSync(join(tmpdir(), 'earshot-ask-')), 'example.mjs');
  writeFileSync(file, `export default (agent, deploy) => {\n${asks}\n};\n`);
  return ((await import(pathToFileURL(file).href)) as Example).default;
}

it.each([
  ['yes', 'deployed'],
  ['only to staging', 'I have not deployed it. You said: only to staging'],
])('"%s": %s', async (answer, reply) => {
  const here = await world();
  const agent = here.agent('lead');
  (await example())(agent, () => Promise.resolve('deployed'));
  await here.pass(1_000);
  await here.say({ text: '@lead deploy it', mentions: ['lead'] });
  await here.pass(3_000);
  await here.say({ text: answer });
  await here.pass(5_000);
  expect(here.posted.map(({ text }) => text)).toEqual(['May I deploy 1.4.2 to production?', reply]);
  await here.stop();
});
