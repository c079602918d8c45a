// What a power cut leaves of a folder. Everything synced is there. Of each file's unsynced writes a part is drawn: none,
// the first few, any, or any sectors of any, and a sector may have any of the versions it had. Names (made, renamed,
// removed) are kept in order up to a drawn one, as file systems do.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Random } from '../../src/runtime/random.ts';

const SECTOR_BYTES = 512;
/** kind, inode, at, length: 8 bytes each. As in power-journal.c. */
const HEAD_BYTES = 32;
const [WRITE, TRUNCATE, SYNC, CREATE, RENAME, UNLINK] = [1, 2, 3, 4, 5, 6];

interface Entry {
  kind: number;
  inode: number;
  at: number;
  bytes: Buffer;
}

/** A write, or with no bytes a new length. */
type Change = Pick<Entry, 'kind' | 'at' | 'bytes'>;

/** `room` may be longer than the file: a WAL is synced hundreds of times, a little longer each time. */
interface File {
  room: Buffer;
  length: number;
}

interface Disk {
  names: Map<string, number>;
  files: Map<number, File>;
}

/** The folder as it is now, taken as durable. Call it before the process starts. */
export function diskOf(folder: string): Disk {
  const names = new Map<string, number>();
  const files = new Map<number, File>();
  for (const name of readdirSync(folder)) {
    const { ino } = statSync(join(folder, name));
    names.set(name, ino);
    const room = readFileSync(join(folder, name));
    files.set(ino, { room, length: room.length });
  }
  return { names, files };
}

/** Puts what a power cut leaves in place of the folder's files. Returns how many changes were not synced. */
export function cutPower(folder: string, journal: string, before: Disk, random: Random): number {
  const { names, files } = before;
  const folderInode = statSync(folder).ino;
  const unsynced = new Map<number, Change[]>();
  const newNames: Entry[] = [];
  for (const entry of entriesOf(journal)) {
    const { kind, inode } = entry;
    if (kind === WRITE || kind === TRUNCATE) listed(unsynced, inode).push(entry);
    else if (kind !== SYNC) newNames.push(entry);
    else if (inode === folderInode) for (const one of newNames.splice(0)) rename(names, one);
    else {
      makeChanges(fileOf(files, inode), unsynced.get(inode) ?? []);
      unsynced.delete(inode);
    }
  }
  for (const one of newNames.slice(0, upTo(random, newNames.length))) rename(names, one);
  for (const [inode, changes] of unsynced) makeChanges(fileOf(files, inode), drawn(changes, random));
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  for (const [name, inode] of names) {
    if (name.endsWith('-shm')) continue;
    const { room, length } = fileOf(files, inode);
    writeFileSync(join(folder, name), room.subarray(0, length));
  }
  return [...unsynced.values()].reduce((sum, { length }) => sum + length, newNames.length);
}

function listed(changes: Map<number, Change[]>, inode: number): Change[] {
  const list = changes.get(inode) ?? [];
  changes.set(inode, list);
  return list;
}

function fileOf(files: Map<number, File>, inode: number): File {
  const file = files.get(inode) ?? { room: Buffer.alloc(0), length: 0 };
  files.set(inode, file);
  return file;
}

function* entriesOf(journal: string): Generator<Entry> {
  const all = readFileSync(journal);
  for (let from = 0; from + HEAD_BYTES <= all.length; ) {
    const [kind = 0, inode = 0, at = 0, length = 0] = [0, 8, 16, 24].map((offset) =>
      Number(all.readBigUInt64LE(from + offset)),
    );
    from += HEAD_BYTES;
    if (from + length > all.length) return; // killed while it wrote this line
    yield { kind, inode, at, bytes: all.subarray(from, from + length) };
    from += length;
  }
}

function rename(names: Map<string, number>, { kind, inode, bytes }: Entry): void {
  const [from = '', to = ''] = bytes
    .toString()
    .split('\0')
    .map((path) => basename(path));
  if (kind === CREATE) names.set(from, inode);
  if (kind === RENAME) names.set(to, names.get(from) ?? 0);
  if (kind === RENAME || kind === UNLINK) names.delete(from);
}

function makeChanges(file: File, changes: readonly Change[]): void {
  for (const { kind, at, bytes } of changes) {
    const end = at + bytes.length;
    if (end > file.room.length) file.room = Buffer.concat([file.room], 2 * end);
    if (kind === WRITE) bytes.copy(file.room, at);
    else file.room.fill(0, at);
    file.length = kind === TRUNCATE ? at : Math.max(file.length, end);
  }
}

/** A number from 0 to `count`, both of them possible. */
function upTo(random: Random, count: number): number {
  return Math.floor(random.next() * (count + 1));
}

const WAYS: readonly ((changes: readonly Change[], random: Random) => Change[])[] = [
  () => [],
  (changes, random) => changes.slice(0, upTo(random, changes.length)),
  (changes, random) => changes.filter(() => random.next() < 0.5),
  (changes, random) => shuffled(changes.flatMap(sectors), random).filter(() => random.next() < 0.8),
];

function drawn(changes: readonly Change[], random: Random): Change[] {
  return WAYS[Math.floor(random.next() * WAYS.length)]?.(changes, random) ?? [];
}

function sectors(change: Change): Change[] {
  const { kind, at, bytes } = change;
  if (kind === TRUNCATE) return [change];
  const parts: Change[] = [];
  for (let from = 0; from < bytes.length; ) {
    const next = Math.min(bytes.length, from + SECTOR_BYTES - ((at + from) % SECTOR_BYTES));
    parts.push({ kind, at: at + from, bytes: bytes.subarray(from, next) });
    from = next;
  }
  return parts;
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  return values
    .map((value) => ({ value, order: random.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ value }) => value);
}
