// "Stop": the agent's open deliveries in the conversation end, what it has not yet sent is cancelled, and its harness is
// told. A rule of the host, not a wish in a prompt.
import type { HostContext, HostNews } from './context.ts';
import type { Courier } from './deliver.ts';
import { supersede } from './delivery-state.ts';

type CancelTurn = Extract<HostNews, { type: 'cancel_turn' }>;
const BATCH = 500;

export function cancelTurns(context: HostContext, courier: Courier, news: CancelTurn): void {
  cancelAll(context, courier, news).catch((error: unknown) => {
    context.log.error({ err: error, agent: news.agent }, 'a turn could not be cancelled');
  });
}

async function cancelAll(
  context: HostContext,
  courier: Courier,
  { agent, conversation, reason }: CancelTurn,
): Promise<void> {
  if (reason === 'deleted') return; // the deleted event's own delivery is withdrawn where it is superseded
  const { store, bus } = context;
  const open = await store.scan('delivery', 'byAgentConversation', {
    eq: [agent, conversation, 1],
    limit: BATCH,
  });
  for (const { key } of open) {
    const next = await store.transact({
      states: [],
      rows: [['delivery', key]],
      run(view) {
        const row = view.row('delivery', key);
        const ended = row === undefined ? undefined : supersede(row, reason, view.now);
        return { writes: ended === undefined ? [] : [{ table: 'delivery', row: ended }], result: ended };
      },
    });
    if (next !== undefined) bus.tell({ type: 'withdraw', delivery: next, reason });
  }
  const unsent = await store.scan('outbox', 'byAgentConversation', {
    eq: [agent, conversation],
    limit: BATCH,
    descending: true,
  });
  for (const { key, state, bodyHash } of unsent) {
    if ((state !== 'queued' && state !== 'awaiting_approval') || bodyHash.startsWith('ack-')) continue;
    await store.transact({
      states: [],
      rows: [['outbox', key]],
      run(view) {
        const row = view.row('outbox', key);
        if (row === undefined || (row.state !== 'queued' && row.state !== 'awaiting_approval'))
          return { writes: [], result: undefined };
        return {
          writes: [{ table: 'outbox', row: { ...row, state: 'cancelled', dueAt: null, error: reason } }],
          result: undefined,
        };
      },
    });
  }
  if (open.length === 0)
    courier.tell(agent, 'notifications/cancelled', { turnId: `${agent}:${conversation}`, reason });
}
