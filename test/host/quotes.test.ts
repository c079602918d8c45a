// What an agent has read is still known after a restart, also what it only pulled.
import { afterEach, describe, expect, it } from 'vitest';
import type { Harness } from './harness.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const SECRET = 'I will leave the company in March, and nobody but Carol knows about it yet.';

function post(lead: Harness, text: string, more: Record<string, unknown> = {}) {
  return lead.call('chat.send_message', {
    target: 'channel:C1',
    text,
    visibility: 'channel',
    directedness: 'ambient',
    idempotencyKey: `k:${text}`,
    ...more,
  });
}

describe('after a restart', () => {
  it.each([
    ['what it was handed', { in: 'D1', kind: 'dm' } as const, false],
    ['what it pulled by a tool', { in: 'C2', by: 'bob' } as const, true],
  ])('%s still waits', async (_, line, pulls) => {
    w = await world();
    const lead = await w.harness('lead');
    await w.say('hello', { by: 'carl' });
    if (pulls) await w.say('hello', { in: 'C2', by: 'carl' });
    await w.say(SECRET, line);
    if (pulls) await lead.call('chat.list_events', {});
    await w.crash();
    const again = await w.harness('lead');
    expect(await post(again, `I heard: ${SECRET}`)).toMatchObject({ error: 'needs_approval' });
  });

  it('what was said since is compared too', async () => {
    w = await world();
    const lead = await w.harness('lead');
    await w.say('hello', { by: 'carl' });
    await w.say('can you check something for me?', { in: 'D1', kind: 'dm' });
    expect((await post(lead, 'This is a message with more than eight words in it.')).ok).toBe(true);
    await w.say(SECRET, { in: 'D1', kind: 'dm' });
    expect(await post(lead, `I heard: ${SECRET}`)).toMatchObject({ error: 'needs_approval' });
  });
});
