// What goes on in one place while another is slow, or answers there what was asked here.
import { afterEach, describe, expect, it } from 'vitest';
import type { Step } from './fake-surface.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

describe('an answer in another conversation', () => {
  it('rests on the claim where the question was asked', async () => {
    w = await world({ agents: [{ id: 'lead', roles: ['ops'] }] });
    const lead = await w.harness('lead');
    await w.say('a thread of its own', { in: 'T1', kind: 'thread', parent: 'C1' });
    const id = await w.say('@ops is the deploy blocked?', {
      more: { mentions: [{ kind: 'role', id: 'ops' }] },
    });
    const inThread = { target: 'thread:T1', visibility: 'thread' };
    expect(await lead.reply(id, 'Too early.', inThread)).toMatchObject({ error: 'claim_first' });
    await lead.call('chat.claim', { inReplyTo: id });
    expect(await lead.reply(id, 'It is not.', inThread)).toMatchObject({ ok: true });
    expect(w.platform.seen.map(({ conversation, text }) => [conversation, text])).toEqual([
      ['T1', 'It is not.'],
    ]);
  });
});

describe('a platform that hangs', () => {
  it('hides nothing that is due behind what waits for it', async () => {
    const stuck = 250; // more than one page of due rows
    w = await world({ settings: { limits: { sendWaitMs: 1, sendsPerMinute: 10_000 } } });
    const lead = await w.harness('lead');
    w.platform.script = Array.from({ length: stuck }, (): Step => 'hang');
    for (let index = 0; index < stuck; index++) {
      const id = await w.say('@lead can you check?', { in: `H${index}` });
      const call = lead.reply(id, 'It is fine.');
      await w.advance(1);
      await call;
    }
    const id = await w.say('@lead and here?', { in: 'Z' });
    // Tried again later: only the sweep finds it then.
    w.platform.script = ['retry'];
    const call = lead.reply(id, 'Here too.');
    await w.advance(5_000);
    await call;
    expect(w.texts()).toEqual(['Here too.']);
    await w.advance(120_000);
  });
});

async function stoppedWhileItHangs() {
  w = await world({ settings: { limits: { sendWaitMs: 1, postTimeoutMs: 30_000 } } });
  const lead = await w.harness('lead');
  const first = await w.say('@lead one?');
  const second = await w.say('@lead two?', { by: 'bob' });
  w.platform.script = ['hang'];
  const call = lead.reply(first, 'It is fine.');
  await w.advance(1);
  await call;
  await lead.start('t2', second);
  await w.say('@lead stop');
  return { lead, second };
}

describe('a stop while a platform hangs in that conversation', () => {
  it('acts at once, and is acknowledged when the platform answers again', async () => {
    const { lead, second } = await stoppedWhileItHangs();
    expect(await w.ended(second)).toBe('superseded(stop)');
    const cancelled = lead.notes.filter(({ method }) => method === 'notifications/cancelled');
    expect(cancelled.map(({ params }) => params['turnId'] ?? params['eventId'])).toEqual([second, 't2']);
    expect(w.texts()).toEqual([]);
    await w.advance(120_000);
    expect(w.texts().at(-1)).toBe('Okay, stopping. Mention me when you need me.');
  });

  it('still holds after a crash, and is acknowledged once', async () => {
    const { second } = await stoppedWhileItHangs();
    await w.crash();
    await w.advance(120_000);
    expect(await w.ended(second)).toBe('superseded(stop)');
    expect(w.texts().filter((text) => text.startsWith('Okay, stopping'))).toHaveLength(1);
  });
});

describe('a session that takes over', () => {
  it('gets what the other left unanswered as a further attempt', async () => {
    const here = await world();
    w = here;
    const first = await here.harness('lead', { onDeliver: () => 'ignore' });
    const id = await here.say('@lead can you check?');
    const second = await here.harness('lead');
    const handed = [first, second].map(({ got }) =>
      got.map(({ eventId, reliability }) => [eventId, reliability.attempt]),
    );
    expect(handed).toEqual([[[id, 1]], [[id, 2]]]);
  });
});

describe('a session that has ended', () => {
  it('leaves no timer behind', async () => {
    w = await world();
    const lead = await w.harness('lead');
    await w.advance(20_000);
    const withNextBeat = w.clock.waiting();
    lead.close();
    await w.advance(0);
    expect(w.clock.waiting()).toBe(withNextBeat - 1);
  });
});
