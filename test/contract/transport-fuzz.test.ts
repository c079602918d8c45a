// Any bytes at any transport: a typed error or a close, no crash, no wait. The runs of a long
// run add up to more than 50,000. Each case ends with the end of its stream, so that silence would be seen as a hang, and each suite ends with
// an honest client, so that a broken server would be seen as well.
import { once } from 'node:events';
import { createServer, IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { type Duplex, duplexPair, PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode } from '../../src/protocol/jsonrpc.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import type { RpcHandlers } from '../../src/transport/requests.ts';
import { createHttpEndpoint } from '../../src/transport/http-server.ts';
import { createPeer, type Peer } from '../../src/transport/peer.ts';
import { stdioTransport } from '../../src/transport/stdio.ts';
import type { CloseReason, Transport } from '../../src/transport/transport.ts';
import { attachWebSocket } from '../../src/transport/websocket-server.ts';
import { until } from './transport-contract.ts';
import { listenWebSocket } from './transport-pairs.ts';
import { webSocketClient } from '../../src/transport/websocket-client.ts';
import { cases } from '../long.ts';

const RUNS = {
  stdio: cases(2_000, 20_000),
  http: cases(2_000, 20_000),
  frames: cases(1_500, 12_000),
  sockets: cases(60, 300),
};
const REASONS: readonly CloseReason[] = ['normal', 'protocol_error', 'too_large', 'lost'];
const handlers: RpcHandlers = {
  ping: () => ({ ok: true, result: {} }),
  throws: () => {
    throw new Error('bug');
  },
  rejects: () => Promise.reject(new Error('late bug')),
};

const json = fc.json({ maxDepth: 3 });
const message = fc
  .record(
    {
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: fc.oneof(fc.integer(), fc.string({ maxLength: 4 }), fc.constant(null), fc.double()),
      method: fc.constantFrom('ping', 'throws', 'rejects', '__proto__', 'notifications/cancelled', '', 7),
      params: fc.jsonValue({ maxDepth: 2 }),
      result: fc.jsonValue({ maxDepth: 1 }),
      error: fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constant({ code: 1, message: 'x' })),
    },
    { requiredKeys: ['jsonrpc'] },
  )
  .map((value) => JSON.stringify(value));
const text = fc.oneof(
  message,
  json,
  fc.string({ unit: 'binary' }),
  fc.array(message, { maxLength: 4 }).map((all) => `[${all.join()}]`),
);
const bytes = fc.oneof(
  text.map((some) => Buffer.from(some)),
  fc.uint8Array({ maxLength: 64 }).map((some) => Buffer.from(some)),
);

/** Everything the peer wrote must be readable by our own codec. */
function expectReadable(frames: readonly string[]): void {
  for (const frame of frames) expect(decode(frame).ok, frame).toBe(true);
}

describe('stdio', () => {
  it('answers or closes, whatever the bytes and however they are cut', async () => {
    const clock = new VirtualClock();
    const parts = fc.array(fc.oneof(bytes, fc.constantFrom(Buffer.from('\n'), Buffer.from('\r\n'))), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(parts, async (chunks) => {
        const [input, output] = [new PassThrough(), new PassThrough()];
        const peer = createPeer(stdioTransport({ input, output, clock, maxLineBytes: 200 }), {
          clock,
          handlers,
        });
        await peer.start();
        for (const chunk of chunks) input.write(chunk);
        input.end('\n{"jsonrpc":"2.0","id":"last","method":"ping"}\n');
        const reason = await peer.closed;
        expect(REASONS).toContain(reason);
        const written = String(output.read() ?? '')
          .split('\n')
          .filter((line) => line !== '');
        expectReadable(written);
        if (reason === 'normal') expect(written).toContain('{"jsonrpc":"2.0","id":"last","result":{}}');
      }),
      { numRuns: RUNS.stdio },
    );
    expect(clock.pending()).toBe(0);
  });
});

describe('HTTP', () => {
  it('answers every body with a status and a readable error', async () => {
    const endpoint = createHttpEndpoint<string>({ handlersFor: () => handlers });
    const types = fc.oneof(fc.constant('application/json'), fc.option(fc.string(), { nil: undefined }));
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, text), types, async (body, contentType) => {
        const answer = await endpoint({ identity: 'x', body, contentType });
        expect([200, 202, 400, 413, 415]).toContain(answer.status);
        if (answer.status === 202) expect(answer.body).toBe('');
        else expectReadable([answer.body]);
      }),
      { numRuns: RUNS.http },
    );
  });
});

/** A client's frame with any header a client may write, and lies about its length. */
const frame = fc
  .record({
    first: fc.oneof(fc.constantFrom(0x81, 0x82, 0x01, 0x00, 0x80, 0x88, 0x89, 0x8a), fc.nat(255)),
    masked: fc.boolean(),
    lie: fc.oneof(fc.constant(0), fc.integer({ min: -3, max: 300 })),
    payload: bytes,
  })
  .map(({ first, masked, lie, payload }) => {
    const size = Math.max(0, payload.length + lie);
    const length = size < 126 ? [size] : [126, size >> 8, size & 255];
    const [head = 0, ...rest] = length;
    return Buffer.concat([
      Buffer.from([first, head | (masked ? 0x80 : 0), ...rest]),
      Buffer.alloc(masked ? 4 : 0),
      payload,
    ]);
  });
const honest = text.map((some) => {
  const payload = Buffer.from(some);
  const size = payload.length;
  const length = size < 126 ? [0x80 | size] : [0x80 | 126, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), payload]);
});
/** A close without a code: the end of a client that has nothing more to say. */
const goodbye = fc.constant(Buffer.from([0x88, 0x80, 0, 0, 0, 0]));
const wire = fc.array(fc.oneof(honest, frame, bytes, goodbye), { minLength: 1, maxLength: 5 });

const UPGRADE = {
  host: '127.0.0.1',
  upgrade: 'websocket',
  connection: 'Upgrade',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

describe('WebSocket', () => {
  it('answers or closes, whatever the frames', async () => {
    const clock = new VirtualClock();
    const server = createServer();
    let accepted: ((transport: Transport) => void) | undefined;
    attachWebSocket(server, {
      clock,
      path: '/c2a',
      authenticate: () => ({ ok: true, identity: 'x' }),
      onConnection: (transport) => accepted?.(transport),
    });
    const open = (): Promise<[Peer, Duplex]> => {
      const [ours, theirs] = duplexPair();
      const request = new IncomingMessage(new Socket());
      Object.assign(request, { method: 'GET', url: '/c2a', headers: UPGRADE });
      return new Promise((resolve) => {
        accepted = (transport) => resolve([createPeer(transport, { clock, handlers }), theirs]);
        server.emit('upgrade', request, ours, Buffer.alloc(0));
      });
    };
    const seen = new Map<CloseReason, number>();
    await fc.assert(
      fc.asyncProperty(wire, async (chunks) => {
        const [peer, theirs] = await open();
        theirs.resume();
        theirs.on('error', () => {});
        await peer.start();
        for (const chunk of chunks) theirs.write(chunk);
        theirs.end();
        const reason = await peer.closed;
        seen.set(reason, (seen.get(reason) ?? 0) + 1);
      }),
      { numRuns: RUNS.frames },
    );
    // The generators reach the ends that they are meant to reach.
    expect([...seen.keys()]).toEqual(expect.arrayContaining(['lost', 'protocol_error', 'normal']));
    expect(clock.pending()).toBe(0);
  });

  it('survives any bytes at a real port, before and after the handshake', async () => {
    const { port, url, clock, next, dispose } = await listenWebSocket();
    const request = `GET /c2a HTTP/1.1\r\n${Object.entries({ ...UPGRADE, authorization: 'Bearer good' })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`;
    await fc.assert(
      fc.asyncProperty(wire, fc.boolean(), async (chunks, shaken) => {
        const accepted = shaken ? next() : undefined;
        const socket = connect(port, '127.0.0.1').on('error', () => {});
        socket.resume();
        const closed = once(socket, 'close');
        if (accepted !== undefined) {
          socket.write(request);
          await createPeer(await accepted, { clock, handlers }).start();
        }
        for (const chunk of chunks) socket.write(chunk);
        socket.end();
        await closed;
      }),
      { numRuns: RUNS.sockets },
    );
    const accepted = next();
    const client = createPeer(webSocketClient({ url, clock, token: 'good' }), { clock });
    await client.start();
    await createPeer(await accepted, { clock, handlers }).start();
    expect(await client.request('ping')).toMatchObject({ ok: true });
    client.close();
    await until(() => client.isClosed);
    await dispose();
  });
});
