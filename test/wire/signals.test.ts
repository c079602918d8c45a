// Reaction signals on the wire: what each does to the delivery it answers, what the platform shows, and what a reaction
// on an agent's own message tells the agent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultIn } from './debt-cast.ts';
import { type RoomHost, roomHost, type Said, type WireRoom } from './room.ts';
import type { WireHarness } from './ways.ts';

let host: RoomHost;
beforeAll(async () => {
  host = await roomHost({ agents: [{ id: 'nova' }, { id: 'otto' }], finished: afterAll });
});

function nova(): WireHarness {
  const found = host.agents.get('nova');
  if (found === undefined) throw new Error('nova is not connected');
  return found;
}

async function crowd(): Promise<WireRoom> {
  const r = host.room();
  await r.say('ann', 'morning');
  await r.say('ben', 'morning all');
  return r;
}

async function deliveryOf(
  said: Said,
): Promise<{ state: string; disposition: string | null; open: boolean } | undefined> {
  const { body } = await host.wire.call(
    'GET',
    `/v1/why/${said.eventId}?agent=nova`,
    await host.wire.token('operator', 'ops'),
  );
  const rows = body['deliveries'] as {
    eventId: string;
    state: string;
    disposition: string | null;
    settledAt: string | null;
  }[];
  const row = rows.find(({ eventId }) => eventId === said.eventId);
  return row === undefined
    ? undefined
    : { state: row.state, disposition: row.disposition, open: row.settledAt === null };
}

describe('a signal of an agent', () => {
  it.each([
    ['seen', '👀', 'acknowledged', false],
    ['agree', '👍', 'acknowledged', false],
    ['working', '🔧', 'claimed', true],
    ['queued', '🕐', 'deferred', true],
    ['claimed', '✋', 'claimed', true],
    ['done', '✅', 'responded', false],
    ['declined', '🙅', 'ignored', false],
    ['blocked', '🚧', 'deferred', true],
  ])(
    '%s is %s on the platform and gives %s, without a turn and without a message [C2A-06-02/signal/zero-turn, C2A-06-24/signal/zero-turn, C2A-06-02/tools/react, C2A-06-02/outbound/react-without-a-turn, C2A-06-02/signal/mapped-to-the-platform, C2A-06-24/signal/mapped-to-glyphs, C2A-06-02/signal/seen, C2A-06-02/signal/agree, C2A-06-02/signal/working, C2A-06-02/signal/queued, C2A-06-02/signal/claimed, C2A-06-02/signal/done, C2A-06-02/signal/declined, C2A-06-02/signal/blocked, C2A-06-24/signal/seen, C2A-06-24/signal/agree, C2A-06-24/signal/working, C2A-06-24/signal/queued, C2A-06-24/signal/claimed, C2A-06-24/signal/done, C2A-06-24/signal/declined, C2A-06-24/signal/blocked, C2A-06-02/minimal/6-signals]',
    async (signal, glyph, disposition, open) => {
      const r = await crowd();
      const said = await r.say('ann', '@nova the build is green');
      await said.of('nova');
      const answer = resultIn(
        await nova().tool('chat.react', { inReplyTo: said.eventId, signal, eta: 'after lunch' }),
      );
      expect(answer).toMatchObject({ disposition });
      expect(await deliveryOf(said)).toMatchObject({ disposition, open });
      const shown = host.wire.platform.shown.filter(({ place }) => place?.conversationId === r.id);
      expect(shown).toMatchObject([{ type: 'reaction', signal, glyph, targetEventId: said.eventId }]);
    },
  );

  it('unclear gives no disposition and asks back [C2A-06-02/signal/unclear, C2A-06-24/signal/unclear]', async () => {
    const r = await crowd();
    const said = await r.say('ann', '@nova do the thing');
    await said.of('nova');
    const answer = resultIn(await nova().tool('chat.react', { inReplyTo: said.eventId, signal: 'unclear' }));
    expect(answer).toMatchObject({ disposition: null });
    expect((await deliveryOf(said))?.open).toBe(true);
    expect(host.wire.platform.shown.at(-1)).toMatchObject({ signal: 'unclear', glyph: '❓' });
  });

  it('is a word and never a glyph, on the way in and on the way out [C2A-06-02/signal/not-the-emoji, C2A-06-24/signal/not-the-emoji, C2A-06-02/signal/agents-see-signals, C2A-06-24/signal/agents-see-signals, C2A-06-02/signal/react-arguments]', async () => {
    const r = await crowd();
    const said = await r.say('ann', '@nova the build is green');
    await said.of('nova');
    for (const signal of ['👍', 'thumbsup'])
      expect(await nova().tool('chat.react', { inReplyTo: said.eventId, signal })).toMatchObject({
        ok: false,
        name: 'invalid_params',
      });
    expect(await nova().tool('chat.react', { signal: 'seen' })).toMatchObject({
      ok: false,
      name: 'invalid_params',
    });
    const { wire } = host;
    const { eventId, at, platform } = wire.event('', {});
    const [refused] = await wire.post({
      eventId,
      at,
      platform,
      workspaceId: 'w',
      conversation: { id: r.id, kind: 'channel' },
      author: { id: 'ann', kind: 'human' },
      type: 'reaction',
      targetEventId: said.eventId,
      signal: '👍',
    });
    expect(refused?.status).toBe('refused');
    await r.react('ben', said, 'agree');
    const listed = resultIn(await nova().tool('chat.list_events', { target: r.target, limit: 1 }));
    expect(listed).toMatchObject({
      events: [{ type: 'reaction', reaction: { targetEventId: said.eventId, signal: 'agree' } }],
    });
  });
});

/** Nova has asked ann something. */
async function asked(): Promise<{ r: WireRoom; ours: Said }> {
  const r = await crowd();
  const said = await r.say('ann', '@nova can you deploy?');
  await said.of('nova');
  return { r, ours: await r.say('nova', 'Shall I deploy now?', { inReplyTo: said }) };
}

describe("a reaction on an agent's own message", () => {
  it.each([
    ['agree', 'approval'],
    ['declined', 'rejection'],
    ['done', 'answer'],
  ])(
    '%s answers its open question: it comes to that agent as %s, and to no other [C2A-06-02/signal/on-own-message, C2A-06-02/signal/agree-proceeds, C2A-06-02/signal/declined-revises, C2A-06-02/signal/done-is-handled, C2A-06-02/signal/inbound-may-oblige, C2A-06-24/signal/on-own-message, C2A-06-24/signal/agree-proceeds, C2A-06-24/signal/declined-revises, C2A-06-24/signal/done-is-handled]',
    async (signal, intent) => {
      const { r, ours } = await asked();
      const reaction = await r.react('ann', ours, signal as 'agree');
      expect(await reaction.of('nova')).toMatchObject({
        directedness: 'to_me',
        policy: 'must_respond',
        mode: 'buffered',
        intent,
      });
      const seen = await nova().next(({ eventId }) => eventId === reaction.eventId);
      expect(seen.raw).toMatchObject({ reaction: { targetEventId: ours.eventId, signal } });
      expect(seen.notices).toContain(intent);
      expect(await reaction.of('otto')).toMatchObject({ directedness: 'to_other', seen: undefined });
    },
  );

  it.each(['seen', 'working', 'queued'])(
    '%s, and any signal that answers no open question, waits in the mailbox [C2A-06-02/signal/inbound-is-quiet]',
    async (signal) => {
      const { r, ours } = await asked();
      const reaction = await r.react('ann', ours, signal as 'seen');
      expect(await reaction.of('nova')).toMatchObject({
        policy: 'must_not_respond',
        mode: 'tool_mailbox',
        seen: undefined,
      });
    },
  );
});
