// One question, one answer, where several turns of an agent are about it: a harness that died in one, a twin, a deadline
// that passed, an author who took a line back.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { decline } from '../../src/host/operator/approvals.ts';
import type { Harness } from './harness.ts';
import { holdReads } from './hold-reads.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  vi.restoreAllMocks();
  expect(await w.sound()).toEqual([]);
});

/** A harness has begun a turn about two lines. */
async function begun(turnId = 't1') {
  w = await world();
  const lead = await w.harness('lead');
  const one = await w.say('@lead can you check the deploy?');
  const two = await w.say('@lead and the logs?', { by: 'bob' });
  await lead.start(turnId, one, two);
  return { lead, one, two };
}

/** The answer is on its way to the host while its harness goes and the next one comes. */
async function answersWhileGoing(from: Harness, inReplyTo: string, turnId: string) {
  const send = holdReads(w, 'get', (table) => table === 'outbox', 1);
  void from.reply(inReplyTo, 'Both are fine.', { turnId });
  await w.advance(0);
  expect(send.count).toBe(1);
  from.close();
  await w.advance(1);
  return { next: await w.harness('lead'), arrives: () => send.end() };
}

describe('an answer that is under way while its harness dies', () => {
  it('is refused, because the next harness has the questions', async () => {
    const { lead, one, two } = await begun();
    const { next, arrives } = await answersWhileGoing(lead, two, 't1');
    await arrives();
    expect(w.texts()).toEqual([]);
    expect(await next.start('t2', one, two)).toMatchObject({ superseded: [] });
    await next.reply(two, 'Both are fine.', { turnId: 't2' });
    await next.end('t2', 'answered');
    await w.advance(600_000);
    expect(w.texts()).toEqual(['Both are fine.']);
    expect([await w.ended(one), await w.ended(two)]).toEqual(['responded', 'responded']);
  });

  it('is refused, if the next turn has begun before it', async () => {
    const { lead, one, two } = await begun();
    const { next, arrives } = await answersWhileGoing(lead, two, 't1');
    expect(await next.start('t2', one, two)).toMatchObject({ superseded: [] });
    await arrives();
    expect(w.texts()).toEqual([]);
    await next.reply(two, 'Checked: both are fine.', { turnId: 't2' });
    await next.end('t2', 'answered');
    await w.advance(600_000);
    expect(w.texts()).toEqual(['Checked: both are fine.']);
    expect(next.turns).toHaveLength(2);
  });

  it('is refused, if its turn has failed because a harness died in it for the second time', async () => {
    const { lead, one, two } = await begun();
    lead.close();
    await w.advance(1);
    const second = await w.harness('lead');
    await second.start('t2', one, two);
    const { next, arrives } = await answersWhileGoing(second, two, 't2');
    await arrives();
    await w.advance(10_000);
    const again = [`${one}/retry-3`, `${two}/retry-3`];
    expect(next.turns.map(({ eventId }) => eventId)).toEqual(again);
    await next.start('t3', ...again);
    await next.reply(`${two}/retry-3`, 'Checked: both are fine.', { turnId: 't3' });
    await next.end('t3', 'answered');
    await w.advance(600_000);
    expect(w.texts().filter((text) => text.includes('fine'))).toEqual(['Checked: both are fine.']);
  });
});

describe('an answer that waits for a person', () => {
  const settings = { sensitive: [{ reason: 'money', words: ['refund'] }] };

  it('and is declined comes back to the next harness, which answers it', async () => {
    w = await world({ settings });
    const lead = await w.harness('lead');
    const one = await w.say('@lead give the customer the money back?');
    await lead.start('t1', one);
    await lead.reply(one, 'I will refund it.', { turnId: 't1' });
    expect(await lead.start('t2', one)).toMatchObject({ superseded: [one] });
    await decline(w.host, String((await w.inbox())[0]?.key), 'human:ada');
    await w.advance(0);
    const again = lead.turns.at(-1)?.eventId ?? '';
    expect(await lead.start('t3', again)).toMatchObject({ superseded: [] });
    await lead.reply(again, 'I may not do that.', { turnId: 't3' });
    expect(w.texts().at(-1)).toBe('I may not do that.');
  });
});

describe('what asks again while a turn runs', () => {
  const LIMITS = { attention: { limits: { deadlineMs: 5_000 } } };

  const expired = async () => {
    w = await world(LIMITS);
    const lead = await w.harness('lead');
    const one = await w.say('@lead can you check the deploy?');
    const two = await w.say('@lead and the logs?', { by: 'bob' });
    await lead.start('t1', one, two);
    await w.advance(10_000); // a running turn gets one more deadline
    expect(lead.turns.map(({ eventId }) => eventId).slice(2)).toEqual([
      `${one}/expired-2`,
      `${two}/expired-2`,
    ]);
    return { lead, one, two };
  };

  it('because a deadline passed is over when the turn ends with an answer to another of its lines', async () => {
    const { lead, one, two } = await expired();
    await lead.reply(two, 'Both are fine.', { turnId: 't1' });
    await lead.end('t1', 'answered');
    expect(await w.ended(`${one}/expired-2`)).toBe('superseded(answered)');
    await w.advance(600_000);
    expect(lead.turns).toHaveLength(4);
  });

  it('and is taken by another turn is over too, if the first has answered', async () => {
    const { lead, one, two } = await expired();
    await lead.reply(two, 'Both are fine.', { turnId: 't1' });
    expect(await lead.start('t2', `${one}/expired-2`)).toMatchObject({ superseded: [`${one}/expired-2`] });
  });

  it('and is taken by another turn whole fences the first', async () => {
    const { lead, one, two } = await expired();
    await lead.start('t2', `${one}/expired-2`, `${two}/expired-2`);
    expect(await lead.reply(two, 'Both are fine.', { turnId: 't1' })).toMatchObject({ error: 'fenced' });
  });

  it('stays open if the turn has said nothing', async () => {
    const { lead, one } = await expired();
    await lead.end('t1', 'silent');
    expect(await w.ended(`${one}/expired-2`)).toBe('accepted');
  });
});

/** The host has composed two lines, and a turn has taken them with a message of somebody else. */
async function composed() {
  w = await world();
  const lead = await w.harness('lead', { injection: { buffered: false } });
  const one = await w.say('@lead can you check the deploy?');
  const two = await w.say('and the logs');
  await w.advance(10_000);
  const three = await w.say('@lead is it built?', { by: 'bob' });
  await w.advance(10_000);
  await lead.start('t1', two, three);
  return { lead, one, two, three };
}

describe('lines that the host has composed', () => {
  it('of which one is deleted are answered by what their turn says', async () => {
    const { lead, one, two, three } = await composed();
    await w.remove(one);
    expect(await w.ended(`${two}/edit-2`)).toBe('accepted');
    await lead.reply(three, 'All of it is fine.', { turnId: 't1' });
    await lead.end('t1', 'answered');
    expect(await w.ended(`${two}/edit-2`)).toBe('superseded(answered)');
  });

  it('of which one is deleted after the answer of their turn are over, whoever begins with them', async () => {
    const { lead, one, two, three } = await composed();
    await lead.reply(three, 'All of it is fine.', { turnId: 't1' });
    await w.remove(one);
    expect(await lead.start('t2', `${two}/edit-2`)).toMatchObject({ superseded: [`${two}/edit-2`] });
  });

  it('of which one is edited after the answer of their turn: what was edited is asked, and nothing else', async () => {
    const { lead, one, two, three } = await composed();
    await lead.reply(three, 'All of it is fine.', { turnId: 't1' });
    await w.edit(one, '@lead can you check the build?');
    await lead.end('t1', 'answered');
    await w.advance(10_000);
    const again = lead.turns.at(-1);
    expect(again).toMatchObject({
      eventId: `${two}/edit-3`,
      content: [{ text: '@lead can you check the build?' }],
    });
    expect(await lead.start('t2', `${two}/edit-2`)).toMatchObject({ superseded: [`${two}/edit-2`] });
    expect(await lead.start('t2', `${two}/edit-3`)).toMatchObject({ superseded: [] });
  });
});
