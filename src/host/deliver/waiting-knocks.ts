// What a knock says besides its own message: the earlier knocks in the conversation that still wait for the agent. So an
// agent that was away, or let some pass, reads "2 questions and a request, oldest 4 min" and pulls the thread once.
import type { Delivery } from '../../protocol/delivery.ts';
import { type KnockTask, knockKind } from '../../protocol/knock-topic.ts';
import { instantMs } from '../../protocol/log-record.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { decisionOf, detailOf } from '../delivery/delivery-row.ts';
import type { HostContext } from '../kernel/context.ts';

/** How many open deliveries of the conversation are looked at, and how old a knock may be that is counted. */
const LOOKED_AT = 50;
const COUNTED_MS = 24 * 3_600_000;

/** None for what is asked of this agent alone: a debt, an offer, whatever must be answered. */
export async function waitingKnocks(
  { store, clock }: Pick<HostContext, 'store' | 'clock'>,
  delivery: DeliveryRow,
): Promise<KnockTask[]> {
  if (!isPlainKnock(delivery)) return [];
  const { agent, conversation, key } = delivery;
  const open = await store.scan('delivery', 'byAgentConversation', {
    eq: [agent, conversation, 1],
    limit: LOOKED_AT,
    descending: true,
  });
  const [said] = await store.scan('outbox', 'byAgentConversation', {
    eq: [agent, conversation],
    limit: 1,
    descending: true,
  });
  // Whoever has spoken there since has seen what was said before.
  const since = Math.max(clock.now() - COUNTED_MS, said?.createdAt ?? 0);
  const own = open.find((row) => row.key === key)?.position ?? Number.POSITIVE_INFINITY;
  const earlier = open.filter(
    (row) => row.position < own && isPlainKnock(row) && row.state !== 'turn_taken' && row.createdAt > since,
  );
  const tasks = await Promise.all(
    earlier.map(async (row) => {
      const logged = await store.get('log', row.source);
      return logged === undefined ? undefined : taskOf(row, logged);
    }),
  );
  return tasks.filter((task) => task !== undefined);
}

function isPlainKnock(row: DeliveryRow): boolean {
  return row.mode === 'notify' && row.policy === 'may_respond' && decisionOf(row).claimFirst !== true;
}

function taskOf(row: DeliveryRow, logged: LogRow): KnockTask {
  const { reason, intent } = decisionOf(row);
  const kind = knockKind({ reason, intent, ...knockSubject(row, logged) });
  return { kind, createdAt: instantMs(logged.record.event.at) };
}

/** What the platform calls the message, and what went wrong before. */
export function knockSubject(
  row: DeliveryRow,
  { record: { event } }: LogRow,
): Pick<Delivery, 'subtype' | 'after'> {
  const subject: Pick<Delivery, 'subtype' | 'after'> = {};
  if (event.type === 'message' && event.subtype !== undefined) subject.subtype = event.subtype;
  const { undelivered, escalation, kind } = detailOf(row);
  if (undelivered === true) subject.after = 'undelivered';
  else if (kind === 'reciprocal') subject.after = 'unclear';
  else if (escalation !== undefined && decisionOf(row).reason !== 'loop_stopped')
    subject.after = 'unanswered';
  return subject;
}
