// A turn that has said something has answered everything it took, and none of that is asked again: also when what it took
// was handed out again before, or asked anew.
import { afterEach, describe, expect, it } from 'vitest';
import { textOfEvent } from './harness.ts';
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

  it('goes on with what nobody else has, and is fenced again by its own end', async () => {
    const { lead, a, b } = await again();
    await lead.start('t2', a, b);
    const c = await w.say('@lead and three?');
    expect(await lead.start('t1', a)).toMatchObject({ superseded: [] });
    expect(await lead.reply(c, 'Wait.', { turnId: 't1' })).toMatchObject({ error: 'fenced' });
    await lead.start('t1', c);
    await lead.end('t1', 'cancelled');
    await lead.start('t1', c);
    expect(await lead.reply(c, 'Three is fine.', { turnId: 't1' })).toMatchObject({ error: 'fenced' });
    await lead.start('t3', c);
    expect((await lead.reply(c, 'Three is fine.', { turnId: 't3' })).ok).toBe(true);
  });

  it('leaves them to a reminder when it ends without a word', async () => {
    const { lead, a, b } = await again();
    await lead.end('t1', 'silent');
    await w.advance(0);
    const asked = lead.turns.slice(2).map(({ eventId }) => eventId);
    expect(asked.length).toBeGreaterThan(0);
    expect(await lead.start('t2', ...asked)).toMatchObject({ superseded: [] });
    expect((await lead.reply(String(asked[0]), 'Both are fine.', { turnId: 't2' })).ok).toBe(true);
    await lead.end('t2', 'answered');
    await w.advance(600_000);
    expect([await w.ended(a), await w.ended(b)]).not.toContain('accepted');
    expect(w.texts()).toEqual(['Both are fine.']);
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

/** A turn took two lines of one author, as one delivery, and a question of another. It will answer by naming that one. */
async function both() {
  w = await world();
  const lead = pulling(w, 'lead');
  const first = await w.say('@lead check staging');
  const last = await w.say('and tell me');
  const other = await w.say('@lead is it out?', { by: 'bob' });
  await w.advance(COMPOSE_MS);
  expect(await lead.pull()).toEqual({
    [last]: '@lead check staging\nand tell me',
    [other]: '@lead is it out?',
  });
  await lead.start('t1', last, other);
  const answer = async (): Promise<void> => {
    expect(await lead.reply(other, 'It is out, and staging is fine.', 't1')).toBeUndefined();
  };
  return { lead, first, last, other, answer };
}

describe('a turn that answers when what it took has been asked anew', () => {
  it.each(['before', 'after'])('is asked only for the line that was edited %s it answered', async (when) => {
    const { lead, first, answer } = await both();
    if (when === 'after') await answer();
    await w.edit(first, '@lead check production');
    if (when === 'before') await answer();
    await lead.end('t1', 'answered');
    const next = await lead.pull();
    expect(Object.values(next)).toEqual(['@lead check production']);
    const [id = ''] = Object.keys(next);
    await lead.start('t2', id);
    expect(await lead.reply(id, 'So is production.', 't2')).toBeUndefined();
    expect(await w.ended(id)).toBe('responded');
  });

  it('is asked nothing when a line was deleted', async () => {
    const { lead, first, last, answer } = await both();
    await w.remove(first);
    await answer();
    await lead.end('t1', 'answered');
    expect(await lead.pull()).toEqual({});
    expect(await w.ended(`${last}/edit-2`)).toBe('superseded(answered)');
  });

  it.each([
    ['it was edited', async (id: string) => w.edit(id, '@lead check production'), ['@lead check production']],
    ['a line was deleted', async (id: string) => w.remove(id), []],
  ])('has answered although its end is never told: %s', async (_, change, rest) => {
    const { lead, first, last, answer } = await both();
    await answer();
    await change(first);
    expect(Object.keys(await lead.pull())).toEqual([`${last}/edit-2`]);
    expect(await lead.start('t2', `${last}/edit-2`)).toMatchObject({ superseded: [`${last}/edit-2`] });
    expect(Object.values(await lead.pull())).toEqual(rest);
  });

  it('is asked only for what was edited, without the lines before that it had', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'builder' }] });
    const lead = pulling(w, 'lead');
    await w.say('the build is red');
    const id = await w.say('@lead can you look?');
    const other = await w.say('@lead is it out?', { by: 'bob' });
    await w.advance(COMPOSE_MS);
    expect(await lead.pull()).toMatchObject({ [id]: 'the build is red\n@lead can you look?' });
    await lead.start('t1', id, other);
    await w.edit(id, '@lead can you look at once?');
    await lead.reply(other, 'I am on it.', 't1');
    await lead.end('t1', 'answered');
    expect(Object.values(await lead.pull())).toEqual(['@lead can you look at once?']);
  });

  it('is asked for everything when its answer was not shown', async () => {
    const { lead, first, other } = await both();
    await w.edit(first, '@lead check production');
    w.platform.script = ['refused'];
    expect(await lead.reply(other, 'It is out, and staging is fine.', 't1')).toBe('not_delivered');
    await lead.end('t1', 'answered');
    expect(Object.values(await lead.pull())).toContain('@lead check production\nand tell me');
  });

  it('is not asked again for what its deadline had passed for', async () => {
    w = await world({ attention: { limits: { deadlineMs: 60_000 } } });
    const lead = await w.harness('lead');
    const a = await w.say('@lead can you check one?');
    const b = await w.say('@lead and two?');
    await lead.start('t1', a, b);
    await w.advance(120_000);
    expect(await w.ended(a)).toBe('superseded(expired)');
    expect((await lead.reply(b, 'Both are fine.', { turnId: 't1' })).ok).toBe(true);
    await lead.end('t1', 'answered');
    expect(await w.ended(`${a}/expired-2`)).toBe('superseded(answered)');
    await w.advance(400_000);
    expect(w.texts()).toEqual(['Both are fine.']);
  });

  it('is asked only for what the author added, where the host composes', async () => {
    w = await world();
    const lead = await w.harness('lead', { injection: { buffered: false } });
    const a = await w.say('@lead check staging');
    const other = await w.say('@lead is it out?', { by: 'bob' });
    await w.advance(COMPOSE_MS);
    await lead.start('t1', a, other);
    await w.say('and production');
    await w.advance(COMPOSE_MS);
    expect(lead.got.map(textOfEvent).at(-1)).toBe('@lead check staging\nand production');
    expect((await lead.reply(other, 'It is out, and staging is fine.', { turnId: 't1' })).ok).toBe(true);
    await lead.end('t1', 'answered');
    await w.advance(0);
    expect(lead.got.map(textOfEvent).at(-1)).toBe('and production');
  });
});
