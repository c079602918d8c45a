// One question, one answer, under whatever id it was delivered, and across a restart of the host.
import { afterEach, describe, expect, it } from 'vitest';
import { approve } from '../../src/host/operator/approvals.ts';
import type { Harness } from './harness.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const undelivered = (harness: Harness) =>
  harness.turns.filter(({ attention }) => attention.notices?.includes('undelivered') === true);

/** Every unprompted message is refused, so that only answers pass. */
const STRICT = { settings: { limits: { unpromptedPerHour: 0 } } };

describe('an answer that the platform refused', () => {
  it('is asked for again after a restart, once', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    w.platform.script = ['refused'];
    await lead.reply(id, 'It is fine.');
    await w.crash();
    const again = await w.harness('lead');
    await w.advance(10_000);
    expect(undelivered(again).map(({ refersTo }) => refersTo)).toEqual([id]);
    expect((await again.reply(id, 'It is really fine.')).ok).toBe(true);
    await w.crash();
    const third = await w.harness('lead');
    await w.advance(400_000);
    expect(third.turns).toEqual([]);
    expect(w.texts()).toEqual(['It is really fine.']);
  });

  it('is not asked for when the first was still under way and another one arrived meanwhile', async () => {
    w = await world({ settings: { limits: { sendWaitMs: 1, sendAttempts: 2 } } });
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    w.platform.script = ['retry', 'refused'];
    const first = lead.reply(id, 'One moment, I am looking.');
    await w.advance(1);
    const second = lead.reply(id, 'It is fine.');
    await w.advance(60_000);
    expect([await first, await second]).toMatchObject([{ ok: true }, { ok: true }]);
    expect(w.texts()).toEqual(['It is fine.']);
    expect(undelivered(lead)).toEqual([]);
  });

  it('is asked for when the host knows nothing else of it, and a second refusal asks once more', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    w.platform.script = ['refused', 'refused', 'refused'];
    await lead.reply(id, 'It is fine.');
    await lead.reply(id, 'Fine.');
    await w.advance(10_000);
    expect(undelivered(lead)).toHaveLength(1);
    const [again] = undelivered(lead);
    await lead.reply(String(again?.eventId), 'Yes.');
    await w.advance(60_000);
    expect(undelivered(lead)).toHaveLength(1);
    expect(await w.inbox()).toMatchObject([{ kind: 'no_answer', detail: { why: 'not_delivered' } }]);
  });

  it.each(['silent', 'failed', 'cancelled'] as const)(
    'of a turn about several lines is asked for again once, for all of them, when the turn ends as %s',
    async (outcome) => {
      w = await world();
      const lead = await w.harness('lead');
      const first = await w.say('@lead can you check?');
      const last = await w.say('@lead and the other one?');
      await lead.start('t', first, last);
      w.platform.script = ['refused'];
      await lead.reply(last, 'Both are fine.', { turnId: 't' });
      await lead.end('t', outcome);
      await w.advance(0);
      expect(undelivered(lead).map(({ refersTo }) => refersTo)).toEqual([last]);
      expect(await w.ended(first)).toBe('superseded(merged)');
      const [again] = undelivered(lead);
      expect((await lead.reply(String(again?.eventId), 'Both are really fine.')).ok).toBe(true);
      await w.advance(400_000);
      expect(lead.turns).toHaveLength(3);
      expect(w.texts()).toEqual(['Both are really fine.']);
    },
  );

  it('of the host itself is not the agent’s: nobody is asked for an acknowledgement', async () => {
    w = await world();
    const lead = await w.harness('lead');
    await w.say('@lead can you check?');
    w.platform.script = ['refused'];
    await w.say('@lead stop');
    await w.advance(60_000);
    expect(undelivered(lead)).toEqual([]);
  });
});

describe('one question under several ids', () => {
  it('an offer and what its claim delivered have one answer', async () => {
    w = await world({ agents: [{ id: 'lead', roles: ['ops'] }], ...STRICT });
    const lead = await w.harness('lead');
    const id = await w.say('@ops is the deploy blocked?', {
      more: { mentions: [{ kind: 'role', id: 'ops' }] },
    });
    await lead.call('chat.claim', { inReplyTo: id });
    await w.advance(3_000);
    expect((await lead.reply(id, 'It is not.')).ok).toBe(true);
    expect(await w.ended(`${id}/claimed`)).toBe('responded');
    for (const again of [id, `${id}/claimed`])
      expect(await lead.reply(again, `Not at all (${again}).`)).toMatchObject({ ok: false });
    expect(w.texts()).toEqual(['It is not.']);
  });

  it('a reminder and the message it is about have one answer', async () => {
    w = await world(STRICT);
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    await lead.start('t', id);
    await lead.end('t', 'silent');
    await w.advance(0);
    expect((await lead.reply(`${id}/reminder-2`, 'It is fine.')).ok).toBe(true);
    expect(await lead.reply(id, 'Really.')).toMatchObject({ error: 'budget_spent' });
  });

  it('what the author changes afterwards may be answered again', async () => {
    w = await world(STRICT);
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    await lead.reply(id, 'It is fine.');
    const edit = await w.edit(id, '@lead can you check the build too?');
    expect((await lead.reply(edit, 'That too.')).ok).toBe(true);
    expect(await lead.reply(edit, 'And more.')).toMatchObject({ error: 'budget_spent' });
  });

  it('an answer that waited for a person is the answer', async () => {
    const { limits } = STRICT.settings;
    w = await world({ settings: { limits, sensitive: [{ reason: 'money', words: ['refund'] }] } });
    const lead = await w.harness('lead');
    const id = await w.say('@lead give the customer the money back?');
    await lead.reply(id, 'I will refund it.');
    expect(await lead.reply(id, 'I am waiting.')).toMatchObject({ error: 'budget_spent' });
    await approve(w.host.context, String((await w.inbox())[0]?.key), 'human:ada');
    await w.advance(0);
    expect(await lead.reply(id, 'Done.')).toMatchObject({ error: 'budget_spent' });
    expect(w.texts()).toEqual([expect.stringContaining('has to approve'), 'I will refund it.']);
  });

  it('what is owed is never refused, however often it comes back', async () => {
    w = await world(STRICT);
    const lead = await w.harness('lead');
    const id = await w.say('is it ready', {
      more: { recipients: ['lead'], obligation: { blocks: 'halted', defaultAction: 'I wait.' } },
    });
    expect((await lead.reply(id, 'Soon.')).ok).toBe(true);
    await w.advance(24 * 3_600_000);
    const returned = lead.turns.filter(({ eventId }) => eventId.includes('/return-'));
    expect(returned.length).toBeGreaterThan(0);
    for (const [index, { eventId }] of returned.entries())
      expect((await lead.reply(eventId, `Still not (${index}).`)).ok).toBe(true);
  });
});
