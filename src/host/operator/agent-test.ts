// A live test of an agent: one question in a private conversation of the operator with it, and how far that has come. The
// question takes the way of every message, so what works here works in chat.
import type { AgentTestAnswer } from '../../protocol/settings-api.ts';
import { rootEventId } from '../../protocol/derived-id.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import { iso } from '../../protocol/log-record.ts';
import type { DeliveryRow, OutboxRow } from '../../store/tables.ts';
import { detailOf } from '../delivery/delivery-row.ts';
import type { ServerContext } from '../http/context.ts';
import { HttpError, notFound } from '../http/http-error.ts';
import type { StoreReader } from '../kernel/context.ts';
import { INTERNAL_SURFACE, WEB_SURFACE, conversationKeyOf } from '../kernel/conversation.ts';
import { textOf } from '../kernel/log-row.ts';
import { isEnded } from '../outbox/outbox-row.ts';
import { deliveryWords } from './delivery-words.ts';

const QUESTION = 'This is a test of the connection. Please answer with one short sentence.';
/** Sends to the private conversation that are searched for the answer, newest first. */
const LOOKED_AT = 50;

export async function askTest(
  context: ServerContext,
  agent: string,
  operator: string,
): Promise<AgentTestAnswer> {
  const { host, clock } = context;
  if (!host.context.agentIds.has(agent)) throw notFound('agent');
  const event = {
    eventId: `agent-test-${host.context.random.id()}`,
    at: iso(clock.now()),
    ...placeFor(agent, operator),
    author: { id: personOf(operator), kind: 'human', displayName: operator },
    type: 'message',
    text: QUESTION,
  };
  const [result] = await host.ingest([event], WEB_SURFACE);
  if (result === undefined || result.status === 'refused') {
    const why = result === undefined ? 'the host took nothing' : result.error.message;
    throw new HttpError(409, 'not_tested', `The question could not be asked: ${why}`);
  }
  return testState(context, agent, operator, result.eventId);
}

export async function testState(
  { host }: ServerContext,
  agent: string,
  operator: string,
  eventId: string,
): Promise<AgentTestAnswer> {
  const { store } = host.context;
  const row = await newestAbout(host, eventId, agent);
  if (row === undefined) throw notFound('test');
  const connected =
    host.courier.connected(agent) || (host.presence.pulls(agent) && !host.presence.isAway(agent));
  const sent = await answerTo(store, row, eventId, conversationKeyOf(placeFor(agent, operator)));
  const said = sent?.state === 'visible' ? await store.get('log', sent.eventId) : undefined;
  const state = stateOf(row, sent);
  const answer = state === 'answered' && said !== undefined ? textOf(said) : null;
  return { eventId, agent, connected, state, words: wordsOf(row, state, connected), answer };
}

/** The newest message to the private conversation that answers this question, whether it is shown yet or not. */
async function answerTo(store: StoreReader, { agent }: DeliveryRow, eventId: string, conversation: string) {
  const sends = await store.scan('outbox', 'byAgentConversation', {
    eq: [agent, conversation],
    limit: LOOKED_AT,
    descending: true,
  });
  return sends.find(
    ({ kind, inReplyTo }) => kind === 'message' && inReplyTo !== null && rootEventId(inReplyTo) === eventId,
  );
}

/** After a failed turn it is asked once more, under a derived id. */
async function newestAbout(
  { context: { store } }: Pick<ServerContext['host'], 'context'>,
  eventId: string,
  agent: string,
): Promise<DeliveryRow | undefined> {
  const first = await store.get('delivery', deliveryKey(eventId, agent));
  const about = await store.scan('delivery', 'bySource', { eq: [eventId], limit: 20, descending: true });
  return about.find((row) => row.agent === agent) ?? first;
}

function stateOf(
  { state, disposition, detail, ...row }: DeliveryRow,
  sent: OutboxRow | undefined,
): AgentTestAnswer['state'] {
  if (sent !== undefined && !isEnded(sent)) return 'working';
  if (disposition === 'responded') return 'answered';
  switch (state) {
    case 'queued':
      return 'waiting';
    case 'held':
    case 'dead_lettered':
      return 'failed';
    case 'handed':
    case 'accepted':
      return 'handed';
    case 'turn_taken':
      return 'working';
    case 'settled':
    case 'superseded':
      return detailOf({ ...row, state, disposition, detail }).error === undefined ? 'silent' : 'failed';
  }
}

function wordsOf(row: DeliveryRow, state: AgentTestAnswer['state'], connected: boolean): string {
  if (state === 'waiting' && !connected)
    return `${row.agent} is not connected yet. Run the line above: the question waits for it.`;
  return deliveryWords(row, connected);
}

function placeFor(agent: string, operator: string) {
  const id = `dm:@${personOf(operator)}:${agent}`;
  return { platform: INTERNAL_SURFACE, workspaceId: 'local', conversation: { id, kind: 'dm' as const } };
}

/** Not one of the web chat's people, so nobody else reads along. */
function personOf(operator: string): string {
  return `operator-${operator}`;
}
