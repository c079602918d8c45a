// From decisions to delivery rows. A row exists only for what will be handed to a harness: knocks and injected events.
// Mailbox, digest and silent decisions live in the log row alone; a hundred quiet agents cost no hundred rows.
import type { Decision } from '../attention/index.ts';
import { deliveryKey } from '../protocol/identity.ts';
import type { DeliveryRow, LogRow, OfferRow } from '../store/tables.ts';
import type { HostNews } from './context.ts';
import { type Carried, type Scene, nothingCarried } from './scene.ts';

const HANDED = new Set(['immediate', 'buffered', 'notify']);

export function deliveriesFor(
  scene: Scene,
  decisions: readonly Decision[],
): Carried & { rows: DeliveryRow[] } {
  const carried = { ...nothingCarried(), rows: [] as DeliveryRow[] };
  const handed = decisions.filter(({ mode }) => HANDED.has(mode));
  const offered = handed.filter(({ offer }) => offer === 'one_at_a_time');
  const offer = offered.length > 1 ? offerOf(scene, offered) : undefined;
  if (offer !== undefined) {
    carried.writes.push({ table: 'offer', row: offer });
    carried.news.push({ type: 'due' });
  }
  for (const decision of handed) {
    const waits =
      offer !== undefined && decision.offer === 'one_at_a_time' && offer.holders[0] !== decision.agent;
    const row = deliveryOf(scene, decision, waits);
    carried.rows.push(row);
    carried.writes.push({ table: 'delivery', row });
    carried.news.push(newsOf(row, contentOf(scene, decision)));
  }
  return carried;
}

/** The logged event whose content is delivered: the claimed event for a claim, else the one being written. */
function contentOf(scene: Scene, decision: Decision): LogRow | undefined {
  if (decision.reason !== 'claimed' || decision.refersTo === undefined) return scene.row;
  return scene.view.row('log', decision.refersTo);
}

function newsOf(row: DeliveryRow, event: LogRow | undefined): HostNews {
  return row.state === 'queued' ? { type: 'deliver', delivery: row, event } : { type: 'due' };
}

function deliveryOf(scene: Scene, decision: Decision, waits: boolean): DeliveryRow {
  const { row, roster } = scene;
  const due = dueOf(decision, row.at, roster.limits.deadlineMs);
  const held = waits || decision.heldUntil !== undefined;
  return {
    key: deliveryKey(decision.eventId, decision.agent),
    agent: decision.agent,
    conversation: row.conversation,
    eventId: decision.eventId,
    source: decision.reason === 'claimed' ? (decision.refersTo ?? row.key) : row.key,
    policy: decision.policy,
    mode: decision.mode,
    state: held ? 'held' : 'queued',
    open: 1,
    disposition: null,
    why: null,
    attempt: 1,
    dueAt: waits ? null : due.at,
    dueFor: waits ? 'offer' : due.for,
    createdAt: row.at,
    settledAt: null,
    turnId: null,
    sends: 0,
    detail: { decision },
  };
}

function dueOf(
  { heldUntil, policy }: Decision,
  at: number,
  deadlineMs: number,
): { at: number | null; for: DeliveryRow['dueFor'] } {
  if (heldUntil !== undefined) return { at: heldUntil, for: 'hand' };
  return policy === 'must_respond' ? { at: at + deadlineMs, for: 'deadline' } : { at: null, for: null };
}

/** One holder at a time: the best placed first, the others in order after it. */
function offerOf(scene: Scene, decisions: readonly Decision[]): OfferRow {
  const { context, row, rank } = scene;
  const holders = decisions.map(({ agent }) => agent).toSorted((a, b) => rank(a) - rank(b));
  return {
    key: row.key,
    conversation: row.conversation,
    holders,
    turn: 0,
    open: 1,
    dueAt: row.at + context.settings.limits.offerMs,
  };
}

/** A delivery the host makes on its own account: an escalation, a return, a reminder under a derived id. */
export function hostDelivery(
  scene: Pick<Scene, 'row'> & { at: number; deadlineMs: number | null },
  decision: Decision,
  detail: Record<string, unknown> = {},
): DeliveryRow {
  const { row, at, deadlineMs } = scene;
  return {
    key: deliveryKey(decision.eventId, decision.agent),
    agent: decision.agent,
    conversation: row.conversation,
    eventId: decision.eventId,
    source: row.key,
    policy: decision.policy,
    mode: decision.mode,
    state: 'queued',
    open: 1,
    disposition: null,
    why: null,
    attempt: 1,
    dueAt: deadlineMs === null ? null : at + deadlineMs,
    dueFor: deadlineMs === null ? null : 'deadline',
    createdAt: at,
    settledAt: null,
    turnId: null,
    sends: 0,
    detail: { decision, ...detail },
  };
}
