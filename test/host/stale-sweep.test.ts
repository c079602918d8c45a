// The sweep reads a row that is due and decides about it in a unit. The row may change in between: here the sweep is held
// just there. It must decide on the row as the unit sees it.
import { afterEach, expect, it, vi } from 'vitest';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const OFFER_MS = 4_000;

/** Does this after the first read of an offer, and before whoever read it goes on. */
function afterReadingOffer(meanwhile: () => Promise<unknown>): { isHeld: boolean } {
  const state = { isHeld: false };
  const read = w.store.get.bind(w.store);
  vi.spyOn(w.store, 'get').mockImplementation(async (table, key) => {
    const row = await read(table, key);
    if (table !== 'offer' || state.isHeld) return row;
    state.isHeld = true;
    await meanwhile();
    return row;
  });
  return state;
}

it('an offer that ends just before the sweep passes it on stays ended, and nobody is told that nobody took it', async () => {
  w = await world({
    agents: [
      { id: 'lead', roles: ['ops'] },
      { id: 'builder', roles: ['ops'] },
    ],
    settings: { limits: { offerMs: OFFER_MS } },
  });
  const id = await w.say('@ops is it green?', { more: { mentions: [{ kind: 'role', id: 'ops' }] } });
  const { text: _, ...event } = w.event('');
  const removal = { ...event, type: 'delete', targetEventId: id };
  const sweep = afterReadingOffer(() => w.host.ingest([removal], 'web'));
  await w.advance(OFFER_MS * 4);
  expect(sweep.isHeld).toBe(true);
  for (const agent of ['lead', 'builder']) expect(await w.ended(id, agent)).toBe('superseded(deleted)');
  expect(await w.store.get('offer', id)).toMatchObject({ open: 0, dueAt: null });
  expect(await w.inbox()).toEqual([]);
});
