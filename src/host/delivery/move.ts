// A delivery's life, in one place:
//
//   held ─▶ queued ─▶ handed ─▶ accepted ─▶ turn_taken ─▶ settled (with its disposition)
//             ▲          │          │            │
//             └──────────┴──────────┴────────────┘   given back: the session ended, the turn was cancelled or failed
//   held ─▶ accepted                                 claimed while another holder had the offer
//   any open state ─▶ superseded                     an edit, a delete, another agent's claim, a follow-up
//   any open state ─▶ dead_lettered                  given up, with the reason in the inbox
//
// Every change of a row goes through `move`, which refuses what is not on this map. An ended delivery never opens
// again: what follows from it is a new row (follow-up.ts). Each transition returns a Change, so a row is never written
// without its news.
import type { Disposition } from '../../protocol/vocabulary.ts';
import type { DeliveryRow, DeliveryState, LogRow } from '../../store/tables.ts';
import { fileDeadLetter } from '../inbox/inbox-row.ts';
import type { UnitView } from '../../store/store.ts';
import { type Change, addChange, mergeChanges, noChange } from '../kernel/change.ts';
import { type DetailChange, decisionOf, firstAsked, putDelivery, withDetail } from './delivery-row.ts';

/** Which state may follow which. A row may always stay in an open state, with a new time or a new text. */
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

const NOT_DUE = { dueAt: null, dueFor: null } as const;

/** The change, and the row after it. `row` is undefined when the move is not on the map and nothing changes. */
export type Moved = Change & { row: DeliveryRow | undefined };

/** The row in its new state; undefined when the move is not on the map. */
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

/** Writes a new delivery. A queued one is handed at once, a held one waits for its time. */
export function queueDelivery(delivery: DeliveryRow, event?: LogRow): Moved {
  return moved(
    delivery,
    delivery.state === 'queued' ? { type: 'deliver', delivery, event } : { type: 'due' },
  );
}

/** Hands it to a pull harness. If the harness does not settle it by `until`, the sweep gives it back. */
export function lease(row: DeliveryRow, mode: DeliveryRow['mode'], until: number): Moved {
  const next = move(row, 'handed', { mode, dueAt: until, dueFor: 'hand' });
  return moved(next, { type: 'due', at: until });
}

/** The harness has acknowledged it, as it was `handed` over. */
export function accept(row: DeliveryRow, handed: DeliveryRow): Moved {
  const { attempt } = handed;
  if (row.state === 'queued' || row.state === 'handed') return moved(move(row, 'accepted', { attempt }));
  // It was handed again to a new session. The row keeps its turn: what that turn sent may be stored after this.
  const isOldTurn =
    row.state === 'turn_taken' && handed.state === 'turn_taken' && row.turnId === handed.turnId;
  return isOldTurn ? moved(move(row, 'accepted', { attempt })) : NOTHING;
}

/** A turn has taken it. The row keeps the turn until another one has it, or until it is cancelled or asked anew. */
export function takeTurn(row: DeliveryRow, turnId: string): Moved {
  return moved(move(row, 'turn_taken', { turnId }));
}

/**
 * The same for a harness that pulls: it begins a turn with what it was handed, and that was given back meanwhile. If it dies in
 * this turn, nobody says so. So the delivery is given back again at `until`.
 */
export function takeGivenBack(row: DeliveryRow, turnId: string, until: number): Moved {
  if (row.state !== 'queued' || row.dueAt !== null) return takeTurn(row, turnId);
  const next = move(row, 'turn_taken', { turnId, dueAt: until, dueFor: 'hand' });
  return moved(next, { type: 'due', at: until });
}

/** The turn was cancelled. The harness keeps the delivery and may start another turn. */
export function leaveTurn(row: DeliveryRow): Moved {
  return moved(move(row, 'accepted', { turnId: null }));
}

/** The session ended without acknowledging it. The next hand-over counts as a further attempt. */
export function countAttempt(row: DeliveryRow, attempt: number): Moved {
  return row.state === 'queued' ? moved(move(row, 'queued', { attempt })) : NOTHING;
}

/** Puts it back into the queue as a further attempt. The row keeps its turn, which may answer after all. */
export function giveBack(row: DeliveryRow, due: Pick<DeliveryRow, 'dueAt' | 'dueFor'>): Moved {
  const attempt = row.attempt + 1;
  return ready(move(row, 'queued', { ...due, attempt, disposition: null }));
}

/** Ends the wait of a held delivery. It is ready to be handed now. `policy`: it is asked under another one. */
export function releaseHeld(
  row: DeliveryRow,
  due: Pick<DeliveryRow, 'dueAt' | 'dueFor'>,
  policy = row.policy,
): Moved {
  const next = move(row, 'queued', { ...due, policy });
  const decision = { ...decisionOf(row), policy };
  return ready(next === undefined || policy === row.policy ? next : withDetail(next, { decision }));
}

function ready(delivery: DeliveryRow | undefined): Moved {
  return delivery === undefined ? NOTHING : moved(delivery, { type: 'deliver', delivery });
}

/** Changes the text, the time or the policy of a row that stays in its state. */
export function revise(
  row: DeliveryRow,
  change: Partial<Pick<DeliveryRow, 'source' | 'policy' | 'mode' | 'dueAt' | 'dueFor'>>,
  detail: DetailChange = {},
): Moved {
  const next = move(row, row.state, change);
  return moved(next === undefined ? undefined : withDetail(next, detail));
}

/** An ended row is never due. Only damage leaves one that is, and the sweep would look at it for ever. */
export function clearDue(row: DeliveryRow): Change {
  return row.open === 1 ? noChange() : { writes: [putDelivery({ ...row, ...NOT_DUE })], news: [] };
}

/** Changes the detail of an open row. A harness that has not been handed it yet gets it in the new form. */
export function reviseWaiting(row: DeliveryRow, detail: DetailChange): Moved {
  const next = move(row, row.state);
  if (next === undefined) return NOTHING;
  const revised = withDetail(next, detail);
  return row.state === 'queued' ? ready(revised) : moved(revised);
}

/** Claimed or deferred: it stays open and comes back at `until`. */
export function deferUntil(
  row: DeliveryRow,
  disposition: 'claimed' | 'deferred',
  until: number,
  detail: DetailChange = {},
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
  detail: DetailChange = {},
): Moved {
  const ended = move(row, 'settled', { ...change, disposition, why, settledAt: now, ...NOT_DUE });
  if (ended === undefined) return NOTHING;
  const next = withDetail(ended, detail);
  return moved(next, { type: 'settled', delivery: next });
}

/** Counts an answer (delivery-row.ts), and settles the delivery unless it waits for something. */
export function countAnswer(view: UnitView, row: DeliveryRow, settles: boolean): Change {
  const settled = settles ? settle(row, 'responded', null, view.now, { sends: row.sends + 1 }) : NOTHING;
  return mergeChanges([settled.row === undefined ? countSend(row, 1) : settled, countFirst(view, row, 1)]);
}

/** The answer was not shown, so the question may be answered again. */
export function takeAnswerBack(view: UnitView, row: DeliveryRow): Change {
  return mergeChanges([countSend(row, -1), countFirst(view, row, -1)]);
}

function countFirst(view: UnitView, row: DeliveryRow, by: 1 | -1): Change {
  const first = firstAsked(view, row);
  return first === undefined ? noChange() : countSend(first, by);
}

/** The state stays, also of one that has ended. */
function countSend(row: DeliveryRow, by: 1 | -1): Moved {
  const next: DeliveryRow = { ...row, sends: Math.max(0, row.sends + by) };
  return { writes: [putDelivery(next)], news: [], row: next };
}

/** A turn has said its first word about it, with the send of this key. The state stays. */
export function noteWord(row: DeliveryRow, send: string): Change {
  return { writes: [putDelivery(withDetail(row, { firstWord: send }))], news: [] };
}

/** It ended with its claim, and the agent has claimed the same again. The state stays. */
export function noteClaimedAgain(row: DeliveryRow, by: string): Change {
  return { writes: [putDelivery(withDetail(row, { replacedBy: by, claimedAgain: true }))], news: [] };
}

/** It must not be answered any more. The harness is told. */
export function supersede(row: DeliveryRow, why: string, now: number): Moved {
  const next = superseded(row, why, now);
  return next === undefined ? NOTHING : moved(next, { type: 'withdraw', delivery: next, reason: why });
}

/** Another delivery replaces it. The harness is told that this one is over. */
export function replace(row: DeliveryRow, by: string, why: string, now: number): Moved {
  const ended = superseded(row, why, now);
  const next = ended === undefined ? undefined : withDetail(ended, { replacedBy: by });
  return next === undefined ? NOTHING : moved(next, { type: 'withdraw', delivery: next, reason: why });
}

/** Merges it into another delivery of the same turn. The harness has its text there and is not told. */
export function mergeInto(row: DeliveryRow, into: string, now: number): Moved {
  return replaceQuietly(row, into, 'merged', now);
}

/** Another delivery asks the same from now on. The harness is not told that this one is over. */
export function replaceQuietly(row: DeliveryRow, into: string, why: string, now: number): Moved {
  const ended = superseded(row, why, now);
  const next = ended === undefined ? undefined : withDetail(ended, { replacedBy: into });
  return next === undefined ? NOTHING : moved(next, { type: 'settled', delivery: next });
}

function superseded(row: DeliveryRow, why: string, now: number): DeliveryRow | undefined {
  return move(row, 'superseded', { disposition: 'superseded', why, settledAt: now, ...NOT_DUE });
}

/** Gives it up. The inbox row is part of the same change, so a person always hears of a dead letter. */
export function deadLetter(row: DeliveryRow, why: string, now: number): Moved {
  const next = move(row, 'dead_lettered', { disposition: 'failed', why, settledAt: now, ...NOT_DUE });
  if (next === undefined) return NOTHING;
  const change = { ...noChange(), row: next };
  addChange(change, moved(next, { type: 'settled', delivery: next }));
  addChange(change, fileDeadLetter(next, now));
  return change;
}
