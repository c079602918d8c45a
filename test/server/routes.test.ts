// The other routes: pulling and acknowledging, JSON-RPC over HTTP, the inbox and its approvals, redelivery, the log, the
// stream, and who may ask.
import { describe, expect, it } from 'vitest';
import { delegate, type Fixture, fixture, message, send } from './fixture.ts';

const outbox = async ({ call }: Fixture, as: 'dev' | 'other' = 'dev') =>
  (await call('GET', '/v1/outbox', as)).body['messages'] as Record<string, unknown>[];

async function answered(host: Fixture) {
  const sent = message('@lead can you look?');
  await host.call('POST', '/v1/events', 'dev', sent);
  const said = await host.tool('lead', 'chat.send_message', send(sent.eventId));
  expect(said.structuredContent).toMatchObject({ status: 'pending' });
  return { sent, key: `lead:k-${sent.eventId}` };
}

describe('the outbox of a source that pulls', () => {
  it('offers its own rows until acknowledged, and nobody else’s', async () => {
    const host = await fixture();
    const { sent, key } = await answered(host);
    expect(await outbox(host)).toMatchObject([{ idempotencyKey: key, replyTo: sent.eventId, agent: 'lead' }]);
    expect(await outbox(host, 'other')).toEqual([]);
    const ack = { key, platformId: 'p-1' };
    expect((await host.call('POST', '/v1/outbox/ack', 'other', ack)).status).toBe(404);
    expect(await outbox(host)).toHaveLength(1);
    expect((await host.call('POST', '/v1/outbox/ack', 'dev', ack)).body).toMatchObject({ state: 'visible' });
    expect(
      (await host.call('POST', '/v1/outbox/ack', 'dev', { ...ack, platformId: 'p-2' })).body,
    ).toMatchObject({ platformId: 'p-1' });
    expect(await outbox(host)).toEqual([]);
    const log = (await host.call('GET', '/v1/log', 'operator')).body['log'] as { author: { id: string } }[];
    expect(log.map(({ author }) => author.id)).toEqual(['ada', 'lead']);
  });

  it('takes a refusal of the platform: the agent hears it, and its next answer is shown', async () => {
    const host = await fixture();
    const { sent, key } = await answered(host);
    const refusal = { key, refused: 'msg_too_long' };
    expect((await host.call('POST', '/v1/outbox/ack', 'other', refusal)).status).toBe(404);
    for (const _ of [1, 2])
      expect((await host.call('POST', '/v1/outbox/ack', 'dev', refusal)).body).toMatchObject({
        state: 'failed',
      });
    expect(await outbox(host)).toEqual([]);
    const again = await host.tool('lead', 'chat.send_message', send(sent.eventId));
    expect(again.structuredContent).toMatchObject({
      data: { name: 'not_delivered', problem: 'msg_too_long' },
    });
    const other = { idempotencyKey: 'other', text: 'Short.' };
    await host.tool('lead', 'chat.send_message', send(sent.eventId, other));
    expect(await outbox(host)).toMatchObject([{ text: 'Short.' }]);
    const shown = { key: 'lead:other', platformId: 'p-1', refused: undefined };
    expect((await host.call('POST', '/v1/outbox/ack', 'dev', shown)).body).toMatchObject({
      state: 'visible',
    });
    for (const wrong of [{ key }, { key, refused: '' }, { key, refused: 'x', platformId: 'p-2' }])
      expect((await host.call('POST', '/v1/outbox/ack', 'dev', wrong)).status).toBeGreaterThanOrEqual(400);
  });

  it('offers a long text part by part, the next one when the one before is shown', async () => {
    const host = await fixture();
    const sent = message('@lead can you look?');
    await host.call('POST', '/v1/events', 'dev', sent);
    const paragraphs = ['a', 'b', 'c'].map((letter) => letter.repeat(6_000));
    await host.tool('lead', 'chat.send_message', send(sent.eventId, { text: paragraphs.join('\n\n') }));
    const key = `lead:k-${sent.eventId}`;
    for (const [index, text] of paragraphs.entries()) {
      const number = index + 1;
      const own = number === 1 ? key : `${key}#${number}`;
      for (const _ of ['offered', 'again until it is acknowledged'])
        expect(await outbox(host)).toMatchObject([{ idempotencyKey: own, text, part: { number, of: 3 } }]);
      const ack = { key: own, platformId: `p-${number}` };
      expect((await host.call('POST', '/v1/outbox/ack', 'dev', ack)).body).toEqual({
        ...ack,
        state: 'visible',
      });
    }
    expect(await outbox(host)).toEqual([]);
    const log = (await host.call('GET', '/v1/log', 'operator')).body['log'] as { text?: string }[];
    expect(log.at(-1)?.text).toBe(paragraphs.join('\n\n'));
  });

  it('is refused to agents and operators without the scope, and pages', async () => {
    const host = await fixture();
    expect((await host.call('GET', '/v1/outbox', 'lead')).status).toBe(403);
    for (const _ of [1, 2, 3]) await answered(host);
    const first = (await host.call('GET', '/v1/outbox?limit=2', 'dev')).body;
    expect(first['messages']).toHaveLength(2);
    const second = (await host.call('GET', `/v1/outbox?limit=2&cursor=${String(first['nextCursor'])}`, 'dev'))
      .body;
    expect(second['messages']).toHaveLength(1);
    expect(second['nextCursor']).toBeUndefined();
  });
});

describe('POST /c2a', () => {
  it('serves a harness that pulls: initialize, wait, turn, send, settle', async () => {
    const host = await fixture();
    expect(await host.rpc('lead', 'initialize', { protocolVersion: '2026-06-02' })).toMatchObject({
      result: { protocolVersion: '2026-06-02', agent: 'agent:lead' },
    });
    const waiting = host.tool('lead', 'chat.wait_events', { timeoutMs: 25_000 });
    const sent = message('@lead please check the deploy');
    await host.call('POST', '/v1/events', 'dev', sent);
    host.clock.advance(2_000); // the compose window
    const { structuredContent } = await waiting;
    expect(structuredContent).toMatchObject({
      events: [{ eventId: sent.eventId, attention: { policy: 'must_respond' } }],
    });
    expect(await host.rpc('lead', 'turn/started', { turnId: 't1', eventIds: [sent.eventId] })).toMatchObject({
      result: {},
    });
    await host.tool('lead', 'chat.send_message', send(sent.eventId, { turnId: 't1' }));
    expect(await host.rpc('lead', 'turn/ended', { turnId: 't1', outcome: 'answered' })).toMatchObject({
      result: { sendsCommitted: 1 },
    });
    const { body } = await host.call('GET', `/v1/why/${sent.eventId}?agent=lead`, 'operator');
    expect(body).toMatchObject({
      decisions: [{ agent: 'lead', policy: 'must_respond' }],
      deliveries: [{ disposition: 'responded' }],
    });
  });

  it.each<[string, 'dev' | 'ghost' | 'lead', unknown, number]>([
    ['a surface’s token', 'dev', { jsonrpc: '2.0', id: 1, method: 'ping' }, 403],
    ['an agent that is not configured', 'ghost', { jsonrpc: '2.0', id: 1, method: 'ping' }, 403],
    ['no JSON-RPC', 'lead', { hello: 1 }, 400],
    ['an unknown method', 'lead', { jsonrpc: '2.0', id: 1, method: 'rm' }, 200],
    ['a notification', 'lead', { jsonrpc: '2.0', method: 'notifications/initialized' }, 202],
  ])('%s is answered', async (_, as, body, status) => {
    const host = await fixture();
    expect((await host.call('POST', '/c2a', as, body)).status).toBe(status);
  });

  it('ends a long poll when the host drains', async () => {
    const polling = Promise.withResolvers<void>();
    const host = await fixture({
      wrapStore: (store) => ({
        ...delegate(store),
        scan: (table, index, range) => {
          if (index === 'openByAgent') polling.resolve();
          return store.scan(table, index, range);
        },
      }),
    });
    const waiting = host.tool('lead', 'chat.wait_events', { timeoutMs: 25_000 });
    await polling.promise;
    const drained = host.server.drain();
    expect((await waiting).structuredContent).toMatchObject({ events: [] });
    await drained;
  });
});

async function asked(host: Fixture) {
  const sent = message('@lead ship it');
  await host.call('POST', '/v1/events', 'dev', sent);
  const refused = await host.tool(
    'lead',
    'chat.send_message',
    send(sent.eventId, { text: 'I deploy it now.' }),
  );
  expect(refused.isError).toBe(true);
  const { body } = await host.call('GET', '/v1/inbox', 'operator');
  const [item] = body['inbox'] as { key: string; kind: string; detail: Record<string, unknown> }[];
  expect(item).toMatchObject({ kind: 'approval', detail: { reason: 'deploys' } });
  return { sent, path: `/v1/inbox/${encodeURIComponent(item?.key ?? '')}` };
}

/** Posting to a source that pulls takes a turn of the loop or two. */
const DEPLOYS = 'I deploy it now.';

/** What is to be shown, without the line that says that something waits for a person. */
async function answersIn(host: Fixture) {
  return (await outbox(host)).filter(({ text }) => text === DEPLOYS);
}

async function pulledOnce(host: Fixture) {
  for (;;) {
    const rows = await answersIn(host);
    if (rows.length > 0) return rows;
  }
}

describe('the inbox', () => {
  const sensitive = { host: { sensitive: [{ reason: 'deploys', words: ['deploy'] }] } };

  it('an approved send goes out, settles what it answers, and is audited as the human’s agree', async () => {
    const host = await fixture(sensitive);
    const { sent, path } = await asked(host);
    expect(await answersIn(host)).toEqual([]);
    expect((await host.call('POST', `${path}/close`, 'operator')).status).toBe(409);
    expect((await host.call('POST', `${path}/approve`, 'operator')).body).toMatchObject({
      item: { open: false },
    });
    await host.host.poster.idle();
    const audit = await host.store.scan('audit', 'byPosition', { limit: 10 });
    expect(audit.filter(({ what }) => what === 'approve')).toMatchObject([
      { who: 'operator:ops', what: 'approve', detail: { signal: 'agree' } },
    ]);
    const pulled = await pulledOnce(host);
    expect(pulled).toHaveLength(1);
    const delivery = await host.store.scan('delivery', 'bySource', { eq: [sent.eventId], limit: 10 });
    expect(delivery).toMatchObject([{ agent: 'lead', state: 'settled', disposition: 'responded' }]);
    expect((await host.call('POST', `${path}/approve`, 'operator')).status).toBe(409);
  });

  it('a declined send never goes out', async () => {
    const host = await fixture(sensitive);
    const { path } = await asked(host);
    expect((await host.call('POST', `${path}/decline`, 'operator')).status).toBe(200);
    expect(await answersIn(host)).toEqual([]);
    const [row] = await host.store.scan('outbox', 'byAgentConversation', {
      eq: ['lead', 'c/dev/w/general'],
      limit: 10,
    });
    expect(row).toMatchObject({ state: 'cancelled', error: 'declined' });
  });

  it('is the operators’ alone', async () => {
    const host = await fixture(sensitive);
    const { path } = await asked(host);
    expect((await host.call('GET', '/v1/inbox', 'lead')).status).toBe(403);
    expect((await host.call('POST', `${path}/approve`, 'lead')).status).toBe(403);
    expect((await host.call('POST', '/v1/inbox/none/close', 'operator')).status).toBe(404);
  });
});

describe('redelivery by hand', () => {
  it('hands a dead letter over again as a new delivery, one attempt more, and closes its inbox item', async () => {
    const host = await fixture();
    const sent = message('@lead hello');
    await host.call('POST', '/v1/events', 'dev', sent);
    const [row] = await host.store.scan('delivery', 'bySource', { eq: [sent.eventId], limit: 1 });
    if (row === undefined) throw new Error('no delivery');
    const { position: _, ...letter } = row;
    const inbox = {
      key: `dead:${row.key}`,
      kind: 'dead_letter' as const,
      eventId: sent.eventId,
      agents: ['lead'],
      detail: {},
      createdAt: 0,
      closedAt: null,
      open: 1 as const,
    };
    await host.store.transact({
      states: [],
      run: () => ({
        writes: [
          {
            table: 'delivery',
            row: { ...letter, state: 'dead_lettered', open: 0, disposition: 'failed', why: 'x' },
          },
          { table: 'inbox', row: inbox },
        ],
        result: undefined,
      }),
    });
    const path = `/v1/deliveries/${encodeURIComponent(row.key)}/redeliver`;
    const { body } = await host.call('POST', path, 'operator');
    expect(body).toMatchObject({
      delivery: {
        key: `${sent.eventId}/retry-${row.attempt + 1}:agent_lead`,
        state: 'queued',
        attempt: row.attempt + 1,
        disposition: null,
      },
    });
    expect(await host.store.get('delivery', row.key)).toMatchObject({ state: 'dead_lettered', open: 0 });
    expect(await host.store.get('inbox', inbox.key)).toMatchObject({ open: 0 });
    const { structuredContent } = await host.tool('lead', 'chat.wait_events', {});
    expect(structuredContent['events']).toHaveLength(1);
  });

  it('refuses what has been settled', async () => {
    const host = await fixture();
    const { sent } = await answered(host);
    const key = encodeURIComponent(`${sent.eventId}:agent_lead`);
    expect((await host.call('POST', `/v1/deliveries/${key}/redeliver`, 'operator')).status).toBe(409);
    expect((await host.call('POST', '/v1/deliveries/none/redeliver', 'operator')).status).toBe(404);
  });
});

describe('looking', () => {
  it('tells agents, conversations, deliveries and the log, a page at a time', async () => {
    const host = await fixture();
    await host.call('POST', '/v1/events', 'dev', [
      message('@lead a'),
      message('b', { author: { id: 'bob', kind: 'human' } }),
      message('c', { conversation: { id: 'x/y', kind: 'channel' } }),
    ]);
    const agents = (await host.call('GET', '/v1/agents', 'operator')).body['agents'];
    expect(agents).toMatchObject([
      { id: 'lead', connected: false },
      { id: 'builder', lead: 'lead' },
    ]);
    const conversations = (await host.call('GET', '/v1/conversations', 'operator')).body['conversations'];
    expect(conversations).toMatchObject([{ events: 2, surface: 'dev' }, { conversation: { id: 'x/y' } }]);
    const deliveries = (await host.call('GET', '/v1/deliveries', 'operator')).body['deliveries'];
    expect(deliveries).toMatchObject([{ agent: 'lead', state: 'queued' }]);
    const first = (await host.call('GET', '/v1/log?limit=2', 'operator')).body;
    const rest = (await host.call('GET', `/v1/log?limit=2&cursor=${String(first['nextCursor'])}`, 'operator'))
      .body;
    expect([(first['log'] as unknown[]).length, (rest['log'] as unknown[]).length]).toEqual([2, 1]);
    const last = (await host.call('GET', '/v1/log?last=true&limit=1', 'operator')).body['log'];
    expect(last).toMatchObject([{ conversation: { id: 'x/y' } }]);
  });

  it('explains a decision in words, also why nobody was asked', async () => {
    const host = await fixture();
    const sent = message('@lead are you there?');
    await host.call('POST', '/v1/events', 'dev', sent);
    const { body } = await host.call('GET', `/v1/why/${sent.eventId}`, 'operator');
    expect(body['decisions']).toMatchObject([
      { agent: 'lead', headline: expect.stringContaining('must answer') as string },
      { agent: 'builder' },
    ]);
    const nobody = (await host.call('GET', `/v1/why/${sent.eventId}?agent=ghost`, 'operator')).body;
    expect(nobody['note']).toContain('ghost is not an agent of this host');
    expect((await host.call('GET', '/v1/why/nothing', 'operator')).status).toBe(404);
  });

  it.each([
    '/v1/agents',
    '/v1/conversations',
    '/v1/deliveries',
    '/v1/inbox',
    '/v1/log',
    '/v1/stream',
    '/v1/why/x',
    '/v1/tokens',
    '/v1/doctor',
  ])('%s is for operators', async (path) => {
    const host = await fixture();
    expect((await host.call('GET', path)).status).toBe(401);
    expect((await host.call('GET', path, 'dev')).status).toBe(403);
    expect((await host.call('GET', path, 'lead')).status).toBe(403);
  });
});

describe('tokens and codes over HTTP', () => {
  it('shows a token once, lists it by key, and revokes it for good', async () => {
    const host = await fixture();
    const made = await host.call('POST', '/v1/tokens', 'operator', { kind: 'surface', subject: 'bridge' });
    expect(made.status).toBe(201);
    expect(made.body['note']).toContain('restart');
    const listed = await host.call('GET', '/v1/tokens', 'operator');
    expect(listed.text).not.toContain(made.body['token'] as string);
    const key = made.body['key'] as string;
    expect((await host.call('DELETE', `/v1/tokens/${key}`, 'operator')).body).toMatchObject({
      subject: 'bridge',
    });
    expect((await host.call('DELETE', `/v1/tokens/${key}`, 'operator')).status).toBe(409);
    expect((await host.call('DELETE', '/v1/tokens/ffff', 'operator')).status).toBe(400);
    const code = await host.call('POST', '/v1/pairings', 'operator', { role: 'owner' });
    expect(code.body['code']).toMatch(/^claim-[2-9A-Z]{4}-[2-9A-Z]{4}$/);
  });

  it('refuses scopes its kind cannot have', async () => {
    const host = await fixture();
    const body = { kind: 'agent', subject: 'lead', scopes: ['operator:write'] };
    expect((await host.call('POST', '/v1/tokens', 'operator', body)).status).toBe(400);
  });
});
