// A host that stands still (SIGSTOP, a frozen machine) keeps its connections open and says nothing. Agents leave it after
// three of its heartbeats, and are back when it answers again or another one does.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { connect } from '../../src/agent/index.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/transport/transport.ts';
import { webSocketClient } from '../../src/transport/websocket-client.ts';
import { folder, up } from '../server/up.ts';

const HEARTBEAT_MS = 300;
const silent = { debug: () => undefined, info: () => undefined, error: () => undefined };
/** Long enough for a busy machine. What is waited for comes after a second. */
const PATIENT = { timeout: 30_000, interval: 20 };

it('an agent leaves a host that stands still, and comes back to it', { timeout: 90_000 }, async () => {
  const data = folder();
  writeFileSync(
    join(data, 'earshot.yaml'),
    `agents:\n  - id: lead\nhost:\n  limits:\n    heartbeatMs: ${HEARTBEAT_MS}\n`,
  );
  const host = await up({ data, cwd: data });
  const reasons: unknown[] = [];
  const asked: string[] = [];
  const agent = connect({
    url: host.url,
    token: host.tokens.agents['lead'] ?? '',
    agent: 'lead',
    limits: { reconnectBaseMs: 50, reconnectCapMs: 200 },
    log: { ...silent, warn: ({ reason }) => void reasons.push(reason) },
  }).onTurn(async (turn) => {
    asked.push(turn.text);
    await turn.reply('Yes.');
  });
  onTestFinished(() => agent.close());
  await vi.waitFor(() => expect(agent.status).toBe('ready'), PATIENT);
  host.child.kill('SIGSTOP');
  onTestFinished(() => void host.child.kill('SIGCONT'));
  await vi.waitFor(() => expect(agent.status).not.toBe('ready'), PATIENT);
  expect(reasons[0]).toBe('lost');
  host.child.kill('SIGCONT');
  await vi.waitFor(() => expect(agent.status).toBe('ready'), PATIENT);
  await host.post({
    eventId: 'm1',
    at: Date.now(),
    platform: 'dev',
    workspaceId: 'w',
    conversation: { id: 'general', kind: 'channel' },
    author: { id: 'ada', kind: 'human', displayName: 'Ada' },
    type: 'message',
    text: '@lead is it green?',
  });
  await vi.waitFor(() => expect(asked).toHaveLength(1), PATIENT);
});

it.each([
  { autoPong: true, name: 'stays with a server that answers' },
  { autoPong: false, name: 'leaves one that does not' },
])('a bridge $name', async ({ autoPong }) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  let pings = 0;
  const enough = Promise.withResolvers<'asked'>();
  server.on('connection', (socket) => socket.on('ping', () => ++pings >= 6 && enough.resolve('asked')));
  const { port } = server.address() as { port: number };
  const url = `ws://127.0.0.1:${port}`;
  const far = webSocketClient({ url, clock: systemClock, ws: WebSocket, aliveMs: 50 });
  const closed = Promise.withResolvers<string>();
  listen(far, { onmessage: () => undefined, onerror: () => undefined, onclose: closed.resolve });
  await far.start();
  expect(await Promise.race([closed.promise, enough.promise])).toBe(autoPong ? 'asked' : 'lost');
  far.close('normal');
  for (const client of server.clients) client.terminate();
});
