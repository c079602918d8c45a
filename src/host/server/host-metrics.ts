// The host's numbers, for /metrics. What happens is counted from the news, which is told after each commit; what is, is
// read from the store when somebody asks, at most every few seconds and up to a bound, because counting is reading.
import { startsTurn } from '../../attention/index.ts';
import type { LogRow } from '../../store/tables.ts';
import type { Counter, Metrics, Reading } from '../../runtime/metrics.ts';
import type { HostNews } from '../context.ts';
import type { Host } from '../host.ts';
import type { PackedOutcome } from '../pack-decisions.ts';
import { OPEN_STATES } from './routes/deliveries.ts';

/** Counting stops here; the number then means "at least". */
const COUNTED_MAX = 10_000;
const PAGE = 1_000;
const FRESH_MS = 5_000;
const OUTBOX_STATES = ['awaiting_approval', 'queued', 'sending', 'unknown'] as const;
const INBOX_MAX = 1_000;

export function countHost(metrics: Metrics, host: Host, surfaces: readonly string[]): { stop: () => void } {
  const counters = {
    events: metrics.counter('earshot_events_total', 'Records in the log since the start, by type.'),
    decisions: metrics.counter('earshot_decisions_total', 'Decisions since the start, by policy and reason.'),
    turns: metrics.counter(
      'earshot_turns_total',
      'Turns that messages started, and turns saved against an agent that answers everything it hears.',
    ),
    ended: metrics.counter(
      'earshot_deliveries_ended_total',
      'Deliveries that ended, by state and disposition.',
    ),
  };
  const stop = host.context.bus.listen((news) => count(counters, news));
  gauges(metrics, host, surfaces);
  return { stop };
}

interface Counters {
  events: Counter;
  decisions: Counter;
  turns: Counter;
  ended: Counter;
}

function count(counters: Counters, news: HostNews): void {
  if (news.type === 'logged') countRow(counters, news.row);
  else if (news.type === 'settled' || news.type === 'withdraw') {
    const { state, disposition } = news.delivery;
    counters.ended.add({ state, disposition: disposition ?? 'none' });
  }
}

function countRow({ events, decisions, turns }: Counters, row: LogRow): void {
  events.add({ type: row.type });
  for (const { agents, outcome } of row.decisions as readonly PackedOutcome[]) {
    const { policy, reason } = outcome;
    decisions.add({ policy, reason }, agents.length);
    if (row.type === 'message')
      turns.add({ outcome: startsTurn(outcome) ? 'started' : 'saved' }, agents.length);
  }
}

function gauges(metrics: Metrics, host: Host, surfaces: readonly string[]): void {
  const { store, clock } = host.context;
  const readings = kept(host, () =>
    Promise.all(
      OPEN_STATES.map(
        async (state): Promise<Reading> => [
          { state },
          await countIn((after) => store.scan('delivery', 'byState', { eq: [state], after, limit: PAGE })),
        ],
      ),
    ),
  );
  metrics.gauge('earshot_deliveries', `Open deliveries by state, counted up to ${COUNTED_MAX}.`, readings);
  metrics.gauge(
    'earshot_delivery_lag_seconds',
    'Age of the oldest delivery no harness has been handed.',
    async () => {
      const [oldest] = await store.scan('delivery', 'byState', { eq: ['queued'], limit: 1 });
      return [[{}, oldest === undefined ? 0 : Math.max(0, clock.now() - oldest.createdAt) / 1_000]];
    },
  );
  const outbox = kept(host, () =>
    Promise.all(
      surfaces.flatMap((surface) =>
        OUTBOX_STATES.map(
          async (state): Promise<Reading> => [
            { surface, state },
            await countIn((after) =>
              store.scan('outbox', 'bySurface', { eq: [surface, state], after, limit: PAGE }),
            ),
          ],
        ),
      ),
    ),
  );
  metrics.gauge(
    'earshot_outbox',
    `Unfinished sends by surface and state, counted up to ${COUNTED_MAX}.`,
    outbox,
  );
  metrics.gauge('earshot_inbox_open', 'What waits for a person, by kind.', async () => {
    const rows = await store.scan('inbox', 'byOpen', { eq: [1], limit: INBOX_MAX });
    const kinds = Map.groupBy(rows, ({ kind }) => kind);
    return [...kinds].map(([kind, items]): Reading => [{ kind }, items.length]);
  });
  metrics.gauge('earshot_sessions', 'Harnesses connected now.', () => [[{}, host.courier.agents().length]]);
  metrics.gauge('earshot_session_load', 'Deliveries waiting or unacknowledged, by connected agent.', () =>
    host.courier.agents().map(({ agent, load }): Reading => [{ agent }, load]),
  );
  metrics.gauge('earshot_store_rows', 'Rows by table, and bytes on disk.', async () =>
    Object.entries(await store.stats()).map(([what, value]): Reading => [{ what }, value]),
  );
}

/** The last reading again while it is fresh: however often somebody asks, the store is read at its own pace. */
function kept(host: Host, read: () => Promise<readonly Reading[]>): () => Promise<readonly Reading[]> {
  const { clock } = host.context;
  let last: { until: number; readings: Promise<readonly Reading[]> } | undefined;
  return () => {
    if (last === undefined || clock.now() >= last.until)
      last = { until: clock.now() + FRESH_MS, readings: read() };
    return last.readings;
  };
}

async function countIn(page: (after: number) => Promise<readonly { position: number }[]>): Promise<number> {
  let counted = 0;
  for (let after = 0; counted < COUNTED_MAX; ) {
    const rows = await page(after);
    counted += rows.length;
    after = rows.at(-1)?.position ?? after;
    if (rows.length < PAGE) break;
  }
  return counted;
}
