// The bare loop that the host is measured against: frames in over WebSocket, one row an event in one transaction a turn
// of the event loop (WAL, synchronous FULL), frames out over WebSocket. No validation, no decision, no delivery state.
// With `acked`, each frame out is answered and the answer is one more write: the least that a durable delivery can do.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

interface Out {
  socket: WebSocket;
  stream: Duplex;
}
interface Frame {
  id: number;
  params: { events: { eventId: string }[] };
  from: Out;
}

const options = JSON.parse(process.argv[2] ?? '{}') as {
  folder: string;
  extraSyncMs: number;
  acked: boolean;
};
const started = performance.now();
const db = new DatabaseSync(join(options.folder, 'floor.db'));
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE row (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, doc TEXT NOT NULL,
    acked INTEGER NOT NULL DEFAULT 0)`);
const insert = db.prepare('INSERT INTO row (key, doc) VALUES (?, ?)');
const acknowledge = db.prepare('UPDATE row SET acked = 1 WHERE key = ?');
const begin = db.prepare('BEGIN IMMEDIATE');
const commit = db.prepare('COMMIT');
const slower = new Int32Array(new SharedArrayBuffer(4));

const harnesses: Out[] = [];
let frames: Frame[] = [];
let acks: string[] = [];
let next = 0;

function flush(): void {
  const batch = frames;
  frames = [];
  begin.run();
  for (const key of acks) acknowledge.run(key);
  acks = [];
  for (const { params } of batch) {
    for (const event of params.events) insert.run(event.eventId, JSON.stringify(event));
  }
  commit.run();
  if (options.extraSyncMs > 0) Atomics.wait(slower, 0, 0, options.extraSyncMs);
  const corked = [...harnesses, ...batch.map(({ from }) => from)];
  for (const { stream } of corked) stream.cork();
  for (const { id, params, from } of batch) {
    for (const event of params.events) {
      const out = options.acked ? { id: event.eventId } : {};
      const frame = JSON.stringify({ jsonrpc: '2.0', ...out, method: 'chat/deliver', params: event });
      harnesses[next++ % harnesses.length]?.socket.send(frame, { binary: false, compress: false });
    }
    from.socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
  }
  for (const { stream } of corked) stream.uncork();
}

const server = createServer();
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
server.on('upgrade', (request, stream, head) => {
  sockets.handleUpgrade(request, stream, head, (socket) => {
    const from = { socket, stream };
    const token = request.headers.authorization ?? '';
    if (!token.endsWith(' surface')) harnesses.push(from);
    socket.on('close', () => {
      const at = harnesses.indexOf(from);
      if (at >= 0) harnesses.splice(at, 1);
    });
    socket.on('message', (data: Buffer) => {
      const { id, method, params } = JSON.parse(data.toString()) as Frame & { method?: string };
      if (method !== 'initialize' && frames.length + acks.length === 0) setImmediate(flush);
      if (method === undefined) {
        acks.push(String(id));
        return;
      }
      if (method !== 'ingest/events') {
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
        return;
      }
      frames.push({ id, params, from });
    });
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  process.send?.({ port, readyMs: performance.now(), openMs: performance.now() - started });
});
process.on('message', ({ type }: { type: string }) => {
  if (type === 'stop') process.exit(0);
  process.send?.({});
});
