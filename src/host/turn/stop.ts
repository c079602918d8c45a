// "Stop" and "leave": everything of the agent in the conversation that came before ends, what it has not yet sent is
// cancelled, its running turn is fenced, and its harness is told. A rule of the host, not a wish in a prompt. The host
// posts its acknowledgement only after this, so that a crash in between does it again.
import type { DeliveryRow, OutboxRow } from '../../store/tables.ts';
import { type AgentRecord, EMPTY_AGENT_RECORD } from '../kernel/agent-record.ts';
import type { HostContext, HostNews } from '../kernel/context.ts';
import { agentStateKey } from '../kernel/conversation.ts';
import type { Courier } from '../deliver/courier.ts';
import { supersede } from '../delivery/delivery-state.ts';
import type { Poster } from '../send/post.ts';

export type CancelTurn = Pick<
  Extract<HostNews, { type: 'cancel_turn' }>,
  'agent' | 'conversation' | 'reason' | 'seq'
>;
const BATCH = 500;

export interface CancelDeps {
  context: HostContext;
  courier: Courier;
  poster: Pick<Poster, 'ended'>;
}

export async function cancelTurns(deps: CancelDeps, cancel: CancelTurn): Promise<void> {
  if (cancel.reason === 'deleted') return; // what a deletion ends is ended with it
  await endDeliveries(deps, cancel);
  const turns = await fenceTurns(deps.context, cancel);
  for (const turnId of turns) {
    deps.courier.tell(cancel.agent, 'notifications/cancelled', { turnId, reason: cancel.reason });
  }
  await cancelSends(deps, cancel);
}

async function endDeliveries({ context }: CancelDeps, cancel: CancelTurn): Promise<void> {
  const { store, bus } = context;
  const open = await store.scan('delivery', 'byAgentConversation', {
    eq: [cancel.agent, cancel.conversation, 1],
    limit: BATCH,
  });
  for (const pending of open) {
    const { key } = pending;
    if (!(await isBefore(context, pending, cancel))) continue;
    const next = await store.transact({
      states: [],
      rows: [['delivery', key]],
      run(view) {
        const row = view.row('delivery', key);
        const over = row === undefined ? undefined : supersede(row, cancel.reason, view.now);
        return { writes: over === undefined ? [] : [{ table: 'delivery', row: over }], result: over };
      },
    });
    if (next !== undefined) bus.tell({ type: 'withdraw', delivery: next, reason: cancel.reason });
  }
}

/** What was said after the stop is not stopped by it. */
async function isBefore(
  { store }: HostContext,
  { conversation, source }: Pick<DeliveryRow, 'conversation' | 'source'>,
  cancel: CancelTurn,
): Promise<boolean> {
  if (conversation !== cancel.conversation) return false;
  const about = await store.get('log', source);
  return about !== undefined && about.seq < cancel.seq;
}

/** Whatever a turn about the conversation still says, with or without naming its event, is not accepted. */
async function fenceTurns(context: HostContext, cancel: CancelTurn): Promise<string[]> {
  const { store } = context;
  const key = agentStateKey(cancel.agent);
  const { turns } = ((await store.state(key)) as AgentRecord | undefined) ?? EMPTY_AGENT_RECORD;
  const concerned = new Set<string>();
  for (const turn of turns) {
    if (turn.ended) continue;
    for (const delivery of turn.deliveries) {
      const row = await store.get('delivery', delivery);
      if (row !== undefined && (await isBefore(context, row, cancel))) concerned.add(turn.id);
    }
  }
  if (concerned.size === 0) return [];
  return store.transact<string[]>({
    states: [key],
    run(view) {
      const record = (view.state(key) as AgentRecord | undefined) ?? EMPTY_AGENT_RECORD;
      const fenced = record.turns.filter((turn) => !turn.ended && concerned.has(turn.id));
      const next = record.turns.map((turn) => (fenced.includes(turn) ? { ...turn, ended: true } : turn));
      return {
        writes: [{ state: key, value: { ...record, turns: next } }],
        result: fenced.map(({ id }) => id),
      };
    },
  });
}

async function cancelSends({ context, poster }: CancelDeps, cancel: CancelTurn): Promise<void> {
  const { store } = context;
  const stop = await store.scan('log', 'byConversation', {
    eq: [cancel.conversation],
    after: cancel.seq - 1,
    limit: 1,
  });
  const until = stop[0]?.at ?? context.clock.now();
  const rows = await store.scan('outbox', 'byAgentConversation', {
    eq: [cancel.agent, cancel.conversation],
    limit: BATCH,
    descending: true,
  });
  for (const row of rows) {
    if (!isUnsent(row) || row.createdAt > until) continue;
    const { key } = row;
    const over = await store.transact<OutboxRow | undefined>({
      states: [],
      rows: [['outbox', key]],
      run(view) {
        const current = view.row('outbox', key);
        if (current === undefined || !isUnsent(current)) return { writes: [], result: undefined };
        const next: OutboxRow = { ...current, state: 'cancelled', dueAt: null, error: cancel.reason };
        return { writes: [{ table: 'outbox', row: next }], result: next };
      },
    });
    if (over !== undefined) poster.ended(over);
  }
}

/** The host's own acknowledgement is what the person is waiting for. */
function isUnsent({ state, bodyHash }: OutboxRow): boolean {
  return (state === 'queued' || state === 'awaiting_approval') && !bodyHash.startsWith('ack-');
}
