// Claims over every way: a claim holds when its call is answered, whatever the platform does with the glyph; one of
// several that race is granted; what is for somebody else cannot be claimed; and whoever needs a claim is told so.
import { describe, expect, it } from 'vitest';
import { until, type WireHost, wireHost } from './host.ts';
import { harness, type ToolResult, type Way, webhookFor, type WireHarness, WAYS } from './ways.ts';

const MINUTE = 60_000;
/** A claim lasts ten minutes unless it is asked for otherwise. */
const AGENTS = [
  { id: 'lead', roles: ['ops'] },
  { id: 'builder', roles: ['ops'] },
];
const QUESTION = 'can somebody check the deploy?';

/** The agent under test over the way, and another one over WebSocket. */
async function two(way: Way): Promise<{ wire: WireHost; lead: WireHarness; builder: WireHarness }> {
  const webhooks = way === 'webhook' ? [await webhookFor('lead')] : [];
  const wire = await wireHost({ agents: AGENTS, host: { webhooks } });
  const builder = await harness(wire, 'builder', 'websocket');
  const lead = await harness(wire, 'lead', way);
  await wire.say('good morning', { by: 'bob' }); // so that the room is nobody's alone
  return { wire, lead, builder };
}

const answer = (
  agent: WireHarness,
  inReplyTo: string,
  text = 'It is fine.',
  more = {},
): Promise<ToolResult> =>
  agent.tool('chat.send_message', {
    target: 'channel:general',
    text,
    inReplyTo,
    visibility: 'channel',
    directedness: 'to_me',
    idempotencyKey: `claims-${inReplyTo}-${agent.agent}-${text}`,
    ...more,
  });

describe.each(WAYS)('over %s', (way) => {
  it.each(['claimed', 'working'])(
    'a claim by the reaction %s holds as soon as the call is answered, though the platform hangs [C2A-06-02/claims/owned-by-other]',
    async (signal) => {
      const { wire, lead, builder } = await two(way);
      const eventId = await wire.say(QUESTION);
      wire.platform.onPost = () => 'hang';
      const reacting = lead.tool('chat.react', { inReplyTo: eventId, signal });
      await until(() => wire.platform.arrived.length > 0, 'the glyph at the platform');
      // The glyph is on its way and nobody has seen it.
      expect(await builder.tool('chat.claim', { inReplyTo: eventId })).toMatchObject({
        ok: false,
        name: 'claimed_by_other',
        message: expect.stringContaining('agent:lead'),
      });
      expect(await answer(builder, eventId)).toMatchObject({ ok: false, name: 'claimed_by_other' });
      wire.platform.onPost = () => 'show';
      await wire.pass(31_000);
      expect(await reacting).toMatchObject({ ok: true, result: { disposition: 'claimed' } });
      expect(await answer(lead, eventId)).toMatchObject({ ok: true });
    },
  );

  it('a claim by reaction is one claim: the visible glyph does not claim again', async () => {
    const { wire, lead, builder } = await two(way);
    const eventId = await wire.say(QUESTION);
    expect(await lead.tool('chat.react', { inReplyTo: eventId, signal: 'claimed' })).toMatchObject({
      ok: true,
    });
    expect(await lead.tool('chat.claim', { inReplyTo: eventId, op: 'release' })).toMatchObject({ ok: true });
    await until(() => wire.platform.shown.some(({ type }) => type === 'reaction'), 'the glyph');
    await wire.pass(1_000);
    expect(await builder.tool('chat.claim', { inReplyTo: eventId })).toMatchObject({
      ok: true,
      result: { status: 'claimed' },
    });
  });

  it('a reaction that claims what another holds is refused, and nothing is shown', async () => {
    const { wire, lead, builder } = await two(way);
    const eventId = await wire.say(QUESTION);
    await builder.tool('chat.claim', { inReplyTo: eventId });
    expect(await lead.tool('chat.react', { inReplyTo: eventId, signal: 'working' })).toMatchObject({
      ok: false,
      name: 'claimed_by_other',
    });
    await wire.pass(1_000);
    expect(wire.platform.arrived).toEqual([]);
  });

  it('a claim that is granted after one that lapsed is answered as granted, with token and body [C2A-06-02/claims/ttl]', async () => {
    const { wire, lead, builder } = await two(way);
    const eventId = await wire.say(QUESTION);
    await builder.tool('chat.claim', { inReplyTo: eventId, ttlMs: MINUTE });
    await wire.pass(MINUTE + 1_000);
    for (const _ of ['first', 'after its own lapse']) {
      const granted = await lead.tool('chat.claim', { inReplyTo: eventId, ttlMs: MINUTE });
      expect(granted).toMatchObject({
        ok: true,
        result: { status: 'claimed', event: { eventId, content: [{ type: 'text', text: QUESTION }] } },
      });
      // MCP keeps the token from the model and attaches it itself.
      if (way !== 'mcp' && granted.ok) expect(granted.result['token']).toEqual(expect.any(Number));
      await wire.pass(MINUTE + 1_000);
    }
  });

  it.each([
    [
      'tags somebody else',
      { more: { mentions: [{ kind: 'human', id: 'bob' }] } },
      '@bob can you check the deploy?',
    ],
    ['tags another agent', {}, '@builder can you check the deploy?'],
  ])('a message that %s cannot be claimed', async (_, line, text) => {
    const { wire, lead } = await two(way);
    const eventId = await wire.say(text, line);
    for (const [tool, args] of [
      ['chat.claim', {}],
      ['chat.react', { signal: 'working' }],
    ] as const) {
      expect(await lead.tool(tool, { inReplyTo: eventId, ...args })).toMatchObject({
        ok: false,
        name: 'not_claimable',
        message: expect.stringMatching(/somebody else/),
      });
    }
    expect(await answer(lead, eventId)).toMatchObject({ ok: false, name: 'must_not_respond' });
  });

  it('a message that was deleted cannot be claimed', async () => {
    const { wire, lead } = await two(way);
    const eventId = await wire.say('can anybody check the deploy?');
    await wire.post({ ...wire.event(''), text: undefined, type: 'delete', targetEventId: eventId });
    expect(await lead.tool('chat.claim', { inReplyTo: eventId })).toMatchObject({
      ok: false,
      name: 'not_claimable',
      message: expect.stringMatching(/deleted/),
    });
  });

  it('a reply to somebody else cannot be claimed, and somebody else’s direct message is not there', async () => {
    const { wire, lead } = await two(way);
    const said = await wire.say('the deploy is slow', { by: 'bob' });
    const reply = await wire.say('can you check why?', {
      more: { replyTo: { eventId: said, authorId: 'bob' } },
    });
    expect(await lead.tool('chat.claim', { inReplyTo: reply })).toMatchObject({
      ok: false,
      name: 'not_claimable',
    });
    const dm = { in: 'D1', kind: 'dm' as const, more: { mentions: [{ kind: 'agent', id: 'builder' }] } };
    const secret = await wire.say('@builder a word in private?', dm);
    expect(await lead.tool('chat.claim', { inReplyTo: secret })).toMatchObject({ ok: false });
  });

  it('an answer to nobody’s question without a claim is told to claim, and is taken after it [C2A-06-24/talk/claim-before-reply]', async () => {
    const { wire, lead } = await two(way);
    const eventId = await wire.say(QUESTION);
    expect(await answer(lead, eventId)).toMatchObject({
      ok: false,
      name: 'claim_first',
      message: expect.stringMatching(way === 'mcp' ? /chat_claim/ : /chat\.claim/),
    });
    await lead.tool('chat.claim', { inReplyTo: eventId });
    expect(await answer(lead, eventId)).toMatchObject({ ok: true });
  });

  it('an answer to a mention of a role without a claim is told to claim, and is taken after it', async () => {
    const { wire, lead, builder } = await two(way);
    const eventId = await wire.say('@ops can one of you check the deploy?');
    for (const agent of [lead, builder])
      expect(await answer(agent, eventId)).toMatchObject({ ok: false, name: 'claim_first' });
    expect(await lead.tool('chat.claim', { inReplyTo: eventId })).toMatchObject({ ok: true });
    expect(await answer(lead, eventId)).toMatchObject({ ok: true });
    expect(await answer(builder, eventId, 'Me too.')).toMatchObject({ ok: false });
  });

  it('nobody holds a room for days: the refusal says for how long it can be held', async () => {
    const { wire, lead } = await two(way);
    const eventId = await wire.say(QUESTION);
    const target = 'channel:general';
    const refused = { ok: false, name: 'invalid_params' };
    const room = await lead.tool('chat.claim', { target, ttlMs: 60 * MINUTE + 1 });
    expect(room).toMatchObject({
      ...refused,
      message: expect.stringContaining('at most 3600000 ms (1 hour)'),
    });
    const event = await lead.tool('chat.claim', { inReplyTo: eventId, ttlMs: 24 * 60 * MINUTE + 1 });
    expect(event).toMatchObject({ ...refused, message: expect.stringContaining('86400000') });
    expect(await lead.tool('chat.claim', { target, ttlMs: 60 * MINUTE })).toMatchObject({ ok: true });
  });

  it('an answer with the token of a claim that lapsed is told that it lapsed', async () => {
    if (way === 'mcp') return; // it attaches tokens itself
    const { wire, lead } = await two(way);
    const eventId = await wire.say(QUESTION);
    const claim = await lead.tool('chat.claim', { inReplyTo: eventId, ttlMs: MINUTE });
    const token = claim.ok ? claim.result['token'] : undefined;
    await wire.pass(MINUTE + 1_000);
    expect(await answer(lead, eventId, 'Late.', { token })).toMatchObject({ ok: false, name: 'stale_token' });
  });

  it.each(['answer', 'done'])(
    'what was claimed is over with %s to it, under either of its ids',
    async (how) => {
      const { wire, lead, builder } = await two(way);
      const eventId = await wire.say(QUESTION);
      await lead.tool('chat.claim', { inReplyTo: eventId });
      await wire.pass(3_000);
      await lead.next((seen) => seen.eventId === `${eventId}/claimed`);
      const ended =
        how === 'done'
          ? await lead.tool('chat.react', { inReplyTo: eventId, signal: 'done' })
          : await answer(lead, eventId);
      expect(ended).toMatchObject({ ok: true });
      await wire.pass(3 * MINUTE);
      expect(lead.seen.map((seen) => seen.eventId)).toEqual([`${eventId}/claimed`]);
      const open = (
        await wire.host.context.store.scan('delivery', 'openByAgent', { eq: ['lead', 1], limit: 9 })
      ).length;
      expect(open).toBe(0);
      expect(await builder.tool('chat.claim', { inReplyTo: eventId })).toMatchObject({
        ok: false,
        name: 'claimed_by_other',
      });
    },
  );

  it('declining gives a claim back', async () => {
    const { wire, lead, builder } = await two(way);
    const eventId = await wire.say(QUESTION);
    await lead.tool('chat.claim', { inReplyTo: eventId });
    expect(await lead.tool('chat.react', { inReplyTo: eventId, signal: 'declined' })).toMatchObject({
      ok: true,
    });
    expect(await builder.tool('chat.claim', { inReplyTo: eventId })).toMatchObject({ ok: true });
  });
});

it('of agents that race over five ways, by claims and by reactions, one is granted', async () => {
  const agents = WAYS.map((way) => ({ id: way, roles: ['ops'] }));
  const wire = await wireHost({ agents, host: { webhooks: [await webhookFor('webhook')] } });
  const all: WireHarness[] = [];
  for (const way of WAYS) all.push(await harness(wire, way, way));
  await wire.say('good morning', { by: 'bob' });
  for (let round = 0; round < 5; round++) {
    const eventId = await wire.say(QUESTION, { in: `room${round}` });
    const outcomes = await Promise.all(
      all.map((agent, n) =>
        (n + round) % 2 === 0
          ? agent.tool('chat.claim', { inReplyTo: eventId })
          : agent.tool('chat.react', { inReplyTo: eventId, signal: 'working' }),
      ),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    for (const outcome of outcomes)
      if (!outcome.ok) expect(outcome).toMatchObject({ name: 'claimed_by_other' });
  }
});
