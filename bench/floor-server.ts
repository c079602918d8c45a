// The bare loop that the host is measured against: frames in over WebSocket, one transaction a turn of the event loop
// (WAL, synchronous FULL), frames out over WebSocket, acknowledgements in and written. It checks, decides and redacts
// nothing. What it stores and sends:
// - `same`: what the host would, byte for byte in size: the log row, the delivery row and its update when acknowledged, the state of
//   each conversation touched, in the host's own tables, and a delivery frame as long as the host's.
// - `least`: the event as it came in a single row, marked when acknowledged, and sent on as it is.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { tables } from '../src/store/sqlite/migrations/0001-tables.ts';
import type { Bytes } from './bytes.ts';
import type { BenchEvent } from './load.ts';

export interface FloorServerOptions {
  folder: string;
  extraSyncMs: number;
  /** What the host stores and sends for an event. Without it, the least. */
  same?: Bytes;
}

interface Out {
  socket: WebSocket;
  stream: Duplex;
}
interface Frame {
  id: number;
  params: { events: BenchEvent[] };
  from: Out;
}

/** What one batch writes; called inside its transaction. */
interface Keeper {
  event(event: BenchEvent): void;
  acknowledged(key: string): void;
  /** Before the commit. */
  done(): void;
  /** The frame's params. */
  shown(event: BenchEvent): object;
}

const options = JSON.parse(process.argv[2] ?? '{}') as FloorServerOptions;
const started = performance.now();
const db = new DatabaseSync(join(options.folder, 'floor.db'));
/** As the host: pages of 8 KiB, a checkpoint every 16 MB, the same page cache. */
db.exec(`PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 2048; PRAGMA cache_size = -65536`);

function keepLeast(): Keeper {
  db.exec(`CREATE TABLE row (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, doc TEXT NOT NULL,
    acked INTEGER NOT NULL DEFAULT 0)`);
  const insert = db.prepare('INSERT INTO row (key, doc) VALUES (?, ?)');
  const acknowledge = db.prepare('UPDATE row SET acked = 1 WHERE key = ?');
  return {
    event: (event) => void insert.run(event.eventId, JSON.stringify(event)),
    acknowledged: (key) => void acknowledge.run(key),
    done: () => {},
    shown: (event) => event,
  };
}

function keepSame(bytes: Bytes): Keeper {
  db.exec(tables);
  const log = db.prepare('INSERT INTO log (position, key, conversation, seq, doc) VALUES (?, ?, ?, ?, ?)');
  const delivery = db.prepare(`INSERT INTO delivery (position, key, agent, open, conversation, source, state,
    due_at, doc) VALUES (?, ?, ?, 1, ?, ?, 'queued', ?, ?)`);
  const accept = db.prepare(`UPDATE delivery SET state = 'accepted', doc = ? WHERE key = ?`);
  const state = db.prepare(`INSERT INTO state (key, wake_at, text) VALUES (?, NULL, ?)
    ON CONFLICT (key) DO UPDATE SET text = excluded.text`);
  const touched = new Set<string>();
  let position = 0;
  return {
    event(event) {
      const { eventId, at } = event;
      const conversation = `c/${event.platform}/${event.workspaceId}/${event.conversation.id}`;
      const agent = event.mentions?.[0]?.id ?? '';
      const doc = JSON.stringify(event);
      log.run(++position, eventId, conversation, position, doc + filler(bytes.log - doc.length));
      delivery.run(++position, eventId, agent, conversation, eventId, at + 300_000, filler(bytes.delivery));
      touched.add(conversation);
    },
    acknowledged: (key) => void accept.run(filler(bytes.delivery), key),
    done() {
      for (const conversation of touched) state.run(conversation, filler(bytes.state));
      touched.clear();
    },
    shown: (event) => ({ ...event, filler: filler(bytes.frame - FRAME_BYTES) }),
  };
}

/** About what an event and the words around it take in a frame already. */
const FRAME_BYTES = 400;
let turn = 0;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const FILLERS = Array.from({ length: 26 }, (_, at) => LETTERS.slice(at).padEnd(4_096, LETTERS));

/** Not the same text every time: nobody may gain by having seen it. */
function filler(bytes: number): string {
  return (FILLERS[turn++ % FILLERS.length] ?? '').slice(0, Math.max(0, Math.round(bytes)));
}

const keeper = options.same === undefined ? keepLeast() : keepSame(options.same);
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
  for (const key of acks) keeper.acknowledged(key);
  acks = [];
  for (const { params } of batch) for (const event of params.events) keeper.event(event);
  keeper.done();
  commit.run();
  if (options.extraSyncMs > 0) Atomics.wait(slower, 0, 0, options.extraSyncMs);
  const corked = [...harnesses, ...batch.map(({ from }) => from)];
  for (const { stream } of corked) stream.cork();
  for (const { id, params, from } of batch) {
    for (const event of params.events) {
      const frame = {
        jsonrpc: '2.0',
        id: event.eventId,
        method: 'chat/deliver',
        params: keeper.shown(event),
      };
      const { socket } = harnesses[next++ % harnesses.length] ?? from;
      socket.send(JSON.stringify(frame), { binary: false, compress: false });
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
