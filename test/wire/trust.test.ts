// Trust on the wire: what an agent may not read, secrets, rates, and what is written down of every act.
import { describe, expect, it } from 'vitest';
import { resultIn } from './debt-cast.ts';
import { type WireHost, wireHost } from './host.ts';
import { hostWith, WAYS } from './ways.ts';

const NO_WAITING = { capabilities: { injection: { buffered: true, notify: true, tool_mailbox: true } } };
const KEY = `sk-ant-api03-${'Ab1'.repeat(31)}-AAAAAA`;

describe.each(WAYS)('over %s', (way) => {
  it('no tool shows what the agent may not read: not its events, not that they exist [C2A-06-02/security/permissions-before-tools]', async () => {
    const { wire, agent } = await hostWith(way, 'lead', {
      agents: [{ id: 'lead', conversations: ['open', 'dm-ada'] }, { id: 'builder' }],
    });
    const secret = await wire.say('@builder the kumquat plan', { in: 'dm-ada', kind: 'dm' });
    const far = await wire.say('the kumquat rooms', { in: 'closed' });
    const near = await wire.say('hello', { in: 'open' });
    for (const [name, args] of [
      ['chat.read_thread', { inReplyTo: secret }],
      ['chat.read_thread', { target: 'dm:dm-ada' }],
      ['chat.read_thread', { target: 'channel:closed' }],
      ['chat.list_events', { target: 'channel:closed' }],
      ['chat.claim', { inReplyTo: far }],
      ['chat.react', { inReplyTo: far, signal: 'seen' }],
      ['chat.resolve', { inReplyTo: secret }],
    ] as const)
      expect([name, args, await agent.tool(name, args)]).toMatchObject([
        name,
        args,
        { ok: false, name: 'not_found' },
      ]);
    const { events } = resultIn(await agent.tool('chat.list_events', {}));
    expect((events as { eventId: string }[]).map(({ eventId }) => eventId)).toEqual([near]);
  });

  it('secrets are cut out before they reach a model or a page [C2A-06-02/security/redaction]', async () => {
    const { wire, agent } = await hostWith(way, 'lead', {}, { onTurn: () => undefined });
    const eventId = await wire.say(`@lead the key is ${KEY}, can you rotate it?`);
    await wire.pass(3_000);
    const seen = await agent.next((one) => one.eventId === eventId);
    expect(seen.text).toMatch(/the key is .*, can you rotate it\?/);
    const { body } = await wire.call('GET', '/v1/log', await wire.token('operator', 'ops'));
    const read = resultIn(await agent.tool('chat.read_thread', { inReplyTo: eventId }));
    for (const shown of [seen.raw, seen.text, body, read]) expect(JSON.stringify(shown)).not.toContain(KEY);
  });
});

it('whatever is posted is read as untrusted: what is no event is refused with the field, and the host goes on [C2A-06-02/security/content-untrusted, C2A-06-24/security/content-untrusted]', async () => {
  const wire = await wireHost();
  const event = wire.event('hello');
  const broken: unknown[] = [
    { ...event, text: 'x'.repeat(70_000) },
    { ...event, eventId: '' },
    { ...event, author: { id: 'ada', kind: 'root' } },
    { ...event, conversation: { id: 'x'.repeat(300), kind: 'channel' } },
    { ...event, type: 'tick' },
    { ...event, author: { id: 'earshot', kind: 'system' }, type: 'turn', phase: 'started' },
    'drop table',
    null,
  ];
  const results = await wire.post(...(broken as object[]));
  expect(results.map(({ status }) => status)).toEqual(broken.map(() => 'refused'));
  for (const { error } of results.slice(0, 4))
    expect(error?.message).toMatch(/^(text|eventId|author|conversation)/);
  const nasty = '\u202E\u0000\uFFFF $(rm -rf /) <script>alert(1)</script> ${process.env}';
  expect(await wire.say(nasty)).toEqual(expect.any(String));
  const agentToken = await wire.token('agent', 'lead');
  expect(await wire.call('POST', '/v1/events', agentToken, { events: [event] })).toMatchObject({
    status: 403,
  });
  expect(await wire.call('GET', '/v1/log', agentToken)).toMatchObject({ status: 403 });
  expect(await wire.call('GET', '/v1/log', 'ear_o_nonsense')).toMatchObject({ status: 401 });
});

it('inbound events and outbound replies are limited, and the refusal says when to come back [C2A-06-02/security/rate-limit-in, C2A-06-02/security/rate-limit-out]', async () => {
  const { wire, agent } = await hostWith(
    'websocket',
    'lead',
    { host: { limits: { sendsPerMinute: 4, unpromptedPerHour: 1_000 } } },
    NO_WAITING,
  );
  await wire.say('good morning');
  const names: string[] = [];
  for (let n = 0; n < 8; n++) {
    const answer = await agent.tool('chat.send_message', {
      target: 'channel:general',
      text: `Number ${n}.`,
      visibility: 'channel',
      directedness: 'ambient',
      idempotencyKey: `rate-${n}`,
    });
    names.push(answer.ok ? 'sent' : `${answer.name}: ${answer.message}`);
  }
  expect(names[0]).toBe('sent');
  expect(names.at(-1)).toMatch(/rate_limited: .*\d+ (?:ms|s)/);
  const token = await wire.token('surface', 'chat');
  let refused: Awaited<ReturnType<WireHost['call']>> | undefined;
  for (let n = 0; refused === undefined && n < 200; n++) {
    const events = Array.from({ length: 100 }, () => wire.event('flood'));
    const answer = await wire.call('POST', '/v1/events', token, { events });
    if (answer.status === 429) refused = answer;
  }
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  // Nothing was dropped in silence: after a while the same source is heard again.
  await wire.pass(60_000, 60_000);
  expect(await wire.say('hello again')).toEqual(expect.any(String));
});

it('deliveries, policies, claims, tool calls and sends are written down with who did them [C2A-06-02/security/audit-deliveries, C2A-06-02/security/audit-claims, C2A-06-02/security/audit-policies, C2A-06-02/security/audit-tool-calls, C2A-06-02/security/audit-sends]', async () => {
  const { wire, agent } = await hostWith('websocket', 'lead', {}, NO_WAITING);
  const asked = await wire.say('@lead is it up?');
  const seen = await agent.next(({ eventId }) => eventId === asked);
  const open = await wire.say('can somebody look?', { by: 'bob', in: 'other' });
  resultIn(await agent.tool('chat.claim', { inReplyTo: open }));
  const { eventId: sent } = resultIn(await agent.reply(seen, 'It is.'));
  resultIn(await agent.tool('chat.read_thread', { inReplyTo: asked }));
  await wire.pass(2_000);
  const ops = await wire.token('operator', 'ops');
  const { body: why } = await wire.call('GET', `/v1/why/${asked}?agent=lead`, ops);
  expect(why).toMatchObject({
    decisions: [{ agent: 'lead', policy: 'must_respond' }],
    deliveries: [{ agent: 'lead', eventId: asked, disposition: 'responded' }],
  });
  const { body } = await wire.call('GET', '/v1/log', ops);
  expect(body['log']).toContainEqual(
    expect.objectContaining({ type: 'claim', targetEventId: open, author: { id: 'lead', kind: 'agent' } }),
  );
  expect(body['log']).toContainEqual(
    expect.objectContaining({ type: 'message', eventId: sent, text: 'It is.' }),
  );
  const rows = await wire.host.context.store.scan('audit', 'byPosition', { limit: 1_000 });
  const acts = rows.map(({ who, what }) => `${who} ${what}`);
  for (const tool of ['chat.claim', 'chat.send_message', 'chat.read_thread'])
    expect(acts).toContain(`agent:lead ${tool}`);
  expect(JSON.stringify(rows)).not.toContain('It is.');
});

it('people are shown sensitive work and private content before it goes out [C2A-06-02/security/shown-before-sensitive-work, C2A-06-02/security/shown-before-private-content]', async () => {
  const { wire, agent } = await hostWith(
    'websocket',
    'lead',
    { host: { sensitive: [{ pattern: 'deploy to production', reason: 'it deploys' }] } },
    NO_WAITING,
  );
  const dm = await wire.say('@lead the budget is four kumquats a week, keep it between us please', {
    in: 'dm-ada',
    kind: 'dm',
  });
  await agent.next(({ eventId }) => eventId === dm);
  const asked = await wire.say('@lead can you deploy?', { by: 'bob' });
  const seen = await agent.next(({ eventId }) => eventId === asked);
  const waits = [
    await agent.reply(seen, 'I will deploy to production now.'),
    await agent.tool('chat.send_message', {
      target: 'channel:general',
      text: 'As Ada says: the budget is four kumquats a week, keep it between us please.',
      visibility: 'channel',
      directedness: 'ambient',
      inReplyTo: dm,
      idempotencyKey: 'quote',
    }),
  ];
  for (const answer of waits) expect(answer).toMatchObject({ ok: false, name: 'needs_approval' });
  expect(wire.platform.texts().some((text) => /deploy to production|kumquats/.test(text))).toBe(false);
  const ops = await wire.token('operator', 'ops');
  const { body } = await wire.call('GET', '/v1/inbox', ops);
  const approvals = (body['inbox'] as { key: string; kind: string; detail: { text: string } }[]).filter(
    ({ kind }) => kind === 'approval',
  );
  expect(approvals.map(({ detail }) => detail.text).toSorted()).toEqual([
    expect.stringContaining('four kumquats'),
    expect.stringContaining('deploy to production'),
  ]);
  for (const { key } of approvals)
    await wire.call('POST', `/v1/inbox/${encodeURIComponent(key)}/approve`, ops, {});
  await wire.pass(2_000);
  expect(
    wire.platform.texts().filter((text) => /deploy to production now|four kumquats/.test(text)),
  ).toHaveLength(2);
});
