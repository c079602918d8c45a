// A harness that works on many conversations at once: every one of its turns settles what it took, however many others
// have begun meanwhile.
import { expect, it } from 'vitest';
import { deliveryKey } from '../../src/protocol/identity.ts';
import { wireHost } from './host.ts';
import { harness } from './ways.ts';

/** More than the host remembers turns of one agent. */
const AT_ONCE = 50;

it('fifty turns begin before the first one ends, and all end', async () => {
  const wire = await wireHost();
  const lead = await harness(wire, 'lead', 'websocket');
  const ids: string[] = [];
  for (let at = 0; at < AT_ONCE; at++) ids.push(await wire.say('@lead look at this', { in: `room-${at}` }));
  await wire.pass(3_000);
  for (const id of ids) {
    await lead.next(({ eventId }) => eventId === id);
    await lead.request('turn/started', { turnId: `turn-${id}`, eventIds: [id] });
  }
  for (const id of ids) await lead.request('turn/ended', { turnId: `turn-${id}`, outcome: 'silent' });
  const rows = await Promise.all(
    ids.map((id) => wire.host.context.store.get('delivery', deliveryKey(id, 'lead'))),
  );
  expect(rows.filter((row) => row?.state === 'turn_taken')).toEqual([]);
  expect(rows.filter((row) => row?.open === 1)).toEqual([]);
});

it.each([
  ['end', true],
  ['run', false],
])(
  'a turn that has answered all that it took asks for nothing more, though fifty others %s meanwhile',
  async (_, end) => {
    const wire = await wireHost();
    const lead = await harness(wire, 'lead', 'websocket');
    // Of three people, so that each is a question of its own.
    const asked: string[] = [];
    for (const by of ['ann', 'ben', 'cat']) {
      asked.push(await wire.say('@lead is yours green?', { in: 'busy', by }));
      await wire.pass(3_000);
    }
    const seen = [];
    for (const id of asked) seen.push(await lead.next(({ eventId }) => eventId === id));
    await lead.request('turn/started', { turnId: 'long', eventIds: asked });
    for (let at = 0; at < AT_ONCE; at++) {
      const id = await wire.say('@lead look at this', { in: `room-${at}` });
      await wire.pass(3_000);
      await lead.next(({ eventId }) => eventId === id);
      await lead.request('turn/started', { turnId: `turn-${id}`, eventIds: [id] });
      if (end) await lead.request('turn/ended', { turnId: `turn-${id}`, outcome: 'silent' });
    }
    const last = seen.at(-1);
    if (last === undefined) throw new Error('nothing was asked');
    expect(await lead.reply(last, 'All three are green.', { turnId: 'long' })).toMatchObject({ ok: true });
    const ended = await lead.request('turn/ended', { turnId: 'long', outcome: 'answered' });
    expect(ended).toEqual({ sendsCommitted: 1 });
    const rows = await Promise.all(
      asked.map((id) => wire.host.context.store.get('delivery', deliveryKey(id, 'lead'))),
    );
    expect(rows.map((row) => row?.disposition)).toEqual(['responded', 'responded', 'responded']);
  },
);
