// What an operator may do about an agent or an obligation. Each act goes through the same code as chat and tools: it
// commits a record in the log that names the operator, and an audit row with it.
import { hostId, questionOf } from '../../protocol/derived-id.ts';
import { parseIdentity } from '../../protocol/identity.ts';
import type { ActAnswer } from '../../protocol/operator-api.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { CorrectionLabel } from '../../protocol/correction.ts';
import type { ConversationMode } from '../../protocol/vocabulary.ts';
import type { Place } from '../../attention/index.ts';
import type { Committed } from '../attend/commit-event.ts';
import { placeOf, readConversation } from '../kernel/conversation.ts';
import { decisionForAgent } from '../kernel/log-row.ts';
import type { LogRow } from '../../store/tables.ts';
import { focus } from '../tools/act.ts';
import { auditWrite } from '../kernel/audit.ts';
import type { ServerContext } from '../http/context.ts';
import { findConversation } from '../http/find-conversation.ts';
import { HttpError, notFound } from '../http/http-error.ts';
import { mayDischarge, obligationRows, openObligations, operatorMay } from './obligations-shown.ts';
import { iso } from '../../protocol/log-record.ts';

export interface ActingOperator {
  context: ServerContext;
  /** The token's subject. */
  subject: string;
}

export const CONVERSATION_MODE_WORDS: Record<ConversationMode, string> = {
  auto: 'decides by the usual rules',
  follow: 'follows in batches',
  mention_only: 'hears only explicit calls',
  left: 'has left, until it is mentioned or assigned something',
};

export async function setAgentMode(
  operator: ActingOperator,
  agent: string,
  given: { conversation: string; mode: ConversationMode },
): Promise<ActAnswer> {
  const place = await boundPlace(operator, agent, given.conversation);
  const act = { type: 'mode' as const, mode: given.mode, agent, author: authorOf(operator) };
  const { row, effects } = await commitAct(operator, place, act, (committed) => ({
    what: 'mode',
    detail: { agent, conversation: committed.row.conversation, mode: modeAfter(committed, given.mode) },
  }));
  const refused = effects.find(({ type }) => type === 'refused');
  if (refused?.type === 'refused') {
    throw new HttpError(
      409,
      'conflict',
      `${refused.limit} agents have a mode of their own there, which is all it keeps: set one back to auto first.`,
    );
  }
  const mode = modeAfter({ effects }, given.mode);
  const became = mode === given.mode ? '' : ' A direct message cannot be left.';
  return {
    ok: true,
    words: `${agent} now ${CONVERSATION_MODE_WORDS[mode]} in ${place.conversation.id}.${became}`,
    eventId: row.key,
  };
}

/** The mode that the agent got. A direct message cannot be left, so it may differ from the mode that was asked for. */
export function modeAfter(
  { effects }: Pick<Committed, 'effects'>,
  asked: ConversationMode,
): ConversationMode {
  const effect = effects.find(({ type }) => type === 'mode');
  return effect?.type === 'mode' ? effect.mode : asked;
}

export async function disengageAgent(
  operator: ActingOperator,
  agent: string,
  { conversation }: { conversation: string },
): Promise<ActAnswer> {
  const place = await boundPlace(operator, agent, conversation);
  const act = { type: 'disengage' as const, agent, author: authorOf(operator) };
  const { row } = await commitAct(operator, place, act, (committed) => ({
    what: 'disengage',
    detail: { agent, conversation: committed.row.conversation },
  }));
  return {
    ok: true,
    words: `${agent} is out of every exchange in ${place.conversation.id} until it is addressed again.`,
    eventId: row.key,
  };
}

/** Focus spans conversations, so no conversation records it. The audit does. */
export async function setAgentFocus(
  operator: ActingOperator,
  agent: string,
  { ttlMs }: { ttlMs: number },
): Promise<ActAnswer> {
  requireAgent(operator.context, agent);
  const { host } = operator.context;
  const who = `operator:${operator.subject}`;
  const answer = await focus(
    { ttlMs },
    {
      ...host.toolCaller(agent),
      audit: (now) => [auditWrite(host.context, now, who, 'focus', { agent, ttlMs })],
    },
  );
  if (!answer.ok) throw new HttpError(409, 'conflict', answer.error.message);
  const { until } = answer.result;
  return {
    ok: true,
    words:
      until === null
        ? `${agent} is not in focus any more: what was kept back comes now.`
        : `${agent} is left alone until ${until}, except by what is urgent.`,
  };
}

/** Only the author or a delegate discharges an obligation. On the last rung an operator may do so for the owner. */
export async function dischargeObligation(operator: ActingOperator, key: string): Promise<ActAnswer> {
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
  const act = {
    type: 'reaction' as const,
    targetEventId: eventId,
    signal: 'done' as const,
    recipient,
    author: { id: owner.id, kind: 'human' as const, displayName: `operator ${subject}` },
  };
  const { row } = await commitAct(operator, placeOf(question.record.event), act, () => ({
    what: 'discharge',
    detail: { obligation: key },
  }));
  const behind =
    kind === 'escalation' ? ' What is behind it stays open until whoever asked discharges it.' : '';
  return { ok: true, words: `Discharged for ${recipient} at ${iso(row.at)}.${behind}`, eventId: row.key };
}

const LABEL_WORDS: Record<CorrectionLabel, (agent: string) => string> = {
  should_have_answered: (agent) =>
    `Noted: ${agent} should have answered this. "earshot tune" learns from it.`,
  should_have_stayed_quiet: (agent) =>
    `Noted: ${agent} should have stayed quiet here. "earshot tune" learns from it.`,
  withdrawn: (agent) => `Taken back: what you said about ${agent} here counts no more.`,
};

/** Labels what was decided about a message for an agent. It changes nothing by itself; `earshot tune` learns from it. */
export async function correctDecision(
  operator: ActingOperator,
  row: LogRow,
  { agent, label }: { agent: string; label: CorrectionLabel },
): Promise<ActAnswer> {
  if (row.type !== 'message' || decisionForAgent(row, agent) === undefined) {
    const message = `Nothing was decided about this for ${agent}, so there is nothing to correct: see earshot why ${row.key}.`;
    throw new HttpError(409, 'conflict', message);
  }
  const act = {
    type: 'correction' as const,
    targetEventId: row.key,
    agent,
    label,
    how: 'operator' as const,
    author: authorOf(operator),
  };
  const committed = await commitAct(operator, placeOf(row.record.event), act, () => ({
    what: 'correction',
    detail: { agent, eventId: row.key, label },
  }));
  return { ok: true, words: LABEL_WORDS[label](agent), eventId: committed.row.key };
}

function authorOf({ subject }: ActingOperator) {
  return { id: `operator:${subject}`, kind: 'human' as const, displayName: `operator ${subject}` };
}

type ActEvent = ChatEvent extends infer E
  ? E extends { type: 'mode' | 'disengage' | 'reaction' | 'correction' }
    ? Omit<E, 'eventId' | 'at' | 'platform' | 'workspaceId' | 'conversation'>
    : never
  : never;

/** Commits the act as a record in the log together with its audit row. */
async function commitAct(
  { context: { host, clock }, subject }: ActingOperator,
  place: Place,
  fields: ActEvent,
  audited: (committed: Committed) => { what: string; detail: Record<string, unknown> },
): Promise<Committed> {
  const { context, committer } = host;
  const event = {
    ...fields,
    eventId: hostId('act', context.random.id()),
    at: clock.now(),
    ...placeOf(place),
  };
  const unit = committer.unit(await committer.prepare(event, undefined, 'host'));
  return context.apply({
    ...unit,
    run(view) {
      const change = unit.run(view);
      const { what, detail } = audited(change.result);
      change.writes.push(auditWrite(context, view.now, `operator:${subject}`, what, detail));
      return change;
    },
  });
}

async function boundPlace({ context }: ActingOperator, agent: string, conversation: string): Promise<Place> {
  requireAgent(context, agent);
  const { host } = context;
  const key = await findConversation(context, conversation);
  const place = (await readConversation(host.context.store, key))?.place;
  if (place !== undefined && host.context.rosterAt(place).agents.some(({ id }) => id === agent)) return place;
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
