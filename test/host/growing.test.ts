// A growing answer around the start of a session. The rest of it is shown over the real sockets (test/wire/growing.test.ts).
import { afterEach, expect, it, vi } from 'vitest';
import { type World, world } from './world.ts';

let w: World;
const ASKED = '@lead tell me everything';
const WORDS = 'The deploy waits for the database. ';
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

it('goes on after a session that began while a frame was judged: the harness tells it again', async () => {
  w = await world();
  const lead = await w.harness('lead');
  const asked = await w.say(ASKED, { more: { workspaceId: 'local' } });
  await lead.start('t1', asked);
  const { growing, context } = w.host;
  const frame = { turnId: 't1', target: 'channel:C1', inReplyTo: asked, visibility: 'channel' } as const;
  const told = { ...frame, from: 0, text: WORDS };
  const first = growing.grow('lead', told);
  context.bus.publish({ type: 'session', agent: 'lead', connected: true });
  expect(await first).toEqual({ length: 0, more: true });
  expect(await growing.grow('lead', told)).toEqual({ length: told.text.length, more: true });
  expect(growing.at('c/web/local/C1').map(({ text }) => text)).toEqual(['The deploy waits for the']);
});

it('goes on after a frame that the host could not judge: the harness tells it again', async () => {
  w = await world();
  const lead = await w.harness('lead');
  const asked = await w.say(ASKED, { more: { workspaceId: 'local' } });
  await lead.start('t1', asked);
  const { growing } = w.host;
  const frame = { turnId: 't1', target: 'channel:C1', inReplyTo: asked, visibility: 'channel' } as const;
  const grow = (from: number, text: string) => growing.grow('lead', { ...frame, from, text });
  expect(await grow(0, WORDS)).toEqual({ length: WORDS.length, more: true });
  vi.spyOn(w.store, 'get').mockRejectedValueOnce(new Error('the database is away'));
  expect(await grow(WORDS.length, WORDS)).toEqual({ length: WORDS.length, more: true });
  expect(await grow(WORDS.length, WORDS)).toEqual({ length: 2 * WORDS.length, more: true });
  expect(growing.at('c/web/local/C1').map(({ text }) => text)).toEqual([
    'The deploy waits for the database. The deploy waits for the',
  ]);
});
