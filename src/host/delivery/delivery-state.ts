// A delivery's life, in one place:
//
//   held ─▶ queued ─▶ handed ─▶ accepted ─▶ turn_taken ─▶ settled(disposition)
//             ▲          │          │            │
//             └──────────┴──────────┴────────────┘   given back: session gone, turn cancelled or failed, lapse
//   any open state ─▶ superseded (an edit, a delete, a claim by another) · dead_lettered (with a reason)
//
// Every change goes through `move`, which refuses what is not on this map; an ended delivery never opens again.
import type { Disposition } from '../../protocol/vocabulary.ts';
import type { DeliveryRow, DeliveryState } from '../../store/tables.ts';

const OPEN: readonly DeliveryState[] = ['held', 'queued', 'handed', 'accepted', 'injected', 'turn_taken'];

const LEGAL: Record<DeliveryState, readonly DeliveryState[]> = {
  held: ['queued', 'settled', 'superseded', 'dead_lettered'],
  queued: ['held', 'handed', 'accepted', 'turn_taken', 'settled', 'superseded', 'dead_lettered'],
  handed: ['queued', 'accepted', 'turn_taken', 'settled', 'superseded', 'dead_lettered'],
  accepted: ['queued', 'injected', 'turn_taken', 'settled', 'superseded', 'dead_lettered'],
  injected: ['queued', 'accepted', 'turn_taken', 'settled', 'superseded', 'dead_lettered'],
  turn_taken: ['queued', 'accepted', 'settled', 'superseded', 'dead_lettered'],
  settled: [],
  superseded: [],
  dead_lettered: [],
};

export function isOpen(row: DeliveryRow): boolean {
  return row.open === 1;
}

/** The row in its new state, or undefined when the move is not on the map: the caller leaves the row as it is. */
export function move(
  row: DeliveryRow,
  to: DeliveryState,
  change: Partial<DeliveryRow> = {},
): DeliveryRow | undefined {
  if (row.state !== to && !LEGAL[row.state].includes(to)) return undefined;
  if (row.state === to && row.open === 0) return undefined;
  return { ...row, ...change, state: to, open: OPEN.includes(to) ? 1 : 0 };
}

export function settle(
  row: DeliveryRow,
  disposition: Disposition,
  why: string | null,
  now: number,
): DeliveryRow | undefined {
  return move(row, 'settled', { disposition, why, settledAt: now, dueAt: null, dueFor: null });
}

export function supersede(row: DeliveryRow, why: string, now: number): DeliveryRow | undefined {
  return move(row, 'superseded', {
    disposition: 'superseded',
    why,
    settledAt: now,
    dueAt: null,
    dueFor: null,
  });
}

export function deadLetter(row: DeliveryRow, why: string, now: number): DeliveryRow | undefined {
  return move(row, 'dead_lettered', {
    disposition: 'failed',
    why,
    settledAt: now,
    dueAt: null,
    dueFor: null,
  });
}

/** Claimed and deferred are open: they come back once when their time is over. */
export function putOff(
  row: DeliveryRow,
  disposition: 'claimed' | 'deferred',
  until: number,
): DeliveryRow | undefined {
  if (!isOpen(row)) return undefined;
  return { ...row, state: 'accepted', disposition, dueAt: until, dueFor: 'lapse' };
}

/** To the queue again, as a further attempt. */
export function giveBack(row: DeliveryRow, detail: Record<string, unknown> = {}): DeliveryRow | undefined {
  const next = move(row, 'queued', { attempt: row.attempt + 1, turnId: null, disposition: null });
  return next === undefined ? undefined : { ...next, detail: { ...row.detail, ...detail } };
}
