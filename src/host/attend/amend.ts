// amend: what edits and deletes do to deliveries that are still open, wherever those have got to: waiting, being
// composed, handed, in a turn, replaced by an earlier edit, claimed, offered to a role, escalated. And a delete takes
// the words themselves out of the log.
import { type Decision, type Effect, attend } from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { Write } from '../../store/store.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { deadlineAt, hostDelivery, isHanded } from './deliveries.ts';
import { supersede } from '../delivery/delivery-state.ts';
import { followUp, newestOf } from '../delivery/follow-up.ts';
import { fragmentsOf } from '../deliver/lane-item.ts';
import { endOffer } from '../delivery/offers.ts';
import { type Carried, type Scene, join, nothingCarried } from './commit-view.ts';
import { neverHanded } from '../session/session-row.ts';

/** The text changed and the event still stands: the edit is what the agent gets, however far the event has got. */
export function amend(scene: Scene, effect: Extract<Effect, { type: 'amend' }>): Carried {
  const { agent } = effect;
  const decided = decideAgain(scene, agent);
  const open = openOn(scene, agent);
  if (open.length === 0) return firstDelivery(scene, agent, decided);
  return join(open.map((row) => amendOne(scene, row, decided)));
}

export function withdraw(scene: Scene, agent: string, why: string): Carried {
  return join(openOn(scene, agent).map((row) => over(scene, row, why)));
}

/** Deleted: nothing about it is delivered any more, nobody is offered it, and its words are gone. */
export function amendDelete(scene: Scene): Carried {
  if (scene.row.type !== 'delete' || scene.target === undefined) return nothingCarried();
  const offer = endOffer(scene.view, scene.target, 'deleted', scene.row.at, undefined);
  const agents = scene.context.attention.agents.map(({ id }) => id);
  const deliveries = agents.flatMap((agent) =>
    openOn(scene, agent)
      .filter((row) => !offer.ended.includes(row.key))
      .map((row) => strike(scene, row)),
  );
  return join([offer, ...deliveries, { writes: scrub(scene), news: [] }]);
}

/** Every open delivery to this agent that is about the target, by whatever id it goes by now. */
function openOn({ view, target, edits, context }: Scene, agent: string): DeliveryRow[] {
  if (target === undefined) return [];
  const ids = [target, ...edits, `${target}/claimed`];
  for (const other of context.attention.agents) {
    if (other.lead === agent) ids.push(`${target}/escalated-${other.id}`);
  }
  const found = new Map<string, DeliveryRow>();
  for (const id of ids) {
    const row = newestOf(view, deliveryKey(id, agent));
    if (row?.open === 1) found.set(row.key, row);
  }
  return [...found.values()];
}

/** What would be decided about the words as they are now. The fold says that they stand, this says what they ask. */
function decideAgain(scene: Scene, agent: string): Decision | undefined {
  const { record } = scene.row;
  const { event } = record;
  if (event.type !== 'edit' || scene.target === undefined) return undefined;
  const original = scene.view.row('log', scene.target)?.record.event;
  const { targetEventId: _, type: __, ...edited } = event;
  const first = original?.type === 'message' ? original : {};
  const message = { ...first, ...edited, type: 'message' } as ChatEvent;
  const { decisions } = attend(scene.before, { ...record, kind: 'event', event: message }, scene.roster);
  const decided = decisions.find((decision) => decision.agent === agent);
  return decided?.directedness === 'to_me' ? { ...decided, refersTo: scene.target } : undefined;
}

/** There was nothing to answer before ("thanks"), now there is. */
function firstDelivery(scene: Scene, agent: string, decided: Decision | undefined): Carried {
  if (decided === undefined || !isHanded(decided) || scene.target === undefined) return nothingCarried();
  const last = newestOf(scene.view, deliveryKey(scene.target, agent));
  if (last?.state === 'dead_lettered') return nothingCarried();
  const settled = last?.disposition === 'responded' || last?.disposition === 'acknowledged';
  const decision: Decision = settled
    ? { ...decided, policy: 'may_respond', reason: 'edited_after_response' }
    : decided;
  const { row } = scene;
  const delivery = hostDelivery(
    { row, at: row.at, dueAt: deadlineAt(decision, row.at, scene.roster.limits.deadlineMs) },
    { ...decision, eventId: row.key },
    { edited: true },
  );
  return {
    writes: [{ table: 'delivery', row: delivery }],
    news: [{ type: 'deliver', delivery, event: row }],
  };
}

function amendOne(scene: Scene, row: DeliveryRow, decided: Decision | undefined): Carried {
  const { row: edit } = scene;
  // An offer and an escalation are knocks: they carry no words, the new ones are read where the old ones were.
  if (row.mode === 'notify' && row.source === scene.target) return nothingCarried();
  if (decided !== undefined && !isHanded(decided)) return over(scene, row, 'edited_away');
  const first = row.detail['decision'] as Decision;
  const decision = { ...first, ...decided, eventId: row.eventId };
  const replaced = new Set([scene.target, ...scene.edits]);
  const fragments = fragmentsOf(row)?.map((id) => (replaced.has(id) ? edit.key : id));
  const source = fragments === undefined || replaced.has(row.source) ? edit.key : row.source;
  const putOff = row.dueFor === 'lapse' ? {} : { dueFor: row.dueFor };
  const dueAt = deadlineAt(decision, edit.at, scene.roster.limits.deadlineMs);
  const change: Partial<DeliveryRow> = {
    source,
    policy: decision.policy,
    mode: decision.mode,
    dueAt,
    dueFor: dueAt === null ? null : 'deadline',
    ...(row.state === 'held' ? { dueAt: row.dueAt, ...putOff } : {}),
  };
  const detail = {
    edited: true,
    reminder: false,
    expired: false,
    ...(fragments === undefined ? {} : { fragments }),
  };
  if (neverHanded(row, scene.view.row('session', row.agent))) {
    const next: DeliveryRow = { ...row, ...change, detail: { ...row.detail, ...detail, decision } };
    return { writes: [{ table: 'delivery', row: next }], news: [] };
  }
  const handed = { ...row, state: 'accepted' as const, detail: { ...row.detail, decision } };
  const again = followUp(handed, 'edit', edit.at, change, detail);
  return {
    writes: again.writes,
    news: again.news.map((news) => (news.type === 'deliver' ? withEvent(news, source, edit) : news)),
  };
}

function withEvent<N extends { event: LogRow | undefined }>(news: N, source: string, edit: LogRow): N {
  return source === edit.key ? { ...news, event: edit } : news;
}

/** One fragment of a merged turn is gone: the others are still to be answered. */
function strike(scene: Scene, row: DeliveryRow): Carried {
  const replaced = new Set([scene.target, ...scene.edits]);
  const fragments = fragmentsOf(row)?.filter((id) => !replaced.has(id)) ?? [];
  const source = replaced.has(row.source) ? fragments.at(-1) : row.source;
  if (source === undefined || fragments.length === 0) return over(scene, row, 'deleted');
  const again = followUp({ ...row, state: 'accepted' }, 'edit', scene.row.at, { source }, { fragments });
  return again;
}

function over(scene: Scene, row: DeliveryRow, why: string): Carried {
  const next = supersede(row, why, scene.row.at);
  if (next === undefined) return nothingCarried();
  return {
    writes: [{ table: 'delivery', row: next }],
    news: [{ type: 'withdraw', delivery: next, reason: why }],
  };
}

/** Deletion scrubs stored text: of the message, of its edits, and of the outbox row it was sent from. */
function scrub({ view, target, edits, row, sent }: Scene): Write[] {
  const writes = [target, ...edits].flatMap((id): Write[] => {
    const logged = id === undefined ? undefined : view.row('log', id);
    if (logged === undefined || logged.conversation !== row.conversation) return [];
    return [{ table: 'log', row: scrubbed(logged) }];
  });
  const outbox = sent === undefined ? undefined : view.row('outbox', sent);
  if (outbox !== undefined)
    writes.push({ table: 'outbox', row: { ...outbox, body: { ...outbox.body, text: '' } } });
  return writes;
}

/** The row without its words; who, where, when and what was decided stay. */
export function scrubbed(row: LogRow): LogRow {
  const {
    text: _,
    attachments: __,
    ...event
  } = row.record.event as ChatEvent & {
    text?: string;
    attachments?: unknown;
  };
  return { ...row, secrets: [], record: { ...row.record, event } };
}
