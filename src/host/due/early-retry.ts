// A question whose turn failed waits for its next try. It does not wait any longer when somebody says something new to the
// agent in the same place, or when a new session of the agent begins: then it may well work again. Nothing depends on
// this: without it the question is asked again at its time.
import type { DeliveryRow } from '../../store/tables.ts';
import { deadlineOf, decisionOf, isRetry } from '../delivery/delivery-row.ts';
import { releaseHeld } from '../delivery/move.ts';
import { type HostNews, mergeChanges } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';

/** How many deliveries are looked at. What is beyond waits for its time. */
const LOOKED_AT = 500;

/** By agent, the conversations in which a retry of its waits. */
type Waiting = Map<string, Set<string>>;

export async function startEarlyRetries(context: HostContext): Promise<void> {
  const waiting: Waiting = new Map();
  const held = await context.store.scan('delivery', 'byState', { eq: ['held'], limit: LOOKED_AT });
  for (const row of held) if (isRetry(row)) note(waiting, row);
  context.bus.listen((news) => {
    if (news.type === 'turn_failed' && !news.isGivenUp) return note(waiting, news);
    const early = tooEarly(waiting, news);
    if (early === undefined) return;
    release(context, early.agent, early.conversations).catch((error: unknown) =>
      context.log.warn({ err: error, agent: early.agent }, 'a retry waits for its time'),
    );
  });
}

function note(waiting: Waiting, { agent, conversation }: { agent: string; conversation: string }): void {
  const known = waiting.get(agent);
  if (known === undefined) waiting.set(agent, new Set([conversation]));
  else known.add(conversation);
}

/** Where retries need not wait any more. They are forgotten here, so that what is released releases nothing. */
function tooEarly(
  waiting: Waiting,
  news: HostNews,
): { agent: string; conversations: ReadonlySet<string> } | undefined {
  if (news.type === 'session' && news.connected) {
    const conversations = waiting.get(news.agent);
    waiting.delete(news.agent);
    return conversations === undefined ? undefined : { agent: news.agent, conversations };
  }
  if (news.type !== 'deliver' || news.delivery.attempt > 1) return undefined;
  const { agent, conversation } = news.delivery;
  const isThere = waiting.get(agent)?.delete(conversation) === true;
  return isThere ? { agent, conversations: new Set([conversation]) } : undefined;
}

async function release(
  context: HostContext,
  agent: string,
  conversations: ReadonlySet<string>,
): Promise<void> {
  const open = await context.store.scan('delivery', 'openByAgent', { eq: [agent, 1], limit: LOOKED_AT });
  const keys = open.flatMap((row) => (isRetry(row) && conversations.has(row.conversation) ? [row.key] : []));
  if (keys.length === 0) return;
  await context.apply({
    states: [],
    rows: keys.map((key) => ['delivery', key] as const),
    run(view) {
      const rows = keys.flatMap((key) => view.row('delivery', key) ?? []).filter(isRetry);
      const changes = rows.map((row) => releaseHeld(row, deadline(context, row, view.now)));
      return { ...mergeChanges(changes), result: undefined };
    },
  });
}

function deadline({ attention }: HostContext, row: DeliveryRow, now: number) {
  return deadlineOf({ ...decisionOf(row), policy: row.policy }, now, attention.limits.deadlineMs);
}
