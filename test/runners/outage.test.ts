// An outage of the provider: the asker is told once, nothing is lost, and the answer comes once, also when the host
// restarts in between. The `ai-sdk` runner against a local provider, with the host under a virtual clock.
import { expect, it } from 'vitest';
import { TROUBLE_LINES } from '../../src/host/outbox/trouble-lines.ts';
import { modelled } from './model.ts';

const TROUBLE = TROUBLE_LINES.en.trouble('lead');

it.each([
  ['goes on', false],
  ['restarts in between', true],
])('of five minutes, while the host %s', async (_, restarts) => {
  let isDown = true;
  const { world, provider, ask, quiet } = await modelled(
    'openai',
    () => (isDown ? { status: 503, error: 'overloaded' } : 'It is green.'),
    { runner: { maxRetries: 0 } },
  );
  const said = (): string[] => [...world.trouble, ...world.posted.map(({ text }) => text)];
  await ask('is the build green?');
  const began = world.clock.now();
  while (world.clock.now() - began < 300_000) {
    await quiet();
    if (restarts && world.clock.now() - began < 120_000) await world.restart();
  }
  expect(said()).toEqual([TROUBLE]);
  expect(provider.requests.length).toBeGreaterThan(3);
  isDown = false;
  for (let minute = 0; minute < 10; minute++) {
    await world.pass(60_000);
    await quiet();
  }
  expect(said()).toEqual([TROUBLE, 'It is green.']);
});
