// Effects of the obligations fold, carried out: returns and escalations become deliveries to one agent (an injected
// knock, never the content), or a row in the humans' inbox on the human rung; a discharge withdraws what is pending.
import type { Decision, ObligationEffect, ObligationsState } from '../../attention/index.ts';
import { deliveryKey, parseIdentity } from '../../protocol/identity.ts';
import type { UnitView } from '../../store/store.ts';
import type { InboxRow, LogRow } from '../../store/tables.ts';
import { hostDelivery } from './deliveries.ts';
import { supersede } from '../delivery/delivery-state.ts';
import { newestOf } from '../delivery/follow-up.ts';
import { type Carried, join, nothingCarried } from './commit-view.ts';

export interface ObligationScene {
  view: UnitView;
  /** The record that caused it; a tick has none. */
  row: Pick<LogRow, 'at'>;
}

type Knocks = Extract<ObligationEffect, { derivedId: string }>;

export function carryOutObligations(
  scene: ObligationScene,
  effects: readonly ObligationEffect[],
  before: ObligationsState,
): Carried {
  return join(effects.map((effect) => carryOutOne(scene, effect, before)));
}

function carryOutOne(scene: ObligationScene, effect: ObligationEffect, before: ObligationsState): Carried {
  switch (effect.type) {
    case 'return':
    case 'escalate':
    case 'reciprocal':
      return knock(scene, effect);
    case 'refused':
      return say(scene, effect);
    case 'held':
    case 'opened':
    case 'resumed':
      return nothingCarried(); // the log row and the open set show it
    case 'discharged':
      return discharged(scene, effect, before);
  }
}

/** A host that drops must say so: what was not taken is in the humans' inbox, with the reason. */
function say({ row }: ObligationScene, effect: Extract<ObligationEffect, { type: 'refused' }>): Carried {
  const { eventId, recipient, reason, limit } = effect;
  const key = `obligation-refused:${eventId}:${recipient ?? ''}:${reason}`;
  const agents = agentsOf(recipient === null ? [] : [recipient]);
  const fields = { eventId, recipient, reason, limit };
  return join([
    toInbox(key, eventId, agents, { refused: reason, recipient, limit }, row.at),
    warning('an obligation was not taken', fields),
  ]);
}

/** Nothing pending about it is handed over any more, and its place in the humans' inbox is closed. */
function discharged(
  { view, row }: ObligationScene,
  { obligationId, eventId, recipient }: Extract<ObligationEffect, { type: 'discharged' }>,
  before: ObligationsState,
): Carried {
  const returned = before.open.find(({ id }) => id === obligationId)?.returned ?? 0;
  const ids = [eventId, ...Array.from({ length: returned }, (_, n) => `${eventId}/return-${n + 1}`)];
  const carried = nothingCarried();
  const agent = parseIdentity(recipient);
  for (const id of ids) {
    const pending = agent?.kind === 'agent' ? newestOf(view, deliveryKey(id, agent.id)) : undefined;
    const over = pending === undefined ? undefined : supersede(pending, 'discharged', row.at);
    if (over !== undefined) {
      carried.writes.push({ table: 'delivery', row: over });
      carried.news.push({ type: 'withdraw', delivery: over, reason: 'discharged' });
    }
    const item = view.row('inbox', `obligation:${id}`);
    if (item?.open !== 1) continue;
    carried.writes.push({ table: 'inbox', row: { ...item, open: 0, closedAt: row.at } });
    carried.news.push({ type: 'inbox', key: item.key });
  }
  return carried;
}

/** What the ladder makes (`evt/escalation-7`) hangs on the question it is about. */
export function questionOf(eventId: string): string {
  return eventId.replace(/(\/(escalation|unclear|return)-\d+)+$/, '');
}

function knock({ view, row }: ObligationScene, effect: Knocks): Carried {
  const recipient = parseIdentity(effect.recipient);
  const detail = knockDetail(effect);
  const question = view.row('log', questionOf(effect.eventId));
  if (recipient?.kind === 'agent' && question !== undefined) {
    const decision = returnDecision(effect, recipient.id);
    const delivery = hostDelivery({ row: question, at: row.at, dueAt: null }, decision, detail);
    return {
      writes: [{ table: 'delivery', row: delivery }],
      news: [{ type: 'deliver', delivery, event: question }],
    };
  }
  const { eventId } = effect;
  const agents = agentsOf([effect.recipient, effect.author]);
  const inbox = toInbox(`obligation:${effect.derivedId}`, eventId, agents, detail, row.at);
  if (question !== undefined) return inbox;
  return join([inbox, warning('a question that is owed an answer is gone', { eventId })]);
}

function warning(message: string, fields: Record<string, unknown>): Carried {
  return { writes: [], news: [{ type: 'warning', message, fields }] };
}

function toInbox(
  key: string,
  eventId: string,
  agents: readonly string[],
  detail: Record<string, unknown>,
  at: number,
): Carried {
  const row: InboxRow = {
    key,
    kind: 'obligation',
    eventId,
    agents,
    detail,
    createdAt: at,
    closedAt: null,
    open: 1,
  };
  return { writes: [{ table: 'inbox', row }], news: [{ type: 'inbox', key }] };
}

function returnDecision(effect: Knocks, agent: string): Decision {
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

function knockDetail(effect: Knocks): Record<string, unknown> {
  const { ageMs, blocks, defaultAction, author, obligationId, topic } = effect;
  return {
    obligation: { blocks, defaultAction },
    obligationId,
    ageMs,
    owedTo: author,
    topic,
    kind: effect.type,
  };
}

function agentsOf(identities: readonly string[]): string[] {
  return identities.flatMap((who) => {
    const parsed = parseIdentity(who);
    return parsed?.kind === 'agent' ? [parsed.id] : [];
  });
}
