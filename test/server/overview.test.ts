// What an operator sees of agents, claims and obligations, and what they may do about them.
import { expect, it } from 'vitest';
import { type AttentionSettingsInput, attentionSettingsSchema } from '../../src/attention/index.ts';
import type {
  AgentsPage,
  ClaimsAnswer,
  ConversationsPage,
  ObligationsAnswer,
  SettingsAnswer,
  ShownAgent,
} from '../../src/protocol/operator-api.ts';
import { type Fixture, fixture, message, send } from './fixture.ts';

const HOUR = 3_600_000;

async function agent(host: Fixture, id: string): Promise<ShownAgent> {
  const { body } = await host.call('GET', '/v1/agents', 'operator');
  const found = (body as unknown as AgentsPage).agents.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no agent ${id}`);
  return found;
}
const obligations = async (host: Fixture, query = '') =>
  (await host.call('GET', `/v1/obligations?${query}`, 'operator')).body as unknown as ObligationsAnswer;
const act = (host: Fixture, path: string, body: unknown) => host.call('POST', path, 'operator', body);

const question = (to: string, more: Record<string, unknown> = {}) =>
  message('which key do I use?', {
    recipients: [to],
    obligation: { blocks: 'halted', defaultAction: 'I wait' },
    ...more,
  });

it('shows what an agent is doing, what waits for it and how it is set', async () => {
  const host = await fixture();
  expect(await agent(host, 'lead')).toMatchObject({
    connected: false,
    busy: null,
    queue: { open: 0, mustRespond: 0, oldestAt: null, more: false },
    claims: [],
    modes: [],
    loops: [],
    focusUntil: null,
    lastSession: null,
    lastSeenAt: null,
  });
  const asked = message('@lead can you look?');
  await host.call('POST', '/v1/events', 'dev', asked);
  await host.call(
    'POST',
    '/v1/events',
    'dev',
    message('@lead and at this?', { author: { id: 'ben', kind: 'human' } }),
  );
  expect((await agent(host, 'lead')).queue).toMatchObject({ open: 2, mustRespond: 2 });
  host.clock.advance(1_000);
  const since = new Date(host.clock.now()).toISOString();
  await host.rpc('lead', 'turn/started', { turnId: 't1', eventIds: [asked.eventId] });
  host.clock.advance(1_000);
  expect((await agent(host, 'lead')).busy).toEqual({
    turnId: 't1',
    since,
    eventIds: [asked.eventId],
    sends: 0,
  });
  await host.rpc('lead', 'turn/ended', { turnId: 't1', outcome: 'cancelled' });
  expect((await agent(host, 'lead')).busy).toBeNull();
  await host.tool('lead', 'chat.set_mode', { target: 'channel:general', mode: 'mention_only' });
  await host.tool('lead', 'chat.focus', { ttlMs: HOUR });
  const now = await agent(host, 'lead');
  expect(now.modes).toMatchObject([{ id: 'general', mode: 'mention_only' }]);
  expect(Date.parse(now.focusUntil ?? '')).toBe(host.clock.now() + HOUR);
});

it('shows claims with the event and the time left, the soonest to end first', async () => {
  const host = await fixture();
  const long = message('@lead this?', { eventId: `a-long-id-that-state-keeps-as-a-hash-${'x'.repeat(40)}` });
  const short = message('@builder that?');
  await host.call('POST', '/v1/events', 'dev', { events: [long, short] });
  await host.tool('lead', 'chat.claim', { inReplyTo: long.eventId, ttlMs: 2 * HOUR });
  await host.tool('builder', 'chat.claim', { inReplyTo: short.eventId, ttlMs: HOUR });
  host.clock.advance(60_000);
  const { body } = await host.call('GET', '/v1/claims', 'operator');
  expect(body as unknown as ClaimsAnswer).toMatchObject({
    complete: true,
    claims: [
      { agent: 'builder', eventId: short.eventId, scope: 'event', leftMs: HOUR - 60_000 },
      { agent: 'lead', eventId: long.eventId, conversationId: 'general', leftMs: 2 * HOUR - 60_000 },
    ],
  });
  expect((await agent(host, 'lead')).claims).toMatchObject([{ eventId: long.eventId }]);
  const rooms = (await host.call('GET', '/v1/conversations', 'operator'))
    .body as unknown as ConversationsPage;
  expect(rooms.conversations[0]?.claims).toHaveLength(2);
});

it('shows how far a loop has come, and where', async () => {
  const host = await fixture();
  for (let n = 0; n < 7; n++) {
    const [from, to] = n % 2 === 0 ? ['lead', 'builder'] : ['builder', 'lead'];
    const said = message(`@${to} can you check number ${n} of the ${'abcdefg'[n]} list?`, {
      author: { id: from, kind: 'agent' },
    });
    await host.call('POST', '/v1/events', 'dev', said);
    host.clock.advance(30_000);
  }
  const { loops } = await agent(host, 'lead');
  expect(loops).toMatchObject([{ id: 'general', agents: ['lead', 'builder'], level: 1, cause: null }]);
  expect(loops[0]?.count).toBeGreaterThanOrEqual(5);
});

it('shows who owes whom, both ways, with age and place on the ladder', async () => {
  const host = await fixture();
  await host.call(
    'POST',
    '/v1/events',
    'dev',
    question('agent:lead', { author: { id: 'builder', kind: 'agent' } }),
  );
  host.clock.advance(60_000);
  const {
    obligations: [one],
    total,
  } = await obligations(host);
  expect(total).toBe(1);
  expect(one).toMatchObject({
    owedBy: 'agent:lead',
    owedTo: 'agent:builder',
    blocks: 'halted',
    ageMs: 60_000,
    rung: 'recipient',
    state: 'open',
    words: expect.stringContaining('comes back to agent:lead at ') as string,
    // A worker's lead is not the judge of its own debt.
    mayDischarge: ['agent:builder'],
    operatorMay: false,
  });
  expect((await obligations(host, 'owedBy=lead')).total).toBe(1);
  expect((await obligations(host, 'owedBy=builder')).total).toBe(0);
  expect((await obligations(host, 'owedTo=agent:builder')).total).toBe(1);
  expect((await agent(host, 'lead')).obligations).toMatchObject({ owes: [{ key: one?.key }], blocks: 1 });
  expect((await agent(host, 'builder')).obligations).toMatchObject({
    blockedOn: [{ key: one?.key }],
    owes: [],
  });
});

it('a question that was read and answered beside the point looks open until its author closes it [OBL/0/open-looks-open]', async () => {
  const host = await fixture();
  const asked = question('agent:lead');
  await host.call('POST', '/v1/events', 'dev', asked);
  await host.tool('lead', 'chat.send_message', send(asked.eventId));
  await host.tool('lead', 'chat.react', { inReplyTo: asked.eventId, signal: 'seen' });
  await host.tool('lead', 'chat.react', {
    inReplyTo: asked.eventId,
    signal: 'done',
    recipient: 'agent:lead',
  });
  const told = async () =>
    (await host.call('GET', `/v1/why/${asked.eventId}?agent=lead`, 'operator')).text.includes(
      'agent:lead owes human:ada an answer.',
    );
  expect([(await obligations(host)).obligations[0]?.state, await told()]).toEqual(['open', true]);
  const done = {
    ...message(''),
    text: undefined,
    type: 'reaction',
    targetEventId: asked.eventId,
    signal: 'done',
    recipient: 'agent:lead',
  };
  await host.call('POST', '/v1/events', 'dev', done);
  expect([(await obligations(host)).total, await told()]).toEqual([0, false]);
});

it('an operator may not discharge what is not the owner’s, and is told who may', async () => {
  const host = await fixture();
  await host.call('POST', '/v1/events', 'dev', question('agent:lead'));
  const key = (await obligations(host)).obligations[0]?.key ?? '';
  const path = `/v1/obligations/${encodeURIComponent(key)}/discharge`;
  const refused = await host.call('POST', path, 'operator');
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('only human:ada may');
  expect((await obligations(host)).total).toBe(1);
  expect((await host.call('POST', '/v1/obligations/none/discharge', 'operator')).status).toBe(404);
});

it('on the last rung an operator discharges for the owner, as a record of the log', async () => {
  const host = await fixture();
  await host.call(
    'POST',
    '/v1/events',
    'dev',
    question('human:owner', { author: { id: 'lead', kind: 'agent' } }),
  );
  const [one] = (await obligations(host)).obligations;
  expect(one).toMatchObject({ rung: 'human', operatorMay: true });
  const { status, body } = await host.call(
    'POST',
    `/v1/obligations/${encodeURIComponent(one?.key ?? '')}/discharge`,
    'operator',
  );
  expect([status, body['ok']]).toEqual([200, true]);
  expect((await obligations(host)).total).toBe(0);
  const row = await host.store.get('log', body['eventId'] as string);
  expect(row?.record.event).toMatchObject({
    type: 'reaction',
    signal: 'done',
    author: { id: 'owner', displayName: 'operator ops' },
  });
});

it('sets a mode as a record with the operator as its author, and it holds', async () => {
  const host = await fixture();
  await host.call('POST', '/v1/events', 'dev', message('hello'));
  const { status, body } = await act(host, '/v1/agents/lead/mode', { conversation: 'general', mode: 'left' });
  expect([status, body['words']]).toEqual([200, expect.stringContaining('lead now has left') as string]);
  const row = await host.store.get('log', body['eventId'] as string);
  expect(row?.record).toMatchObject({
    kind: 'control',
    event: { type: 'mode', agent: 'lead', mode: 'left', author: { id: 'operator:ops', kind: 'human' } },
  });
  expect((await agent(host, 'lead')).modes).toMatchObject([{ id: 'general', mode: 'left' }]);
  const quiet = message('lead, anything new?');
  await host.call('POST', '/v1/events', 'dev', quiet);
  const why = await host.call('GET', `/v1/why/${quiet.eventId}?agent=lead`, 'operator');
  expect(why.body['decisions']).toMatchObject([{ reason: 'left' }]);
  await act(host, '/v1/agents/lead/mode', { conversation: 'c/dev/w/general', mode: 'auto' });
  expect((await agent(host, 'lead')).modes).toMatchObject([{ mode: 'auto' }]);
  const audit = await host.store.scan('audit', 'byPosition', { limit: 10 });
  expect(audit.filter(({ what }) => what === 'mode')).toMatchObject([
    { who: 'operator:ops', detail: { agent: 'lead', mode: 'left' } },
    { who: 'operator:ops', detail: { mode: 'auto' } },
  ]);
});

it('disengages an agent from its exchange, and names the operator', async () => {
  const reasons: unknown[] = [];
  for (const told of [false, true]) {
    const host = await fixture();
    await host.call('POST', '/v1/events', 'dev', message('@lead can you look?'));
    if (told) {
      const { status, body } = await act(host, '/v1/agents/lead/disengage', { conversation: 'general' });
      expect(status).toBe(200);
      const row = await host.store.get('log', body['eventId'] as string);
      expect(row?.record.event).toMatchObject({
        type: 'disengage',
        agent: 'lead',
        author: { id: 'operator:ops', kind: 'human' },
      });
    }
    host.clock.advance(60_000);
    const more = message('and what about the tests?');
    await host.call('POST', '/v1/events', 'dev', more);
    const why = await host.call('GET', `/v1/why/${more.eventId}?agent=lead`, 'operator');
    reasons.push((why.body['decisions'] as { reason: string }[])[0]?.reason);
  }
  expect(reasons).toEqual(['exchange', 'ambient']);
});

it('puts an agent into focus and takes it out again', async () => {
  const host = await fixture();
  expect((await act(host, '/v1/agents/lead/focus', { ttlMs: HOUR })).body['words']).toContain(
    'is left alone until',
  );
  expect((await agent(host, 'lead')).focusUntil).not.toBeNull();
  await host.call('POST', '/v1/events', 'dev', message('@lead can you look?'));
  const [held] = await host.store.scan('delivery', 'openByAgent', { eq: ['lead', 1], limit: 1 });
  expect(held?.state).toBe('held');
  expect((await act(host, '/v1/agents/lead/focus', { ttlMs: 0 })).body['words']).toContain(
    'not in focus any more',
  );
  expect((await agent(host, 'lead')).focusUntil).toBeNull();
});

it.each<[string, unknown, number, string]>([
  ['/v1/agents/ghost/mode', { conversation: 'general', mode: 'left' }, 404, 'this host has lead, builder'],
  ['/v1/agents/lead/mode', { conversation: 'general', mode: 'quiet' }, 400, 'mode'],
  ['/v1/agents/lead/mode', { conversation: 'nowhere', mode: 'left' }, 404, 'GET /v1/conversations'],
  ['/v1/agents/lead/mode', { mode: 'left' }, 400, 'conversation'],
  ['/v1/agents/lead/focus', { ttlMs: -1 }, 400, 'ttlMs'],
  ['/v1/agents/ghost/focus', { ttlMs: 1 }, 404, 'this host has lead, builder'],
])('%s %j is refused with what to do', async (path, body, status, words) => {
  const host = await fixture();
  await host.call('POST', '/v1/events', 'dev', message('hello'));
  const answer = await act(host, path, body);
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words) as string]);
});

it.each([
  '/v1/agents/lead/mode',
  '/v1/agents/lead/focus',
  '/v1/obligations/x/discharge',
  '/v1/what-if',
  '/v1/replay',
])('POST %s is for operators', async (path) => {
  const host = await fixture();
  expect((await host.call('POST', path, undefined, {})).status).toBe(401);
  expect((await host.call('POST', path, 'lead', {})).status).toBe(403);
});

it('pages agents', async () => {
  const host = await fixture();
  const first = (await host.call('GET', '/v1/agents?limit=1', 'operator')).body as unknown as AgentsPage;
  expect([first.agents.map(({ id }) => id), first.nextCursor]).toEqual([['lead'], 'lead']);
  const second = (await host.call('GET', `/v1/agents?limit=1&cursor=lead`, 'operator'))
    .body as unknown as AgentsPage;
  expect([second.agents.map(({ id }) => id), second.nextCursor]).toEqual([['builder'], undefined]);
});

it('shows the rules as somebody would write them, and they are the same rules', async () => {
  const written = {
    preset: 'typeclaw',
    agents: [
      { id: 'lead', aliases: ['boss'] },
      { id: 'builder', roles: ['oncall'], lead: 'lead', conversations: ['dev/*/general'] },
    ],
    conversations: [{ match: 'dev/*/standup', openFloor: true }],
    limits: { deadlineMs: 60_000 },
    owner: 'U1',
  };
  const host = await fixture({ attention: written as AttentionSettingsInput });
  const { attention } = (await host.call('GET', '/v1/settings', 'operator'))
    .body as unknown as SettingsAnswer;
  expect(attention).toEqual(written);
  expect(attentionSettingsSchema.parse(attention)).toEqual(attentionSettingsSchema.parse(written));
  expect((await host.call('GET', '/v1/settings', 'lead')).status).toBe(403);
});
