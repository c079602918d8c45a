// What an operator may do about an agent or a debt, through the same code as words and tools: records in the log, with
// the operator in them, and a row of the audit beside.
import { parseIdentity } from '../../protocol/identity.ts';
import type { ActAnswer } from '../../protocol/operator-api.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { ConversationMode } from '../../protocol/vocabulary.ts';
import type { Place } from '../../attention/index.ts';
import type { Committed } from '../attend/commit-event.ts';
import type { ConversationState } from '../kernel/conversation.ts';
import { placeOf } from '../kernel/conversation.ts';
import { commit } from '../ingest/ingest.ts';
import { questionOf } from '../attend/obligation-effects.ts';
import { focus } from '../tools/act.ts';
import { auditWrite } from '../kernel/audit.ts';
import type { ServerContext } from '../http/context.ts';
import { findConversation } from '../http/find-conversation.ts';
import { HttpError, notFound } from '../http/http-error.ts';
import { mayDischarge, obligationRows, openObligations, operatorMay } from './obligations-shown.ts';
import { iso } from '../http/shown.ts';

export interface Operator {
  context: ServerContext;
  /** The token's subject. */
  subject: string;
}

const MODE_WORDS: Record<ConversationMode, string> = {
  auto: 'decides by the usual rules',
  follow: 'follows in batches',
  mention_only: 'hears only explicit calls',
  left: 'has left, until it is mentioned or assigned something',
};

export async function setMode(
  operator: Operator,
  agent: string,
  given: { conversation: string; mode: ConversationMode },
): Promise<ActAnswer> {
  const place = await boundPlace(operator, agent, given.conversation);
  const act = { type: 'mode' as const, mode: given.mode, agent, author: authorOf(operator) };
  const { row, effects } = await record(operator.context, place, act);
  const refused = effects.find(({ type }) => type === 'refused');
  if (refused?.type === 'refused') {
    throw new HttpError(
      409,
      'conflict',
      `${refused.limit} agents have a mode of their own there, which is all it keeps: set one back to auto first.`,
    );
  }
  const effect = effects.find(({ type }) => type === 'mode');
  const mode = effect?.type === 'mode' ? effect.mode : given.mode;
  await audit(operator, 'mode', { agent, conversation: row.conversation, mode });
  const became = mode === given.mode ? '' : ' A direct message cannot be left.';
  return {
    ok: true,
    words: `${agent} now ${MODE_WORDS[mode]} in ${place.conversation.id}.${became}`,
    eventId: row.key,
  };
}

export async function disengage(
  operator: Operator,
  agent: string,
  { conversation }: { conversation: string },
): Promise<ActAnswer> {
  const place = await boundPlace(operator, agent, conversation);
  const { row } = await record(operator.context, place, {
    type: 'disengage',
    agent,
    author: authorOf(operator),
  });
  await audit(operator, 'disengage', { agent, conversation: row.conversation });
  return {
    ok: true,
    words: `${agent} is out of every exchange in ${place.conversation.id} until it is addressed again.`,
    eventId: row.key,
  };
}

/** Focus spans conversations, so it is no record of one: the audit has it. */
export async function setFocus(
  operator: Operator,
  agent: string,
  { ttlMs }: { ttlMs: number },
): Promise<ActAnswer> {
  requireAgent(operator.context, agent);
  const { host } = operator.context;
  const answer = await focus({ ttlMs }, host.toolContext(agent));
  if (!answer.ok) throw new HttpError(409, 'conflict', answer.error.message);
  await audit(operator, 'focus', { agent, ttlMs });
  const { until } = answer.result;
  return {
    ok: true,
    words:
      until === null
        ? `${agent} is not in focus any more: what was kept back comes now.`
        : `${agent} is left alone until ${until}, except by what is urgent.`,
  };
}

/** Nothing but its author or delegate closes a debt. On the last rung, with the owner, an operator acts for the owner. */
export async function dischargeObligation(operator: Operator, key: string): Promise<ActAnswer> {
  const { context, subject } = operator;
  const open = await openObligations(context.host.context);
  const found = obligationRows(open).find(({ id }) => id === key);
  if (found === undefined) throw notFound('open obligation');
  const { recipient, eventId, kind } = found;
  if (!operatorMay(open, found)) {
    throw new HttpError(
      403,
      'forbidden',
      `An operator may not discharge this: only ${mayDischarge(open, found).join(' or ')} may, with a done or agree reaction on ${eventId} that names ${recipient}.`,
    );
  }
  const question = await context.host.context.store.get('log', questionOf(eventId));
  const owner = parseIdentity(recipient);
  if (question === undefined || owner === undefined) throw notFound('question behind this obligation');
  const { row } = await record(context, placeOf(question.record.event), {
    type: 'reaction',
    targetEventId: eventId,
    signal: 'done',
    recipient,
    author: { id: owner.id, kind: 'human', displayName: `operator ${subject}` },
  });
  await audit(operator, 'discharge', { obligation: key });
  const behind =
    kind === 'escalation' ? ' What is behind it stays open until whoever asked discharges it.' : '';
  return { ok: true, words: `Discharged for ${recipient} at ${iso(row.at)}.${behind}`, eventId: row.key };
}

function authorOf({ subject }: Operator) {
  return { id: `operator:${subject}`, kind: 'human' as const, displayName: `operator ${subject}` };
}

type ActEvent = ChatEvent extends infer E
  ? E extends { type: 'mode' | 'disengage' | 'reaction' }
    ? Omit<E, 'eventId' | 'at' | 'platform' | 'workspaceId' | 'conversation'>
    : never
  : never;

function record({ host, clock }: ServerContext, place: Place, fields: ActEvent): Promise<Committed> {
  const { ingest, context } = host.toolContext('');
  const { platform, workspaceId, conversation } = place;
  const eventId = `act_${context.random.id()}`;
  return commit(ingest, { ...fields, eventId, at: clock.now(), platform, workspaceId, conversation }, '');
}

async function boundPlace({ context }: Operator, agent: string, conversation: string): Promise<Place> {
  requireAgent(context, agent);
  const { host } = context;
  const key = await findConversation(context, conversation);
  const { place } = (await host.context.store.state(key)) as ConversationState;
  if (host.context.rosterAt(place).agents.some(({ id }) => id === agent)) return place;
  throw new HttpError(
    409,
    'conflict',
    `${agent} is not bound to this conversation, so there is nothing to change: see agents[].conversations.`,
  );
}

function requireAgent({ host }: ServerContext, agent: string): void {
  const { agents } = host.context.attention;
  if (agents.some(({ id }) => id === agent)) return;
  const known = agents.map(({ id }) => id).join(', ');
  throw new HttpError(404, 'not_found', `There is no agent "${agent}": this host has ${known}.`);
}

async function audit({ context, subject }: Operator, what: string, detail: Record<string, unknown>) {
  const host = context.host.context;
  await host.store.transact({
    states: [],
    run: ({ now }) => ({
      writes: [auditWrite(host, now, `operator:${subject}`, what, detail)],
      result: undefined,
    }),
  });
}
