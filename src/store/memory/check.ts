// The invariants of a sound store over the memory disk, in the same words as SQLite's.
import { TABLES } from '../columns.ts';
import { unreadable } from '../read-state.ts';
import type { StateCodec } from '../store.ts';
import { cannotMove, endedButDue, offerCannotMove } from '../stuck-words.ts';
import type { DeliveryRow, InboxRow, LogRow, OfferRow, OutboxRow } from '../tables.ts';
import type { Disk } from './disk.ts';

const ENDED: ReadonlySet<string> = new Set(['settled', 'superseded', 'dead_lettered']);

const SENT: ReadonlySet<string> = new Set(['visible', 'failed', 'lost', 'cancelled']);

export function checkDisk(disk: Disk, codec: StateCodec): string[] {
  return [
    ...checkShared(disk),
    ...checkLog(disk),
    ...checkDeliveries(disk),
    ...checkSends(disk),
    ...checkOffers(disk),
    ...checkStates(disk, codec),
  ];
}

/** Readers of this store share what they read. */
function checkShared(disk: Disk): string[] {
  return TABLES.flatMap((table) =>
    [...disk.tables[table].entries()]
      .filter(([, row]) => row.isChanged)
      .map(([key]) => `a reader has changed ${table} ${key} in memory`),
  );
}

/** Up to the last row that was removed, rows that something needs stand alone: retention leaves them. */
function checkLog(disk: Disk): string[] {
  const rooms = new Map<string, { all: number[]; uncut: number[] }>();
  for (const [, { row, position }] of disk.tables.log.entries()) {
    const { conversation, seq } = row as LogRow;
    const room = rooms.get(conversation) ?? { all: [], uncut: [] };
    rooms.set(conversation, room);
    room.all.push(seq);
    if (position > disk.cut) room.uncut.push(seq);
  }
  return [...rooms]
    .filter(([, { all, uncut }]) => {
      const isRepeated = new Set(all).size !== all.length;
      return isRepeated || (uncut.length > 0 && Math.max(...uncut) - Math.min(...uncut) + 1 !== uncut.length);
    })
    .map(([conversation]) => `the log of conversation ${conversation} has a gap or a repeated seq`);
}

function checkDeliveries(disk: Disk): string[] {
  const findings: string[] = [];
  for (const [key, { row }] of disk.tables.delivery.entries()) {
    const { open, state, source, dueAt } = row as DeliveryRow;
    const waits = state === 'handed' || (state === 'held' && !isOffered(disk, source));
    if (waits && dueAt === null) findings.push(cannotMove(`delivery ${key}`));
    if (open === 0 && dueAt !== null) findings.push(endedButDue(`delivery ${key}`));
    if ((open === 1) === ENDED.has(state)) {
      findings.push(`delivery ${key} is marked open but ended, or closed but not ended`);
    }
    if (open === 1 && disk.tables.log.get(source) === undefined) {
      findings.push(`open delivery ${key} is about an event that is not in the log`);
    }
  }
  return findings;
}

function isOffered(disk: Disk, source: string): boolean {
  const offer = disk.tables.offer.get(source);
  return offer !== undefined && (offer.row as OfferRow).open === 1;
}

function checkSends(disk: Disk): string[] {
  return [...disk.tables.outbox.entries()].flatMap(([key, { row }]) => {
    const { state, dueAt } = row as OutboxRow;
    if (SENT.has(state)) return dueAt === null ? [] : [endedButDue(`send ${key}`)];
    const isAsked = state === 'awaiting_approval' && isOpenItem(disk, `approval:${key}`);
    return dueAt === null && state !== 'queued' && !isAsked ? [cannotMove(`send ${key}`)] : [];
  });
}

function isOpenItem(disk: Disk, key: string): boolean {
  const item = disk.tables.inbox.get(key);
  return item !== undefined && (item.row as InboxRow).open === 1;
}

function checkOffers(disk: Disk): string[] {
  return [...disk.tables.offer.entries()].flatMap(([key, { row }]) => {
    const { open, dueAt } = row as OfferRow;
    if (open === 0) return dueAt === null ? [] : [endedButDue(`offer ${key}`)];
    return dueAt === null ? [offerCannotMove(key)] : [];
  });
}

function checkStates(disk: Disk, codec: StateCodec): string[] {
  return [...disk.states].flatMap(([key, { text }]) => unreadable(codec, key, text));
}
