// Over a real socket: the global WebSocket, the token as the client sends it, a lost connection and a refused token.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentConnection, connect, type ConnectOptions } from '../../src/agent/index.ts';
import { attentionSettingsSchema } from '../../src/attention/index.ts';
import { createHost, type Host } from '../../src/host/host.ts';
import { hostStateCodec } from '../../src/host/kernel/conversation.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';
import { attachWebSocket } from '../../src/transport/websocket-server.ts';
import type { Transport } from '../../src/transport/transport.ts';

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
let host: Host;
let server: Server;
let sockets: Transport[] = [];
const agents: AgentConnection[] = [];

beforeEach(async () => {
  host = await createHost({
    store: openMemoryStore({ clock: systemClock, codec: hostStateCodec }),
    clock: systemClock,
    random: systemRandom,
    log: QUIET,
    attention: attentionSettingsSchema.parse({ agents: [{ id: 'lead' }] }),
    settings: hostSettingsSchema.parse({}),
    configVersion: 'v1',
    surfaces: [internalSurface('earshot'), internalSurface('web')],
    findSecrets: () => [],
  });
  server = createServer();
  attachWebSocket(server, {
    clock: systemClock,
    path: '/c2a',
    authenticate: (_, token) => (token === 'good-token' ? { ok: true, identity: 'lead' } : { ok: false }),
    onConnection: (transport, agent) => {
      sockets.push(transport);
      host.connect(transport, { kind: 'agent', agent }).catch(() => undefined);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
  await host.stop();
  await new Promise((resolve) => server.close(resolve));
  sockets = [];
});

function open(token: string, more: ConnectOptions = {}): AgentConnection {
  const agent = connect({
    url: url(),
    token,
    log: QUIET,
    compose: { quietMs: 10 },
    limits: { reconnectBaseMs: 10 },
    ...more,
  });
  agents.push(agent);
  return agent;
}

const ask = (id: string) => ({
  eventId: id,
  at: Date.now(),
  platform: 'web',
  workspaceId: 'w',
  conversation: { id: 'C1', kind: 'channel' },
  author: { id: 'ada', kind: 'human', displayName: 'Ada' },
  type: 'message',
  text: `@lead ${id}?`,
  mentions: [{ kind: 'agent', id: 'lead' }],
});

/** Resolves with the next answers as they become events of the host. */
function answers(count: number): Promise<string[]> {
  const texts: string[] = [];
  return new Promise((resolve) => {
    host.context.bus.listen((news) => {
      if (news.type !== 'logged' || news.row.author !== 'agent:lead' || news.row.type !== 'message') return;
      const { event } = news.row.record;
      texts.push('text' in event ? (event.text ?? '') : '');
      if (texts.length === count) resolve(texts);
    });
  });
}

function url(): string {
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/c2a`;
}

describe('the example of docs/agent.md', () => {
  it('is at most twelve lines and answers, in a process of its own', async () => {
    const root = resolvePath(import.meta.dirname, '../..');
    const example = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/agent.md'), 'utf8'))?.[1] ?? '';
    expect(example.trim().split('\n').length).toBeLessThanOrEqual(12);
    const folder = mkdtempSync(join(tmpdir(), 'earshot-agent-'));
    const file = join(folder, 'agent.ts');
    writeFileSync(file, example.replace("'earshot/agent'", JSON.stringify(join(root, 'src/agent/index.ts'))));
    const env = { ...process.env, EARSHOT_URL: url(), EARSHOT_TOKEN: 'good-token' };
    const child = spawn(process.execPath, ['--no-warnings', file], { env, stdio: 'inherit' });
    try {
      const first = answers(1);
      await host.ingest([ask('q1')], 'web');
      expect((await first)[0]).toMatch(/^I read \d+ characters\.$/);
    } finally {
      child.kill();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('an agent over a real WebSocket', () => {
  it('answers, comes back after the connection is cut, and answers again', async () => {
    open('good-token', { agent: 'lead' }).onTurn((turn) => `re ${turn.events[0]?.eventId}`);
    const first = answers(1);
    await host.ingest([ask('q1')], 'web');
    expect(await first).toEqual(['re q1']);
    const second = answers(1);
    for (const socket of sockets) socket.close('lost');
    await host.ingest([ask('q2')], 'web');
    expect(await second).toEqual(['re q2']);
    expect(sockets.length).toBeGreaterThan(1);
  });

  it('gives up at once when its token is refused', async () => {
    expect(await open('bad-token').closed).toBe('unauthorized');
  });

  it('gives up when the token is for another agent than expected', async () => {
    expect(await open('good-token', { agent: 'builder' }).closed).toBe('unauthorized');
  });
});
