// A delivery's life, in one place:
//
//   held ─▶ queued ─▶ handed ─▶ accepted ─▶ turn_taken ─▶ settled (with its disposition)
//             ▲          │          │            │
//             └──────────┴──────────┴────────────┘   given back: the session is gone, the turn was cancelled or failed
//   held ─▶ accepted                                 claimed while another holder had the offer
//   any open state ─▶ superseded                     an edit, a delete, a claim by another, a follow-up in its place
//   any open state ─▶ dead_lettered                  given up, with the reason in the inbox
//
// Every change of a row goes through `move`, which refuses what is not on this map. An ended delivery never opens
// again: whatever follows from it is a new row (follow-up.ts). Each transition answers with a Change, so a row and the
// news of it cannot come apart.
import type { Disposition } from '../../protocol/vocabulary.ts';
import type { DeliveryRow, DeliveryState, LogRow } from '../../store/tables.ts';
import { fileDeadLetter } from '../inbox/inbox-row.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import { type DeliveryDetail, putDelivery, withDetail } from './delivery-row.ts';

/** Which state may follow which. Staying in an open state is always legal: its time or its words may change. */
export const DELIVERY_MOVES: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  held: ['queued', 'accepted', 'settled', 'superseded', 'dead_lettered'],
  queued: ['handed', 'accepted', 'turn_taken', 'settled', 'superseded', 'dead_lettered'],
  handed: ['queued', 'accepted', 'turn_taken', 'settled', 'superseded', 'dead_lettered'],
  accepted: ['queued', 'turn_taken', 'settled', 'superseded', 'dead_lettered'],
  turn_taken: ['queued', 'accepted', 'settled', 'superseded', 'dead_lettered'],
  settled: [],
  superseded: [],
  dead_lettered: [],
};

const OVER = { dueAt: null, dueFor: null } as const;

/** The change, and the row as it is after it; no row when the move is not on the map and nothing changes. */
export type Moved = Change & { row: DeliveryRow | undefined };

/** The row in its new state, or undefined when the move is not on the map: the caller leaves the row as it is. */
export function move(
  row: DeliveryRow,
  to: DeliveryState,
  change: Partial<Omit<DeliveryRow, 'key' | 'state' | 'open'>> = {},
): DeliveryRow | undefined {
  if (row.open === 0) return undefined;
  if (row.state !== to && !DELIVERY_MOVES[row.state].includes(to)) return undefined;
  return { ...row, ...change, state: to, open: DELIVERY_MOVES[to].length > 0 ? 1 : 0 };
}

const NOTHING: Moved = { writes: [], news: [], row: undefined };

function moved(row: DeliveryRow | undefined, ...news: Change['news']): Moved {
  return row === undefined ? NOTHING : { writes: [putDelivery(row)], news, row };
}

/** Made, and ready to be handed at once; a held one waits for its time. */
export function queueDelivery(delivery: DeliveryRow, event?: LogRow): Moved {
  return moved(
    delivery,
    delivery.state === 'queued' ? { type: 'deliver', delivery, event } : { type: 'due' },
  );
}

/** Handed to a harness that pulls: if nothing is heard of it until then, it is given back. */
export function lease(row: DeliveryRow, mode: DeliveryRow['mode'], until: number): Moved {
  const next = move(row, 'handed', { mode, dueAt: until, dueFor: 'hand' });
  return moved(next, { type: 'due', at: until });
}

/** Acknowledged by its harness. */
export function accept(row: DeliveryRow, attempt: number): Moved {
  return row.state === 'queued' || row.state === 'handed'
    ? moved(move(row, 'accepted', { attempt }))
    : NOTHING;
}

/** A turn of the model has taken it in. */
export function takeTurn(row: DeliveryRow, turnId: string): Moved {
  return moved(move(row, 'turn_taken', { turnId }));
}

/** The turn was cancelled. The harness keeps the delivery and starts again. */
export function leaveTurn(row: DeliveryRow): Moved {
  return moved(move(row, 'accepted', { turnId: null }));
}

/** The session ended without acknowledging it. The next one is a further attempt. */
export function countAttempt(row: DeliveryRow, attempt: number): Moved {
  return row.state === 'queued' ? moved(move(row, 'queued', { attempt })) : NOTHING;
}

/** Back to the queue as a further attempt. */
export function giveBack(row: DeliveryRow, due: Pick<DeliveryRow, 'dueAt' | 'dueFor'>): Moved {
  const attempt = row.attempt + 1;
  return ready(move(row, 'queued', { ...due, attempt, turnId: null, disposition: null }));
}

/** Held until now; ready from here on. */
export function release(row: DeliveryRow, due: Pick<DeliveryRow, 'dueAt' | 'dueFor'>): Moved {
  return ready(move(row, 'queued', due));
}

function ready(delivery: DeliveryRow | undefined): Moved {
  return delivery === undefined ? NOTHING : moved(delivery, { type: 'deliver', delivery });
}

/** Other words, another time or a lower policy for a row that stays where it is. */
export function revise(
  row: DeliveryRow,
  change: Partial<Pick<DeliveryRow, 'source' | 'policy' | 'mode' | 'dueAt' | 'dueFor'>>,
  detail: Partial<DeliveryDetail> = {},
): Moved {
  const next = move(row, row.state, change);
  return moved(next === undefined ? undefined : withDetail(next, detail));
}

/** Claimed or deferred: open, and back once its time is over. */
export function deferUntil(
  row: DeliveryRow,
  disposition: 'claimed' | 'deferred',
  until: number,
  detail: Partial<DeliveryDetail> = {},
): Moved {
  const next = move(row, 'accepted', { disposition, dueAt: until, dueFor: 'lapse' });
  return moved(next === undefined ? undefined : withDetail(next, detail), { type: 'due' });
}

export function settle(
  row: DeliveryRow,
  disposition: Disposition,
  why: string | null,
  now: number,
  change: Partial<Pick<DeliveryRow, 'attempt' | 'sends'>> = {},
): Moved {
  const next = move(row, 'settled', { ...change, disposition, why, settledAt: now, ...OVER });
  return next === undefined ? NOTHING : moved(next, { type: 'settled', delivery: next });
}

/** Not to be answered any more. The harness is told. */
export function supersede(row: DeliveryRow, why: string, now: number): Moved {
  const next = superseded(row, why, now);
  return next === undefined ? NOTHING : moved(next, { type: 'withdraw', delivery: next, reason: why });
}

/** Another delivery carries it from now on: the harness is told that this one is over. */
export function replace(row: DeliveryRow, by: string, why: string, now: number): Moved {
  const over = superseded(row, why, now);
  const next = over === undefined ? undefined : withDetail(over, { replacedBy: by });
  return next === undefined ? NOTHING : moved(next, { type: 'withdraw', delivery: next, reason: why });
}

/** Merged into another delivery of the same turn: the harness has it there, so it is told nothing. */
export function mergeInto(row: DeliveryRow, into: string, now: number): Moved {
  const over = superseded(row, 'merged', now);
  const next = over === undefined ? undefined : withDetail(over, { replacedBy: into });
  return next === undefined ? NOTHING : moved(next, { type: 'settled', delivery: next });
}

function superseded(row: DeliveryRow, why: string, now: number): DeliveryRow | undefined {
  return move(row, 'superseded', { disposition: 'superseded', why, settledAt: now, ...OVER });
}

/** Given up. The inbox row is part of the same change: a dead letter nobody hears of would be lost for good. */
export function deadLetter(row: DeliveryRow, why: string, now: number): Moved {
  const next = move(row, 'dead_lettered', { disposition: 'failed', why, settledAt: now, ...OVER });
  if (next === undefined) return NOTHING;
  const change = { ...noChange(), row: next };
  addChange(change, moved(next, { type: 'settled', delivery: next }));
  addChange(change, fileDeadLetter(next, now));
  return change;
}
