// Applies the effects of the obligations fold, in the unit of the record or tick that caused them. A return or an
// escalation becomes a delivery to one agent, in mode `notify` and without the text, or an inbox item for a person. A
// discharge withdraws the open deliveries about the debt.
import {
  type AttentionState,
  type Decision,
  type EscalatedItem,
  type ObligationEffect,
  type ObligationOptions,
  type ObligationsState,
  agentKey,
  findPair,
} from '../../attention/index.ts';
import { hostId, ladderId, questionOf } from '../../protocol/derived-id.ts';
import { type Identity, deliveryKey, parseIdentity } from '../../protocol/identity.ts';
import type { LogRecord } from '../../protocol/log-record.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { type OwedItem, newDelivery, newestOf } from '../delivery/delivery-row.ts';
import { mergeInto, queueDelivery, reviseWaiting, supersede } from '../delivery/move.ts';
import { amendItem, closeItem, fileItem, inboxKeys } from '../inbox/inbox-row.ts';
import { type Change, addChange, mergeChanges, noChange } from '../kernel/change.ts';
import { INTERNAL_SURFACE } from '../kernel/conversation.ts';
import { isNear } from './scoped-event.ts';

/** The options of the fold for one record: what was decided about it, and whether a loop was stopped. */
export function obligationOptionsFor(
  { obligationOptions }: { obligationOptions: ObligationOptions },
  record: LogRecord,
  decisions: readonly Decision[],
  conversation: AttentionState,
  logged: (eventId: string) => LogRow | undefined,
): ObligationOptions {
  return {
    ...obligationOptions,
    modes: Object.fromEntries(decisions.map(({ agent, mode }) => [`agent:${agent}`, mode])),
    deniedFor: decisions.flatMap(({ agent, decision }): Identity[] =>
      decision === 'denied' ? [`agent:${agent}`] : [],
    ),
    targetKnown: record.facts.original !== undefined,
    loopLevel: isStopped(record, decisions, conversation) ? 2 : 0,
    saidNear: (recordId, event) => {
      const said = logged(recordId)?.record.event;
      return said !== undefined && isNear(said, event);
    },
  };
}

/** Whether the loop guard has stopped the author and one whom the record obliges. */
function isStopped({ event }: LogRecord, decisions: readonly Decision[], { loop }: AttentionState): boolean {
  if (event.author.kind !== 'agent' || loop.pairs.length === 0) return false;
  const author = agentKey(event.author.id);
  return decisions.some(
    ({ agent, reason }) =>
      reason === 'obligation' && (findPair(loop, author, agentKey(agent))?.stopped ?? null) !== null,
  );
}

/** A tick for the obligations. It belongs to no conversation and is not logged. */
export function obligationTick(at: number): LogRecord {
  return {
    kind: 'tick',
    seq: 1,
    at,
    event: {
      eventId: hostId('tick', at),
      at,
      platform: INTERNAL_SURFACE,
      workspaceId: 'local',
      conversation: { id: 'obligations', kind: 'system' },
      author: { id: 'earshot', kind: 'system' },
      type: 'tick',
    },
    facts: {},
  };
}

/** The unit, and the time of the record or tick. */
export interface ObligationCommit {
  view: UnitView;
  row: Pick<LogRow, 'at'>;
}

type KnockEffect = Extract<ObligationEffect, { derivedId: string }>;

export function applyObligationEffects(
  commit: ObligationCommit,
  effects: readonly ObligationEffect[],
  before: ObligationsState,
): Change {
  return mergeChanges(effects.map((effect) => applyOne(commit, effect, before)));
}

function applyOne(commit: ObligationCommit, effect: ObligationEffect, before: ObligationsState): Change {
  switch (effect.type) {
    case 'return':
    case 'reciprocal':
      return knock(commit, effect, before);
    case 'escalate':
      return knock(commit, effect, before); // log-escalations.ts also writes it into the log
    case 'shortened':
      return shorten(commit, effect, before);
    case 'refused':
      return fileRefusal(commit, effect);
    case 'held':
    case 'opened':
    case 'resumed':
      return noChange(); // the log row and the state of the obligations show these
    case 'discharged':
      return discharge(commit, effect, before);
  }
}

/** A refused debt is filed in the inbox with the reason, so that it is never dropped silently. */
function fileRefusal(
  { row }: ObligationCommit,
  { eventId, recipient, reason, limit }: Extract<ObligationEffect, { type: 'refused' }>,
): Change {
  const key = inboxKeys.obligationRefused(eventId, recipient, reason);
  const agents = agentsOf(recipient === null ? [] : [recipient]);
  const detail = { refused: reason, recipient, limit };
  return mergeChanges([
    fileItem({ key, kind: 'obligation', eventId, agents, detail }, row.at),
    warning('an obligation was not taken', { eventId, recipient, reason, limit }),
  ]);
}

/** The debt is discharged: its open deliveries end and its inbox items are closed. */
function discharge(
  { view, row }: ObligationCommit,
  effect: Extract<ObligationEffect, { type: 'discharged' }>,
  before: ObligationsState,
): Change {
  const change = noChange();
  for (const id of askedUnder(effect, before)) {
    const pending = deliveryTo(view, effect.recipient, id);
    if (pending !== undefined) addChange(change, supersede(pending, 'discharged', row.at));
    const closed = closeItem(view.row('inbox', inboxKeys.obligation(id)), row.at);
    if (closed !== undefined) addChange(change, closed);
  }
  return change;
}

/** A debt has left the list. What waits to be handed over, and the inbox item, get the list that is left. */
function shorten(
  { view }: ObligationCommit,
  effect: Extract<ObligationEffect, { type: 'shortened' }>,
  before: ObligationsState,
): Change {
  const change = noChange();
  const items = effect.items.map(listed);
  for (const id of askedUnder(effect, before)) {
    const pending = deliveryTo(view, effect.recipient, id);
    if (pending !== undefined) addChange(change, reviseWaiting(pending, { items }));
    const amended = amendItem(view.row('inbox', inboxKeys.obligation(id)), { items });
    if (amended !== undefined) addChange(change, amended);
  }
  return change;
}

/** The event ids under which the debt was asked for: its own, those of its returns and of its longer lists. */
function askedUnder(
  { obligationId, eventId }: { obligationId: string; eventId: string },
  before: ObligationsState,
): string[] {
  const { returned = 0, lists = [] } = before.open.find(({ id }) => id === obligationId) ?? {};
  const returns = Array.from({ length: returned }, (_, n) => ladderId(eventId, 'return', n + 1));
  return [eventId, ...returns, ...lists.map((number) => ladderId(eventId, 'list', number))];
}

function deliveryTo(view: UnitView, recipient: string, eventId: string): DeliveryRow | undefined {
  const agent = parseIdentity(recipient);
  return agent?.kind === 'agent' ? newestOf(view, deliveryKey(eventId, agent.id)) : undefined;
}

/** Asks for the owed answer again, without its text. */
function knock(commit: ObligationCommit, effect: KnockEffect, before: ObligationsState): Change {
  const { view, row } = commit;
  const recipient = parseIdentity(effect.recipient);
  const detail = knockDetail(effect);
  const question = view.row('log', questionOf(effect.eventId));
  if (recipient?.kind === 'agent' && question !== undefined) {
    const decision = returnDecision(effect, recipient.id);
    const delivery = newDelivery({
      about: question,
      decision,
      dueAt: null,
      dueFor: null,
      now: row.at,
      detail,
    });
    const earlier = askedUnder(effect, before).map((id) => deliveryTo(view, effect.recipient, id));
    const waiting = earlier.filter((one) => one !== undefined).filter(isUnseenKnock);
    return mergeChanges([
      ...waiting.map((one) => mergeInto(one, delivery.key, row.at)),
      queueDelivery(delivery, question),
    ]);
  }
  const filed = askPerson(commit, effect, detail);
  if (question !== undefined) return filed;
  return mergeChanges([
    filed,
    warning('a question that is owed an answer is gone', { eventId: effect.eventId }),
  ]);
}

/** Nobody has seen it yet, so the newer knock about the same debt takes its place. */
function isUnseenKnock({ state, mode }: DeliveryRow): boolean {
  return mode === 'notify' && (state === 'queued' || state === 'held');
}

/** One item for each escalation. It has the whole list, also when that grows later. */
function askPerson(
  { view, row }: ObligationCommit,
  effect: KnockEffect,
  detail: ReturnType<typeof knockDetail>,
): Change {
  const { eventId, derivedId } = effect;
  const known = amendItem(view.row('inbox', inboxKeys.obligation(eventId)), detail);
  if (known !== undefined) return known;
  const agents = agentsOf([effect.recipient, effect.author]);
  const key = inboxKeys.obligation(derivedId);
  return fileItem({ key, kind: 'obligation', eventId, agents, detail }, row.at);
}

function warning(message: string, fields: Record<string, unknown>): Change {
  return { writes: [], news: [{ type: 'warning', message, fields }] };
}

function returnDecision(effect: KnockEffect, agent: string): Decision {
  return {
    eventId: effect.derivedId,
    refersTo: effect.refersTo,
    agent,
    decision: 'engage',
    directedness: 'to_me',
    policy: 'must_respond',
    mode: 'notify',
    context: 'none',
    reason: 'obligation',
    intent: 'question',
    priority: 'normal',
    trace: {
      rung: 'act',
      row: 'obligation',
      facts: { kind: effect.type, ageMs: effect.ageMs, blocks: effect.blocks },
    },
  };
}

function knockDetail(effect: KnockEffect) {
  const { ageMs, blocks, defaultAction, author, obligationId, topic, recipient } = effect;
  return {
    obligation: { blocks, defaultAction },
    obligationId,
    ageMs,
    owedTo: author,
    topic,
    kind: effect.type,
    recipient,
    ...('blockedOn' in effect && effect.blockedOn !== null ? { blockedOn: effect.blockedOn } : {}),
    ...('items' in effect && effect.items.length > 0 ? { items: effect.items.map(listed) } : {}),
  };
}

/** An entry of a list as it is stored: without its age, which changes. */
function listed({ eventId, author, recipient, blocks, defaultAction, createdAt }: EscalatedItem): OwedItem {
  return { eventId, author, recipient, blocks, defaultAction, createdAt };
}

function agentsOf(identities: readonly string[]): string[] {
  return identities.flatMap((who) => {
    const parsed = parseIdentity(who);
    return parsed?.kind === 'agent' ? [parsed.id] : [];
  });
}
