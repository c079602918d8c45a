// Carries out "stop" and "leave", and takes back what agents have in a conversation that is closed. The agent's earlier
// deliveries in the conversation end, its unsent messages are cancelled, its running turns are fenced, and its harness is
// told. The host enforces this; it does not rely on a prompt. The poster calls it before it posts the acknowledgement, and
// again after a crash. Doing it twice changes nothing.
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow, OutboxRow } from '../../store/tables.ts';
import { followUp } from '../delivery/follow-up.ts';
import { supersede } from '../delivery/move.ts';
import { closeOffer } from '../delivery/offers.ts';
import type { Courier } from '../deliver/courier.ts';
import { closeItem, inboxKeys } from '../inbox/inbox-row.ts';
import { agentRecordIn, readAgentRecord, type TurnRecord, writeAgentRecord } from '../kernel/agent-record.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import type { HostContext, StoreReader } from '../kernel/context.ts';
import { agentStateKey } from '../kernel/conversation.ts';
import { cancelSend, isUnsent } from '../outbox/outbox-row.ts';

const BATCH = 500;

export interface StopDeps {
  context: HostContext;
  courier: Pick<Courier, 'cancelTurn'>;
}

interface Stop {
  agent: string;
  conversation: string;
  reason: 'stop' | 'left';
  /** The seq of the request. What was said after it goes on. */
  seq: number;
  at: number;
}

/** `row` is the acknowledgement of the request. Does nothing when the request is no longer in the log. */
export async function stopTurns(
  { context, courier }: StopDeps,
  row: OutboxRow,
  reason: Stop['reason'],
): Promise<void> {
  const { store } = context;
  const asked = row.inReplyTo === null ? undefined : await store.get('log', row.inReplyTo);
  if (asked === undefined) return;
  const { agent, conversation } = row;
  const stop: Stop = { agent, conversation, reason, seq: asked.seq, at: asked.at };
  const deliveries = await openBefore(store, stop);
  const turns = await turnsBefore(store, stop);
  const sends = await unsentBefore(store, stop);
  await endWork({ context, courier }, agent, { deliveries, turns, sends }, reason);
}

/** The conversation was closed: everything that every agent has there is taken back. Doing it twice changes nothing. */
export async function withdrawFrom(deps: StopDeps, conversation: string): Promise<void> {
  const { store, attention } = deps.context;
  for (const { id: agent } of attention.agents) {
    const range = { eq: [agent, conversation, 1] as const, limit: BATCH };
    for (let more = true; more; ) {
      const deliveries = await store.scan('delivery', 'byAgentConversation', range);
      const keys = new Set(deliveries.map(({ key }) => key));
      const { turns: known } = await readAgentRecord(store, agent);
      const turns = known.filter(
        ({ ended, deliveries: taken }) => !ended && taken.some((key) => keys.has(key)),
      );
      const sends = await unsentIn(store, agent, conversation);
      await endWork(
        deps,
        agent,
        { deliveries, sends, turns: new Set(turns.map(({ id }) => id)) },
        'archived',
      );
      more = deliveries.length === BATCH;
    }
  }
}

interface AgentWork {
  deliveries: readonly DeliveryRow[];
  /** The ids of running turns. */
  turns: ReadonlySet<string>;
  sends: readonly OutboxRow[];
}

async function endWork(
  { context, courier }: StopDeps,
  agent: string,
  { deliveries, turns, sends }: AgentWork,
  reason: Stop['reason'] | 'archived',
): Promise<void> {
  if (deliveries.length + turns.size + sends.length === 0) return;
  const fenced = await context.apply({
    states: [agentStateKey(agent)],
    rows: [
      ...deliveries.flatMap(({ key, source }) => [['delivery', key] as const, ['offer', source] as const]),
      ...sends.map(({ key }) => ['outbox', key] as const),
    ],
    run(view) {
      const change = noChange();
      for (const { key } of deliveries) {
        const delivery = view.row('delivery', key);
        if (delivery === undefined) continue;
        addChange(change, supersede(delivery, reason, view.now));
        // Nobody else takes it up in a closed room.
        if (reason === 'archived') addChange(change, closeOffer(view, delivery.source));
      }
      for (const { key } of sends) {
        const send = view.row('outbox', key);
        if (send === undefined || !isUnsent(send)) continue;
        addChange(change, cancelSend(send, reason));
        const item = closeItem(view.row('inbox', inboxKeys.approval(key)), view.now);
        if (item !== undefined) addChange(change, item);
      }
      const record = agentRecordIn(view, agent);
      const stopped = record.turns.filter(({ ended, id }) => !ended && turns.has(id));
      const ids = stopped.map(({ id }) => id);
      addChange(change, fence(agent, record, ids));
      const gone = new Set(deliveries.map(({ key }) => key));
      for (const turn of stopped) addChange(change, askTheRest(view, turn, gone));
      return { ...change, result: ids };
    },
  });
  for (const turnId of fenced) courier.cancelTurn(agent, turnId, reason);
}

/**
 * A stopped turn may also have what was said after the stop, or elsewhere. That is asked again, under a new id: the harness
 * has dropped the turn with all that it had.
 */
function askTheRest(view: UnitView, turn: TurnRecord, gone: ReadonlySet<string>): Change {
  const change = noChange();
  for (const key of turn.deliveries) {
    const row = gone.has(key) ? undefined : view.row('delivery', key);
    if (row?.state === 'turn_taken' && row.turnId === turn.id)
      addChange(change, followUp(row, { kind: 'retry', now: view.now }));
  }
  return change;
}

/** Ends the turns. From now on no send of theirs is accepted. */
function fence(agent: string, record: ReturnType<typeof agentRecordIn>, ids: readonly string[]): Change {
  if (ids.length === 0) return noChange();
  const turns = record.turns.map((turn) => (ids.includes(turn.id) ? { ...turn, ended: true } : turn));
  return { writes: [writeAgentRecord(agent, { ...record, turns })], news: [] };
}

async function openBefore(store: StoreReader, stop: Stop): Promise<DeliveryRow[]> {
  const open = await store.scan('delivery', 'byAgentConversation', {
    eq: [stop.agent, stop.conversation, 1],
    limit: BATCH,
  });
  const before: DeliveryRow[] = [];
  for (const row of open) if (await isBefore(store, row, stop)) before.push(row);
  return before;
}

async function isBefore(store: StoreReader, row: DeliveryRow, stop: Stop): Promise<boolean> {
  if (row.conversation !== stop.conversation) return false;
  const about = await store.get('log', row.source);
  return about !== undefined && about.seq < stop.seq;
}

async function turnsBefore(store: StoreReader, stop: Stop): Promise<ReadonlySet<string>> {
  const { turns } = await readAgentRecord(store, stop.agent);
  const stopped = new Set<string>();
  for (const turn of turns) {
    if (turn.ended) continue;
    for (const key of turn.deliveries) {
      const row = await store.get('delivery', key);
      if (row !== undefined && (await isBefore(store, row, stop))) stopped.add(turn.id);
    }
  }
  return stopped;
}

async function unsentBefore(store: StoreReader, stop: Stop): Promise<OutboxRow[]> {
  const rows = await unsentIn(store, stop.agent, stop.conversation);
  return rows.filter((row) => row.createdAt <= stop.at);
}

async function unsentIn(store: StoreReader, agent: string, conversation: string): Promise<OutboxRow[]> {
  const range = { eq: [agent, conversation], limit: BATCH, descending: true };
  return (await store.scan('outbox', 'byAgentConversation', range)).filter(isUnsent);
}
