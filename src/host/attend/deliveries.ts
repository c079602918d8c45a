// From decisions to delivery rows. A row exists only for what will be handed to a harness: knocks and injected events.
// Mailbox, digest and silent decisions live in the log row alone; a hundred quiet agents cost no hundred rows.
import type { Decision } from '../../attention/index.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { DeliveryRow, LogRow, OfferRow } from '../../store/tables.ts';
import type { HostNews } from '../kernel/context.ts';
import { type Carried, type Scene, nothingCarried } from './commit-view.ts';

const HANDED = new Set(['immediate', 'buffered', 'notify']);

export function isHanded({ mode }: Decision): boolean {
  return HANDED.has(mode);
}

/** Obligations have a ladder of their own and never lapse into anything less. */
export function deadlineAt({ policy, reason }: Decision, at: number, deadlineMs: number): number | null {
  return policy === 'must_respond' && reason !== 'obligation' ? at + deadlineMs : null;
}

export function deliveriesFor(
  scene: Scene,
  decisions: readonly Decision[],
): Carried & { rows: DeliveryRow[] } {
  const carried = { ...nothingCarried(), rows: [] as DeliveryRow[] };
  const handed = decisions.filter((decision) => isHanded(decision) && !bringsNothing(scene, decision));
  const offered = handed.filter(({ offer }) => offer === 'one_at_a_time');
  const offer = offered.length > 0 ? offerOf(scene, offered) : undefined;
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

/** Claiming what one was handed whole brings nothing new, and what is not there brings nothing at all. */
function bringsNothing({ view, target }: Scene, { reason, refersTo, agent }: Decision): boolean {
  if (reason !== 'claimed' || refersTo === undefined) return false;
  if (target !== refersTo) return true;
  const had = view.row('delivery', deliveryKey(refersTo, agent));
  return had !== undefined && had.mode !== 'notify';
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
    detail: { decision, ...(isPrivatePlace(row) ? { private: true } : {}) },
  };
}

function dueOf(
  decision: Decision,
  at: number,
  deadlineMs: number,
): { at: number | null; for: DeliveryRow['dueFor'] } {
  if (decision.heldUntil !== undefined) return { at: decision.heldUntil, for: 'hand' };
  const due = deadlineAt(decision, at, deadlineMs);
  return { at: due, for: due === null ? null : 'deadline' };
}

/** One holder at a time: the best placed first, equals in turn. */
function offerOf(scene: Scene, decisions: readonly Decision[]): OfferRow {
  const { context, row, rank } = scene;
  const agents = decisions.map(({ agent }) => agent);
  const from = row.seq % agents.length;
  const inTurn = [...agents.slice(from), ...agents.slice(0, from)].map((agent) => ({
    agent,
    at: rank(agent),
  }));
  const holders = inTurn.toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ agent }) => agent);
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
  { row, at, dueAt }: Pick<Scene, 'row'> & { at: number; dueAt: number | null },
  decision: Decision,
  detail: Record<string, unknown> = {},
): DeliveryRow {
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
    dueAt,
    dueFor: dueAt === null ? null : 'deadline',
    createdAt: at,
    settledAt: null,
    turnId: null,
    sends: 0,
    detail: { decision, ...(isPrivatePlace(row) ? { private: true } : {}), ...detail },
  };
}

function isPrivatePlace({ record: { event } }: LogRow): boolean {
  return event.conversation.kind === 'dm';
}
