// A harness that pulls begins a turn with what it was handed some time ago, and that was given back meanwhile. It may die in
// that turn, and nobody says so.
import { afterEach, expect, it } from 'vitest';
import type { RpcAnswer } from '../../src/transport/requests.ts';
import { pulling } from './pulling.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const LEASE_MS = 60_000;
const COMPOSE_MS = 2_000;

/** Follow-up talk that the agent may answer: it has no deadline that would bring it back. */
async function mayAnswer() {
  w = await world({ attention: { conversations: [] } });
  const lead = pulling(w, 'lead');
  const first = await w.say('@lead can you check?');
  await w.advance(COMPOSE_MS);
  await lead.pull();
  await lead.start('t1', first);
  await lead.reply(first, 'Checked, all is fine there.', 't1');
  await lead.end('t1', 'answered');
  const id = await w.say('nice weather today');
  await w.advance(COMPOSE_MS);
  expect(Object.keys(await lead.pull())).toEqual([id]);
  expect(await w.delivery(id)).toMatchObject({ policy: 'may_respond', state: 'handed' });
  return { lead, id };
}

it('is given back again when the turn has not ended by then', async () => {
  const { lead, id } = await mayAnswer();
  await w.advance(LEASE_MS);
  expect(await w.delivery(id)).toMatchObject({ state: 'queued', dueAt: null });
  await lead.start('t2', id);
  await w.advance(LEASE_MS);
  expect(Object.keys(await lead.pull())).toEqual([id]);
  await lead.start('t3', id);
  await lead.end('t3', 'silent');
  expect(await w.ended(id)).toBe('ignored');
});

it('ends with the turn when that ends in time', async () => {
  const { lead, id } = await mayAnswer();
  await w.advance(LEASE_MS);
  await lead.start('t2', id);
  await lead.end('t2', 'silent');
  expect(await w.ended(id)).toBe('ignored');
  await w.advance(10 * LEASE_MS);
  expect(await lead.pull()).toEqual({});
});

it('is not given back where a harness with a session begins before its acknowledgement is stored', async () => {
  w = await world({ attention: { conversations: [] } });
  const ack = Promise.withResolvers<void>();
  const answer = (): Promise<RpcAnswer> => ack.promise.then(() => ({ ok: true, result: {} }));
  let isLast = false;
  const lead = await w.harness('lead', { onDeliver: () => (isLast ? answer() : 'ack') });
  const first = await w.say('@lead can you check?');
  await lead.reply(first, 'Checked, all is fine there.');
  isLast = true;
  const id = await w.say('nice weather today');
  expect(await w.delivery(id)).toMatchObject({ policy: 'may_respond', state: 'queued' });
  // As a webhook does: it tells of its turn with a call of its own.
  await pulling(w, 'lead').start('t2', id);
  ack.resolve();
  await w.advance(0);
  expect(await w.delivery(id)).toMatchObject({ state: 'turn_taken', dueAt: null });
  const handed = lead.got.length;
  await w.advance(10 * LEASE_MS);
  expect(lead.got).toHaveLength(handed);
  await pulling(w, 'lead').end('t2', 'silent');
  expect(await w.ended(id)).toBe('ignored');
});
