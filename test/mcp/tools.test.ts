// The chat tools through the official MCP client, in both protocol eras, over streamable HTTP and over stdio with a
// real child process: every test runs on all four ways in.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MODEL_HIDDEN } from '../../src/protocol/tool.ts';
import { TOOL_NAMES, toolNameForModel } from '../../src/protocol/tool-name.ts';
import { call, reply } from './call.ts';
import {
  audited,
  type Agent,
  AGENTS,
  COMPOSE_MS,
  dataFolder,
  type Era,
  type McpHost,
  overHttp,
  overStdio,
  startMcpHost,
  stdioTransport,
} from './mcp-host.ts';

const WAYS = [
  { over: 'HTTP', era: 'legacy', version: '2025-11-25' },
  { over: 'HTTP', era: 'modern', version: '2026-07-28' },
  { over: 'stdio', era: 'legacy', version: '2025-11-25' },
  { over: 'stdio', era: 'modern', version: '2026-07-28' },
] as const satisfies { over: string; era: Era; version: string }[];

const dmWith = (agent: Agent) => ({ conversation: { id: `dm-${agent}`, kind: 'dm' } });

describe.each(WAYS)('MCP over $over, $era client', ({ over, era, version }) => {
  let at: McpHost;
  let dir: string;
  /** Child processes live as long as the suite: they find each test's host by its folder. */
  const clients = new Map<Agent, Client>();

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'earshot-mcp-'));
  });
  afterAll(async () => {
    for (const client of clients.values()) await client.close();
    await rm(dir, { recursive: true });
  });
  beforeEach(async () => {
    at = await startMcpHost();
    await dataFolder(join(dir, '.earshot'), at.tokenOf, at.url);
  });
  afterEach(() => at.close());

  async function connect(agent: Agent): Promise<Client> {
    if (over === 'HTTP') return overHttp(at, agent, era);
    const client = clients.get(agent) ?? (await overStdio(era, stdioTransport(dir, '--agent', agent)));
    clients.set(agent, client);
    return client;
  }

  it('introduces itself with the standing response rules, and answers', async () => {
    const client = await connect('lead');
    expect([client.getNegotiatedProtocolVersion(), client.getProtocolEra()]).toEqual([version, era]);
    expect(client.getServerVersion()?.name).toBe('earshot');
    expect(client.getInstructions()).toContain('You are agent:lead');
    expect(client.getInstructions()).toContain(
      'C2A RESPONSE RULES\n- Obey response_policy.\n- Do not reply to must_not_respond events.',
    );
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: false });
    if (era === 'legacy') await client.ping();
  });

  it('lists every tool under a name that providers accept, without keys and tokens', async () => {
    const { tools } = await (await connect('lead')).listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES.map(toolNameForModel));
    for (const { name, description, inputSchema, annotations } of tools) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(description).not.toMatch(/chat\.\w/);
      expect(inputSchema).toMatchObject({ type: 'object' });
      // Model providers take none of these at the top of a schema.
      for (const word of ['oneOf', 'anyOf', 'allOf']) expect(inputSchema).not.toHaveProperty(word);
      for (const hidden of MODEL_HIDDEN) expect(inputSchema.properties).not.toHaveProperty(hidden);
      expect(annotations).toMatchObject({
        destructiveHint: name === 'chat_delete_message',
        idempotentHint: name !== 'chat_ask_permission',
        openWorldHint: false,
      });
    }
    const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
    expect(readOnly.map(({ name }) => name)).toEqual([
      'chat_list_events',
      'chat_read_thread',
      'chat_read_attachment',
      'chat_wait_events',
      'chat_open_set',
    ]);
  });

  it('holds a call until there is an event, reads its thread and answers it; the same call again is the same send', async () => {
    const client = await connect('lead');
    const timers = at.clock.pending();
    const waiting = call(client, 'chat_wait_events', { timeoutMs: 25_000 });
    await expect.poll(() => at.clock.pending()).toBe(timers + 1);
    const eventId = await at.say('Is the deploy blocked?', dmWith('lead'));
    at.clock.advance(COMPOSE_MS);
    const event = { eventId, policy: 'must_respond', content: 'Is the deploy blocked?' };
    expect((await waiting).data).toMatchObject({ events: [event] });

    const thread = await call(client, 'chat_read_thread', { inReplyTo: eventId });
    expect(thread.data).toMatchObject({ target: 'dm:dm-lead', events: [{ eventId }] });
    expect(JSON.parse(thread.text)).toEqual(thread.data);

    const first = await call(client, 'chat_send_message', reply('dm:dm-lead', eventId, 'It is not.'));
    expect(first).toMatchObject({ isError: false, data: { status: 'sent', replayed: false } });
    const again = await call(client, 'chat_send_message', reply('dm:dm-lead', eventId, 'It is not.'));
    expect(again.data).toEqual({ ...first.data, replayed: true });
    expect(at.posted).toMatchObject([{ type: 'message', agent: 'lead', text: 'It is not.' }]);
    const settled = await call(client, 'chat_list_events', {
      target: 'dm:dm-lead',
      until: new Date(at.clock.now()).toISOString(),
    });
    expect(settled.data).toMatchObject({ events: [{}, { eventId, disposition: 'responded' }] });
  });

  it('ends the wait with nothing when its time is over', async () => {
    const client = await connect('lead');
    const timers = at.clock.pending();
    const waiting = call(client, 'chat_wait_events', { timeoutMs: 9_000 });
    await expect.poll(() => at.clock.pending()).toBe(timers + 1);
    at.clock.advance(9_000);
    expect((await waiting).data).toEqual({ events: [] });
  });

  it('lets go of the wait when the client cancels it', async () => {
    const client = await connect('lead');
    const timers = at.clock.pending();
    const cancel = new AbortController();
    const args = { name: 'chat_wait_events', arguments: { timeoutMs: 25_000 } };
    const waiting = client.callTool(args, { signal: cancel.signal }).catch(() => 'cancelled');
    await expect.poll(() => at.clock.pending()).toBe(timers + 1);
    cancel.abort();
    expect(await waiting).toBe('cancelled');
    await expect.poll(audited(at)).toBe(timers);
  });

  it('signals by a reaction, in place of a sentence', async () => {
    const client = await connect('lead');
    const eventId = await at.say('Please look at the build.', dmWith('lead'));
    const signalled = await call(client, 'chat_react', {
      inReplyTo: eventId,
      signal: 'queued',
      eta: 'after lunch',
    });
    expect(signalled.data).toMatchObject({ disposition: 'deferred' });
    expect(at.posted).toMatchObject([{ type: 'reaction', targetEventId: eventId, signal: 'queued' }]);
  });

  it('claims what a role was asked and answers under the claim, whose token the model never sees', async () => {
    const client = await connect('builder');
    const eventId = await at.say('@oncall the build is red', { mentions: [{ kind: 'role', id: 'oncall' }] });
    const answer = reply('channel:general', eventId, 'Fixed: a flaky test.');
    const early = await call(client, 'chat_send_message', answer);
    expect(early).toMatchObject({ isError: true, data: { data: { name: 'claim_first' } } });
    expect(early.text).toContain('Claim it with chat_claim');

    const claimed = await call(client, 'chat_claim', { inReplyTo: eventId });
    expect(claimed).toMatchObject({ isError: false, data: { status: 'claimed' } });
    expect(claimed.text + JSON.stringify(claimed.data)).not.toContain('token');
    expect(await call(client, 'chat_send_message', answer)).toMatchObject({ data: { status: 'sent' } });
    if (over === 'stdio') {
      const sent = at.calls.at(-1)?.arguments;
      expect(sent).toMatchObject({
        token: expect.any(Number),
        idempotencyKey: expect.stringMatching(/^mcp_/),
      });
    }
  });

  it('refuses in words that a model can act on', async () => {
    const lead = await connect('lead');
    const eventId = await at.say('The build was red last night.');
    const refused = await call(
      lead,
      'chat_send_message',
      reply('channel:general', eventId, 'Indeed it was.'),
    );
    expect(refused).toMatchObject({
      isError: true,
      data: { data: { name: 'must_not_respond', retryable: false } },
    });
    expect(refused.text).toContain('Do not send anything about it');
    const unknown = await call(lead, 'chat_read_thread', { inReplyTo: 'evt_none' });
    expect(unknown.text).toContain('Look it up with chat_list_events.');
    expect(at.posted).toEqual([]);
  });

  it('names the argument that is wrong', async () => {
    const client = await connect('lead');
    const good = reply('channel:general', 'evt_1', 'hi');
    for (const [name, args, field] of [
      ['chat_send_message', { ...good, target: 'general' }, 'target'],
      ['chat_send_message', { ...good, idempotencyKey: 'k' }, 'idempotencyKey'],
      ['chat_send_message', { ...good, text: undefined }, 'text'],
      ['chat_react', { inReplyTo: 'evt_1', signal: 'party' }, 'signal'],
      ['chat_claim', {}, 'inReplyTo, target'],
      ['chat_claim', { inReplyTo: 'evt_1', token: 7 }, 'token'],
      ['chat_wait_events', { timeoutMs: 3_600_001 }, 'timeoutMs'],
    ] as const) {
      const refused = await call(client, name, args);
      expect(refused).toMatchObject({ isError: true, data: { data: { name: 'invalid_params' } } });
      expect(refused.text).toContain(field);
    }
  });

  it('shows no agent the mail of another', async () => {
    const [lead, builder] = [await connect('lead'), await connect('builder')];
    const mine = {
      lead: await at.say('for lead only', dmWith('lead')),
      builder: await at.say('for builder only', dmWith('builder')),
    };
    at.clock.advance(COMPOSE_MS);
    for (const [agent, client, other] of [
      ['lead', lead, 'builder'],
      ['builder', builder, 'lead'],
    ] as const) {
      for (const tool of ['chat_wait_events', 'chat_list_events']) {
        const { data, text } = await call(client, tool);
        expect(data).toMatchObject({ events: [{ eventId: mine[agent] }] });
        expect(text).not.toContain(`for ${other}`);
      }
      for (const args of [{ inReplyTo: mine[other] }, { target: `dm:dm-${other}` }]) {
        const refused = await call(client, 'chat_read_thread', args);
        expect(refused).toMatchObject({ isError: true, data: { data: { name: 'not_found' } } });
      }
    }
    expect(AGENTS).toHaveLength(2);
  });
});
