// A real host on the memory store behind a real web server: /mcp mounted in fastify as the server mounts it, and /c2a
// for the stdio server. Two agents, each with a direct message of its own and a channel in common.
import { AUDIT_LIMITS } from '../../src/host/kernel/audit.ts';
import { createApply } from '../../src/host/kernel/change.ts';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fastify } from 'fastify';
import { attentionSettingsSchema } from '../../src/attention/settings.ts';
import { hostStateCodec } from '../../src/host/kernel/conversation.ts';
import { createHost, type Host } from '../../src/host/host.ts';
import type { McpHttp, McpHttpOptions } from '../../src/host/mcp/mcp-http.ts';
import { mcpRoutes } from '../../src/host/mcp/mcp-routes.ts';
import { createTokens, type Tokens } from '../../src/host/security/tokens.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { callTool } from '../../src/host/tools/call.ts';
import { bearerOf } from '../../src/host/security/http-guard.ts';
import { METHODS } from '../../src/protocol/methods.ts';
import { readParams } from '../../src/protocol/read-params.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';
import { sourceSurface } from '../../src/surfaces/source/source.ts';
import type { AttachmentOutcome, AttachmentRequest } from '../../src/surfaces/surface.ts';
import { createHttpEndpoint } from '../../src/transport/http-server.ts';
import { childEnv } from '../server/up.ts';

export const AGENTS = ['lead', 'builder'] as const;
export type Agent = (typeof AGENTS)[number];

export interface McpHost {
  host: Host;
  mcp: McpHttp;
  clock: VirtualClock;
  url: string;
  tokens: Tokens;
  tokenOf: Record<Agent, string>;
  /** What became visible, in order: bodies as the source gets them. */
  posted: Record<string, unknown>[];
  /** What is behind attachments, by id. */
  files: Map<string, { type: string; bytes: Uint8Array }>;
  /** Tool calls as they came over /c2a, keys and tokens and all. */
  calls: { name: string; arguments?: Record<string, unknown> | undefined }[];
  say(text: string, more?: object): Promise<string>;
  close(): Promise<void>;
}

/** Ids are never used twice, so that a client may outlive a host. */
let said = 0;
const START = Date.parse('2026-06-02T19:00:00Z');
const log = { debug() {}, info() {}, warn() {}, error() {} };

const attention = attentionSettingsSchema.parse({
  agents: [
    { id: 'lead', accounts: ['A1'], conversations: ['demo/acme/general', 'demo/acme/dm-lead'] },
    {
      id: 'builder',
      accounts: ['A2'],
      roles: ['oncall'],
      conversations: ['demo/acme/general', 'demo/acme/dm-builder'],
    },
  ],
});

/** How long a message waits for more of its author before a pull gets it. */
export const COMPOSE_MS = attention.limits.composeMs;

export async function startMcpHost(limits: McpHttpOptions = {}): Promise<McpHost> {
  const clock = new VirtualClock(START);
  const store = openMemoryStore({ clock, codec: hostStateCodec });
  const posted: Record<string, unknown>[] = [];
  const deliver = (id: string, body: string) => {
    posted.push(JSON.parse(body) as Record<string, unknown>);
    return Promise.resolve({ type: 'visible' as const, platformId: id });
  };
  const files: McpHost['files'] = new Map();
  const attachment = ({ attachment: { id } }: AttachmentRequest): Promise<AttachmentOutcome> => {
    const file = files.get(id);
    if (file === undefined) return Promise.resolve({ type: 'refused', error: 'it is gone' });
    return Promise.resolve({ type: 'bytes', bytes: file.bytes, contentType: file.type });
  };
  const source = sourceSurface({ id: 'dev', platform: 'demo', maxChars: 4_000, deliver, attachment });
  const host = await createHost({
    store,
    clock,
    random: systemRandom,
    log,
    attention,
    settings: hostSettingsSchema.parse({}),
    configVersion: 'test',
    surfaces: [source, internalSurface('earshot')],
    findSecrets: () => [],
  });
  const tokens = createTokens({ store, apply: createApply(store), clock, random: systemRandom });
  const issue = async (agent: Agent) =>
    (await tokens.issue({ kind: 'agent', subject: agent, label: 'test' })).token;
  const tokenOf = { lead: await issue('lead'), builder: await issue('builder') };
  const calls: McpHost['calls'] = [];
  const web = await serve(host, tokens, calls, limits);
  return {
    host,
    mcp: web.mcp,
    clock,
    url: web.url,
    tokens,
    tokenOf,
    posted,
    files,
    calls,
    async say(text, more = {}) {
      const eventId = `evt_${++said}`;
      const event = {
        eventId,
        at: clock.now(),
        platform: 'demo',
        workspaceId: 'acme',
        type: 'message',
        text,
      };
      const place = { conversation: { id: 'general', kind: 'channel' }, author: { id: 'U1', kind: 'human' } };
      const [result] = await host.ingest([{ ...event, ...place, ...more }], 'dev');
      if (result?.status !== 'accepted') throw new Error(JSON.stringify(result));
      return eventId;
    },
    async close() {
      await web.close();
      await host.stop();
      await store.close();
    },
  };
}

async function serve(host: Host, tokens: Tokens, calls: McpHost['calls'], limits: McpHttpOptions) {
  const app = fastify({ forceCloseConnections: true });
  const drain = new AbortController();
  // As the server does: bodies as bytes, and guards of its own that are none of these tests' business.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const mcp = mcpRoutes(app, { host, tokens, drain }, limits);
  const c2a = createHttpEndpoint<string>({
    handlersFor: (agent) => ({
      async 'tools/call'(params, { signal }) {
        const read = readParams(METHODS['tools/call'].params, params);
        if (!read.ok) return read;
        calls.push(read.value);
        const { name, arguments: args } = read.value;
        return { ok: true, result: await callTool(name, args, host.toolCaller(agent, signal)) };
      },
      async 'turn/started'(params) {
        const read = readParams(METHODS['turn/started'].params, params);
        if (!read.ok) return read;
        const { turnId, eventIds } = read.value;
        return { ok: true, result: await host.sessionDeps.turns.start(agent, turnId, eventIds, true) };
      },
      async 'turn/ended'(params) {
        const read = readParams(METHODS['turn/ended'].params, params);
        if (!read.ok) return read;
        const { turnId, outcome } = read.value;
        return { ok: true, result: await host.sessionDeps.turns.end(agent, turnId, outcome) };
      },
    }),
  });
  app.post('/c2a', async ({ headers, body }, reply) => {
    const known = await tokens.authenticate(bearerOf(headers) ?? '');
    if (!known.ok) return reply.code(401).send();
    const gone = new AbortController();
    reply.raw.on('close', () => gone.abort());
    const answer = await c2a({
      identity: known.identity.subject,
      body: body as Uint8Array,
      contentType: headers['content-type'],
      signal: gone.signal,
    });
    return reply.code(answer.status).headers(answer.headers).send(answer.body);
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    mcp,
    async close() {
      drain.abort();
      await app.close();
    },
  };
}

export type Era = 'legacy' | 'modern';

function newClient(era: Era): Client {
  const info = { name: 'test', version: '1' };
  return new Client(info, era === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {});
}

export async function overHttp(at: McpHost, agent: Agent, era: Era): Promise<Client> {
  const headers = { authorization: `Bearer ${at.tokenOf[agent]}` };
  const client = newClient(era);
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', at.url), { requestInit: { headers } }),
  );
  return client;
}

/** What `earshot up` leaves in its data folder. */
export async function dataFolder(dir: string, agents: object, url?: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  const tokens = { operator: 'ear_o_x', surfaces: { dev: 'ear_s_x' }, agents };
  await writeFile(join(dir, 'tokens.json'), JSON.stringify(tokens));
  await rm(join(dir, 'host.json'), { force: true });
  const running = { url, instance: 'test', pid: 1 };
  if (url !== undefined) await writeFile(join(dir, 'host.json'), JSON.stringify(running));
}

export const CLI = join(import.meta.dirname, '../../src/cli/main.ts');

/** A child process of its own, started as a client starts it. */
export function stdioTransport(dir: string, ...flags: string[]): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', ...flags],
    cwd: dir,
    env: childEnv(),
    stderr: 'pipe',
  });
}

export async function overStdio(era: Era, transport: StdioClientTransport): Promise<Client> {
  const client = newClient(era);
  await client.connect(transport);
  return client;
}

/**
 * Timers left once calls are on record, which is a little later than they end. Polled; less time passes in all than a wait
 * for events would take.
 */
export function audited({ clock }: McpHost): () => number {
  let steps = 0;
  return () => {
    if (steps++ < 10) clock.advance(AUDIT_LIMITS.lateMs);
    return clock.pending();
  };
}
