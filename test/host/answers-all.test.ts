// A turn that has said something has answered everything it took, and none of that is asked again: also when what it took
// was handed out again before, or asked anew.
import { afterEach, describe, expect, it } from 'vitest';
import { pulling } from './pulling.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const LEASE_MS = 60_000;
/** How long a message waits for more of its author before a pull gets it. */
const COMPOSE_MS = 2_000;

/** A turn took two messages, and a new session has acknowledged both. */
async function again() {
  w = await world();
  const first = await w.harness('lead');
  const a = await w.say('@lead can you check one?');
  const b = await w.say('@lead and two?');
  await first.start('t1', a, b);
  first.close();
  await w.advance(0);
  const lead = await w.harness('lead');
  expect(await w.ended(a)).toBe('accepted');
  return { lead, a, b };
}

/** A turn took two messages, and their lease has ended. */
async function late() {
  w = await world();
  const lead = pulling(w, 'lead');
  const a = await w.say('@lead can you check one?');
  const b = await w.say('@lead and two?', { by: 'bob' });
  await w.advance(COMPOSE_MS);
  expect(Object.keys(await lead.pull())).toEqual([a, b]);
  await lead.start('t1', a, b);
  await w.advance(LEASE_MS + 1);
  return { lead, a, b };
}

describe('a turn whose events a new session has acknowledged', () => {
  it('answers all of them, if its send was under way', async () => {
    const { lead, a, b } = await again();
    expect((await lead.reply(b, 'Both are fine.', { turnId: 't1' })).ok).toBe(true);
    expect(await lead.start('t2', a, b)).toMatchObject({ superseded: [a, b] });
    expect([await w.ended(a), await w.ended(b)]).toEqual(['responded', 'responded']);
    expect(w.texts()).toEqual(['Both are fine.']);
  });

  it('answers all of them, although nobody takes up the rest and its end is never told', async () => {
    const { lead, a, b } = await again();
    expect((await lead.reply(b, 'Both are fine.', { turnId: 't1' })).ok).toBe(true);
    await w.advance(400_000);
    expect([await w.ended(a), await w.ended(b)]).toEqual(['responded', 'responded']);
    expect(lead.turns).toHaveLength(2);
  });

  it('says nothing any more once the next turn has begun', async () => {
    const { lead, a, b } = await again();
    await lead.start('t2', a, b);
    expect(await lead.reply(b, 'Both are fine.', { turnId: 't1' })).toMatchObject({ error: 'fenced' });
    expect((await lead.reply(b, 'They are.', { turnId: 't2' })).ok).toBe(true);
    await lead.end('t2', 'answered');
    expect(w.texts()).toEqual(['They are.']);
  });

  it('says nothing any more once further turns have begun one by one', async () => {
    const { lead, a, b } = await again();
    await lead.start('t2', a);
    await lead.start('t3', b);
    expect(await lead.reply(b, 'Both are fine.', { turnId: 't1' })).toMatchObject({ error: 'fenced' });
  });

  it('says nothing about them when it ends without a word: the next turn has them', async () => {
    const { lead, a, b } = await again();
    await lead.end('t1', 'silent');
    expect([await w.ended(a), await w.ended(b)]).toEqual(['accepted', 'accepted']);
    expect(await lead.start('t2', a, b)).toMatchObject({ superseded: [] });
  });
});

describe('a turn that takes longer than the lease of what it pulled', () => {
  it('answers all of it, although the rest was pulled again and its end is never told', async () => {
    const { lead, a, b } = await late();
    expect(Object.keys(await lead.pull())).toEqual([a, b]);
    expect(await lead.reply(b, 'Both are fine.', 't1')).toBeUndefined();
    expect(await lead.start('t2', a, b)).toMatchObject({ superseded: [a, b] });
    expect([await w.ended(a), await w.ended(b)]).toEqual(['responded', 'responded']);
  });

  it('says nothing any more once what it had was taken by another turn', async () => {
    const { lead, a, b } = await late();
    await lead.pull();
    await lead.start('t2', a, b);
    expect(await lead.reply(b, 'Both are fine.', 't1')).toBe('fenced');
  });

  it('keeps nothing from whoever pulls next when it was cancelled', async () => {
    const { lead, a, b } = await late();
    await lead.end('t1', 'cancelled');
    expect(Object.keys(await lead.pull())).toEqual([a, b]);
  });
});
