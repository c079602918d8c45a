// Every transport as a pair of joined ends, for the suite that holds for all of them: `near` is started, `far` is not,
// so that a test can be a slow reader before it is a reader.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { WebSocket } from 'ws';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { memoryPair } from '../../src/transport/memory.ts';
import { stdioTransport } from '../../src/transport/stdio.ts';
import type { Transport } from '../../src/transport/transport.ts';
import { webSocketClient } from '../../src/transport/websocket-client.ts';
import { attachWebSocket } from '../../src/transport/websocket-server.ts';

export interface Pair {
  near: Transport;
  far: Transport;
  clock: VirtualClock;
  dispose: () => Promise<void>;
}
export interface TransportKind {
  name: string;
  /** Streams have no close codes: any farewell is heard as `normal`. */
  carriesReasons: boolean;
  connect: () => Promise<Pair>;
}

export const KINDS: readonly TransportKind[] = [
  { name: 'memory', carriesReasons: true, connect: connectMemory },
  {
    name: 'WebSocket, ws client to server',
    carriesReasons: true,
    connect: () => connectWebSocket({ ws: WebSocket }),
  },
  { name: 'WebSocket, global client to server', carriesReasons: true, connect: () => connectWebSocket({}) },
  { name: 'stdio', carriesReasons: false, connect: connectStdio },
];

async function connectMemory(): Promise<Pair> {
  const [near, far] = memoryPair();
  await near.start();
  return { near, far, clock: new VirtualClock(), dispose: () => Promise.resolve() };
}

async function connectStdio(): Promise<Pair> {
  const clock = new VirtualClock();
  const [there, back] = [new PassThrough(), new PassThrough()];
  const near = stdioTransport({ input: back, output: there, clock });
  const far = stdioTransport({ input: there, output: back, clock });
  await near.start();
  return { near, far, clock, dispose: () => Promise.resolve() };
}

export interface Listening {
  server: Server;
  url: string;
  port: number;
  clock: VirtualClock;
  /** The server's half of the next connection, idle. */
  next: () => Promise<Transport>;
  dispose: () => Promise<void>;
}

/** A WebSocket server on a free port of loopback that knows the token `good`. */
export async function listenWebSocket(clock = new VirtualClock()): Promise<Listening> {
  const server = createServer();
  const waiting: ((transport: Transport) => void)[] = [];
  const open: Transport[] = [];
  attachWebSocket(server, {
    clock,
    path: '/c2a',
    authenticate: (_, token) => (token === 'good' ? { ok: true, identity: 'nova' } : { ok: false }),
    onConnection(transport) {
      open.push(transport);
      waiting.shift()?.(transport);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    url: `ws://127.0.0.1:${port}/c2a`,
    clock,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    async dispose() {
      for (const transport of open) transport.close('lost');
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function connectWebSocket(client: { ws?: typeof WebSocket }): Promise<Pair> {
  const { url, clock, next, dispose } = await listenWebSocket();
  const accepted = next();
  const near = webSocketClient({ url, clock, token: 'good', ...client });
  await near.start();
  return { near, far: await accepted, clock, dispose };
}

/** A real process at the other end of two pipes, which answers every frame with itself. */
export function spawnEcho(clock: VirtualClock): { transport: Transport; child: ChildProcess } {
  const child = spawn(process.execPath, [new URL('./transport-echo.ts', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (child.stdout === null || child.stdin === null) throw new Error('the child has no pipes');
  return { transport: stdioTransport({ input: child.stdout, output: child.stdin, clock }), child };
}
