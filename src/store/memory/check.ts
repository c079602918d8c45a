// The invariants of a sound store over the memory disk, in the same words as SQLite's.
import { unreadable } from '../read-state.ts';
import type { StateCodec } from '../store.ts';
import { cannotMove, endedButDue, offerCannotMove } from '../stuck-words.ts';
import type { DeliveryRow, InboxRow, LogRow, OfferRow, OutboxRow } from '../tables.ts';
import type { Disk } from './disk.ts';

const ENDED: ReadonlySet<string> = new Set(['settled', 'superseded', 'dead_lettered']);

const SENT: ReadonlySet<string> = new Set(['visible', 'failed', 'lost', 'cancelled']);

export function checkDisk(disk: Disk, codec: StateCodec): string[] {
  return [
    ...checkLog(disk),
    ...checkDeliveries(disk),
    ...checkSends(disk),
    ...checkOffers(disk),
    ...checkStates(disk, codec),
  ];
}

function checkLog(disk: Disk): string[] {
  const seqs = new Map<string, number[]>();
  for (const [, { doc }] of disk.tables.log.entries()) {
    const { conversation, seq } = JSON.parse(doc) as LogRow;
    seqs.set(conversation, [...(seqs.get(conversation) ?? []), seq]);
  }
  return [...seqs]
    .filter(([, list]) => {
      const first = Math.min(...list);
      return new Set(list).size !== list.length || Math.max(...list) - first + 1 !== list.length;
    })
    .map(([conversation]) => `the log of conversation ${conversation} has a gap or a repeated seq`);
}

function checkDeliveries(disk: Disk): string[] {
  const findings: string[] = [];
  for (const [key, { doc }] of disk.tables.delivery.entries()) {
    const { open, state, source, dueAt } = JSON.parse(doc) as DeliveryRow;
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
  return offer !== undefined && (JSON.parse(offer.doc) as OfferRow).open === 1;
}

function checkSends(disk: Disk): string[] {
  return [...disk.tables.outbox.entries()].flatMap(([key, { doc }]) => {
    const { state, dueAt } = JSON.parse(doc) as OutboxRow;
    if (SENT.has(state)) return dueAt === null ? [] : [endedButDue(`send ${key}`)];
    const isAsked = state === 'awaiting_approval' && isOpenItem(disk, `approval:${key}`);
    return dueAt === null && state !== 'queued' && !isAsked ? [cannotMove(`send ${key}`)] : [];
  });
}

function isOpenItem(disk: Disk, key: string): boolean {
  const item = disk.tables.inbox.get(key);
  return item !== undefined && (JSON.parse(item.doc) as InboxRow).open === 1;
}

function checkOffers(disk: Disk): string[] {
  return [...disk.tables.offer.entries()].flatMap(([key, { doc }]) => {
    const { open, dueAt } = JSON.parse(doc) as OfferRow;
    if (open === 0) return dueAt === null ? [] : [endedButDue(`offer ${key}`)];
    return dueAt === null ? [offerCannotMove(key)] : [];
  });
}

function checkStates(disk: Disk, codec: StateCodec): string[] {
  return [...disk.states].flatMap(([key, { text }]) => unreadable(codec, key, text));
}
