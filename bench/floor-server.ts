// Bare loops on bare SQLite: one transaction per turn of the event loop (WAL, synchronous FULL), no checks, no
// decisions. `same` stores and sends as many bytes as the host: the log row, the delivery row and its update when
// acknowledged, the state of each conversation, in the host's own tables, and a delivery frame of the same length.
// Otherwise it does the least: the event in a single row, marked when acknowledged, sent on as it came.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tables } from '../src/store/sqlite/migrations/0001-tables.ts';
import type { Bytes } from './bytes.ts';
import { filler } from './filler.ts';
import { type Asked, FRAME_BYTES, serveFloor } from './floor-wire.ts';
import type { BenchEvent } from './load.ts';

export interface FloorServerOptions {
  folder: string;
  extraSyncMs: number;
  same?: Bytes;
}

/** Writes one batch. Called inside its transaction. */
interface Keeper {
  event(event: BenchEvent): void;
  acknowledged(key: string): void;
  /** Called before the commit. */
  done(): void;
  /** The params of the frame. */
  shown(event: BenchEvent): object;
}

const options = JSON.parse(process.argv[2] ?? '{}') as FloorServerOptions;
const started = performance.now();
const db = new DatabaseSync(join(options.folder, 'floor.db'));
/** The host's settings: pages of 8 KiB, a checkpoint every 64 MB, the same page cache. */
db.exec(`PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 8192; PRAGMA cache_size = -65536`);

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

const keeper = options.same === undefined ? keepLeast() : keepSame(options.same);
const begin = db.prepare('BEGIN IMMEDIATE');
const commit = db.prepare('COMMIT');
const slower = new Int32Array(new SharedArrayBuffer(4));

serveFloor(started, (wire) => {
  let waiting: Asked[] = [];
  let acks: string[] = [];
  const wake = (): void => {
    if (waiting.length + acks.length === 0) setImmediate(flush);
  };
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    begin.run();
    for (const key of acks) keeper.acknowledged(key);
    acks = [];
    for (const { events } of batch) for (const event of events) keeper.event(event);
    keeper.done();
    commit.run();
    if (options.extraSyncMs > 0) Atomics.wait(slower, 0, 0, options.extraSyncMs);
    for (const { events, answer } of batch) {
      for (const event of events) wire.deliver(event, keeper.shown(event));
      answer();
    }
  };
  return {
    ingest(asked) {
      wake();
      waiting.push(asked);
    },
    acknowledged(eventId) {
      wake();
      acks.push(eventId);
    },
  };
});
