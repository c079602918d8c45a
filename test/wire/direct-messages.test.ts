// Direct messages over the wire: whom one is for, in a thread of one too, and that nobody is left without a word.
import { describe, expect, it } from 'vitest';
import { type Line, until, type WireHost } from './host.ts';
import { harness, hostWith, WAYS, webhookFor } from './ways.ts';

const AGENTS = [{ id: 'lead', accounts: ['U0LEAD'] }, { id: 'builder' }, { id: 'scout' }];
const DM: Line = { in: 'D1', kind: 'dm' };
const decided = async (wire: WireHost, eventId: string): Promise<string[]> =>
  Promise.all(
    AGENTS.map(async ({ id }) => {
      const { decision } = await wire.why(eventId, id);
      return `${id} ${decision?.directedness} ${decision?.policy} ${decision?.mode}`;
    }),
  );

const FOR_LEAD = [
  'lead to_me must_respond buffered',
  'builder to_other must_not_respond silent',
  'scout to_other must_not_respond silent',
];

describe.each(WAYS)('over %s', (way) => {
  it('a thread in a direct message is for the party of that message, as in the draft’s example [C2A-06-02/directedness/to-me-dm, C2A-06-02/matrix/dm]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', { agents: AGENTS }, { onTurn: () => 'Noted.' });
    await wire.say('hello', { ...DM, more: { recipients: ['agent:lead'] } });
    await wire.pass(4_000);
    await lead.next(({ text }) => text === 'hello');
    // The draft names the room and the thread in it: kind "dm", with a threadId.
    const asDm = await wire.say('Can you check whether the deploy is blocked?', {
      in: 'T1',
      kind: 'dm',
      thread: 'D1',
    });
    await wire.pass(4_000);
    const asThread = await wire.say('And is staging?', { in: 'T2', kind: 'thread', thread: 'D1' });
    await wire.pass(4_000);
    for (const eventId of [asDm, asThread]) {
      const seen = await lead.next((one) => one.eventId === eventId, 'the message of the thread');
      expect(seen).toMatchObject({ policy: 'must_respond', mode: 'buffered' });
      expect(await decided(wire, eventId)).toEqual(FOR_LEAD);
    }
    if (way === 'websocket') {
      const { raw } = await lead.next((one) => one.eventId === asDm);
      expect(raw).toMatchObject({
        conversation: { id: 'D1', kind: 'dm', threadId: 'T1' },
        target: { recipient: 'agent:lead', directedness: 'to_me' },
        attention: { policy: 'must_respond', reason: 'direct_message' },
      });
    }
  });

  it.each([
    ['recipients', { recipients: ['agent:lead'] }],
    ['an account as recipient', { recipients: ['U0LEAD'] }],
    ['target.recipient', { target: { recipient: 'agent:lead' } }],
    ['a mention of its account', { mentions: [{ kind: 'human', id: 'U0LEAD' }] }],
  ])('a source names the agent of a direct message by %s, once', async (_how, more) => {
    const { wire, agent: lead } = await hostWith(way, 'lead', { agents: AGENTS }, { onTurn: () => 'Noted.' });
    const first = await wire.say('is the deploy blocked?', { ...DM, more });
    await wire.pass(4_000);
    await lead.next(({ eventId }) => eventId === first);
    const next = await wire.say('hello?', DM);
    await wire.pass(4_000);
    await lead.next(({ eventId }) => eventId === next);
    expect(await decided(wire, next)).toEqual(FOR_LEAD);
  });
});

describe.each(['websocket', 'pull', 'mcp', 'webhook'] as const)('named by nothing, over %s', (way) => {
  it('all are told to choose; who claims it gets it, and the others are told no more', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', { agents: AGENTS });
    const builder = await harness(wire, 'builder', 'websocket');
    const eventId = await wire.say('is the deploy blocked?', DM);
    await wire.pass(4_000);
    for (const agent of [lead, builder]) {
      const knock = await agent.next((one) => one.eventId === eventId, 'the knock');
      expect(knock).toMatchObject({
        policy: 'may_respond',
        mode: 'notify',
        text: '',
        notices: ['claim_first'],
      });
    }
    const told = await wire.why(eventId, 'lead');
    expect(told.steps.join('\n')).toContain('nothing tells which agent this direct message is with');
    const claimed = await lead.tool('chat.claim', { inReplyTo: eventId });
    expect(claimed).toMatchObject({ ok: true });
    expect(await builder.tool('chat.claim', { inReplyTo: eventId })).toMatchObject({ ok: false });
    const next = await wire.say('and staging?', DM);
    expect(await decided(wire, next)).toEqual(FOR_LEAD);
  });
});

it('named by nothing and claimed by nobody, it waits in the inbox for a person', async () => {
  const { wire, agent: lead } = await hostWith('websocket', 'lead', { agents: AGENTS });
  const eventId = await wire.say('is the deploy blocked?', DM);
  await wire.pass(70_000);
  await lead.next((one) => one.eventId === eventId, 'the knock');
  const items = async (): Promise<unknown> => {
    const { body } = await wire.call('GET', '/v1/inbox', await wire.token('operator', 'ops'));
    return (body['inbox'] as { kind: string; eventId: string }[]).find((item) => item.eventId === eventId);
  };
  expect(await until(async () => (await items()) as object | undefined, 'the inbox item')).toMatchObject({
    kind: 'offer_unclaimed',
  });
});

it('the default responder gets what names nobody', async () => {
  const webhooks = [await webhookFor('lead')];
  const { wire } = await hostWith('websocket', 'builder', {
    agents: AGENTS,
    attention: { conversations: [{ match: '*', defaultResponder: 'lead' }] },
    host: { webhooks },
  });
  const eventId = await wire.say('is the deploy blocked?', DM);
  expect(await decided(wire, eventId)).toEqual(FOR_LEAD);
});

it('the party of a thread is known as soon as that of its direct message is', async () => {
  const { wire } = await hostWith('websocket', 'lead', { agents: AGENTS });
  const early = await wire.say('is it blocked?', { in: 'T1', kind: 'thread', thread: 'D1' });
  expect((await wire.why(early, 'lead')).decision).toMatchObject({ policy: 'must_not_respond' });
  await wire.say('lead: I mean you', DM);
  const late = await wire.say('is it?', { in: 'T1', kind: 'thread', thread: 'D1' });
  expect(await decided(wire, late)).toEqual(FOR_LEAD);
});

it('an edit, too, is for the party of the direct message alone, whomever it names', async () => {
  const { wire, agent: lead } = await hostWith('websocket', 'lead', { agents: AGENTS });
  const builder = await harness(wire, 'builder', 'websocket');
  const said = await wire.say('is it green?', { ...DM, more: { recipients: ['agent:lead'] } });
  await wire.pass(4_000);
  await lead.next(({ eventId }) => eventId === said);
  for (const text of ['@builder is it green?', 'builder: is it green?']) {
    const edit = { ...wire.event(text, DM), type: 'edit', targetEventId: said };
    const [posted] = await wire.post(edit);
    expect(posted?.status).toBe('accepted');
    expect((await wire.why(posted?.eventId ?? '', 'builder')).status).toBe('unasked');
  }
  await wire.pass(4_000);
  await lead.next(({ text }) => text === 'builder: is it green?', 'the new words');
  expect(builder.seen).toEqual([]);
});
