// The host's metrics, for /metrics. Counters count the news that follows each commit. Gauges read the store when
// somebody asks; because counting means reading rows, they read at most every few seconds and up to a bound.
import { startsTurn } from '../../attention/index.ts';
import type { Counter, Metrics, Reading } from '../../runtime/metrics.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostNews } from '../kernel/change.ts';
import type { Host } from '../host.ts';
import { SWEEP_LEASE } from '../kernel/leases.ts';
import { OPINION_COUNTS } from '../opinion/quota.ts';
import type { PackedOutcome } from '../kernel/log-row.ts';
import { keptOutcome } from '../kernel/outcomes.ts';
import { OPEN_STATES } from './routes/deliveries.ts';
import { isWorking } from './surfaces-shown.ts';

/** Counting stops here. The number then means "at least". */
const COUNTED_MAX = 10_000;
const PAGE = 1_000;
const FRESH_MS = 5_000;
const OUTBOX_STATES = ['awaiting_approval', 'queued', 'sending', 'unknown'] as const;
const INBOX_MAX = 1_000;

export function countHost(metrics: Metrics, host: Host, surfaces: readonly string[]): { stop: () => void } {
  const stop = host.context.bus.listen(countNews(metrics));
  countShares(metrics, host);
  countOpinions(metrics, host);
  gauges(metrics, host, surfaces);
  return { stop };
}

/** Who asks for more than its share, and how busy each caller keeps the host. */
function countShares(metrics: Metrics, { context: { shares } }: Host): void {
  const refused = metrics.counter(
    'earshot_share_refused_total',
    'Calls refused because the caller had used its share, by caller and by the limit (docs/security.md).',
  );
  shares.onRefused((who, reason) => refused.add({ who, reason }));
  const calls = (of: (busy: { running: number; waiting: number }) => number) => () =>
    shares.busy().map((busy): Reading => [{ who: busy.who, lane: busy.lane }, of(busy)]);
  metrics.gauge(
    'earshot_calls_running',
    'Calls being worked on, by caller and kind.',
    calls(({ running }) => running),
  );
  metrics.gauge(
    'earshot_calls_waiting',
    'Calls that wait for their turn, by caller and kind.',
    calls(({ waiting }) => waiting),
  );
}

/** They are counted where they are asked (opinion/quota.ts). */
function countOpinions(metrics: Metrics, { opinions }: Host): void {
  metrics.totals(
    'earshot_second_opinions_total',
    'Second opinions since the start: asked, of which changed a decision, late, or failed; and refused by a limit.',
    () => OPINION_COUNTS.map((outcome): Reading => [{ outcome }, opinions.counts[outcome]]),
  );
}

/** This runs for every record and decision, so each counter is looked up only once. */
function countNews(metrics: Metrics): (news: HostNews) => void {
  const all = {
    events: metrics.counter('earshot_events_total', 'Records in the log since the start, by type.'),
    decisions: metrics.counter('earshot_decisions_total', 'Decisions since the start, by policy and reason.'),
    turns: metrics.counter(
      'earshot_turns_total',
      'Turns that messages started, and turns saved against an agent that answers everything it hears.',
    ),
    tokens: metrics.counter(
      'earshot_tokens_total',
      'Tokens of ended turns since the start, by agent, by kind (in, of which cached, and out), and by who counted them (reported, estimated).',
    ),
    usd: metrics.counter('earshot_cost_usd_total', 'US dollars of ended turns, as reported, by agent.'),
    failures: metrics.counter(
      'earshot_turn_failures_total',
      'Turns that failed since the start, by agent, and what became of it: tried again, or given up.',
    ),
    ended: metrics.counter(
      'earshot_deliveries_ended_total',
      'Deliveries that ended, by state and disposition.',
    ),
  };
  const clockJumps = metrics.counter(
    'earshot_clock_jumps_total',
    "Times that the system's clock was set, or the machine slept, by direction.",
  );
  const events = memoized((type) => all.events.of({ type }));
  const decisions = memoized((policy) => memoized((reason) => all.decisions.of({ policy, reason })));
  const turns = memoized((outcome) => all.turns.of({ outcome }));
  return (news) => {
    if (news.type === 'logged') {
      const { type } = news.row;
      events(type).value++;
      if (type === 'turn') countUsage(all, news.row);
      for (const { agents, outcome: kept } of news.row.decisions as readonly PackedOutcome[]) {
        const outcome = keptOutcome(kept);
        decisions(outcome.policy)(outcome.reason).value += agents.length;
        if (type === 'message') turns(startsTurn(outcome) ? 'started' : 'saved').value += agents.length;
      }
    } else if (news.type === 'settled' || news.type === 'withdraw') {
      const { state, disposition } = news.delivery;
      all.ended.add({ state, disposition: disposition ?? 'none' });
    } else if (news.type === 'clock') {
      clockJumps.add({ direction: news.jumpMs < 0 ? 'back' : 'forward' });
    } else if (news.type === 'turn_failed') {
      all.failures.add({ agent: news.agent, outcome: news.isGivenUp ? 'given_up' : 'retry' });
    }
  };
}

function countUsage({ tokens, usd }: { tokens: Counter; usd: Counter }, { record }: LogRow): void {
  const { event } = record;
  if (event.type !== 'turn' || event.usage === undefined) return;
  const { inputTokens, outputTokens, cachedInputTokens, costUsd, source } = event.usage;
  const agent = event.author.id;
  tokens.add({ agent, kind: 'in', source }, inputTokens);
  tokens.add({ agent, kind: 'out', source }, outputTokens);
  if (cachedInputTokens !== undefined) tokens.add({ agent, kind: 'cached', source }, cachedInputTokens);
  if (costUsd !== undefined) usd.add({ agent }, costUsd);
}

function memoized<T>(make: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    let made = known.get(name);
    if (made === undefined) {
      made = make(name);
      known.set(name, made);
    }
    return made;
  };
}

function gauges(metrics: Metrics, host: Host, surfaces: readonly string[]): void {
  const { store, clock } = host.context;
  /** What the store has is told once, by the node that sweeps. */
  const once = (read: () => Promise<readonly Reading[]>) => async (): Promise<readonly Reading[]> =>
    store.nodes.holds(SWEEP_LEASE) ? read() : [];
  const readings = readAtMostEvery(host, () =>
    Promise.all(
      OPEN_STATES.map(
        async (state): Promise<Reading> => [
          { state },
          await countIn((after) => store.scan('delivery', 'byState', { eq: [state], after, limit: PAGE })),
        ],
      ),
    ),
  );
  metrics.gauge(
    'earshot_deliveries',
    `Open deliveries by state, counted up to ${COUNTED_MAX}.`,
    once(readings),
  );
  metrics.gauge(
    'earshot_delivery_lag_seconds',
    'Age of the oldest delivery no harness has been handed.',
    once(async () => {
      const [oldest] = await store.scan('delivery', 'byState', { eq: ['queued'], limit: 1 });
      return [[{}, oldest === undefined ? 0 : Math.max(0, clock.now() - oldest.createdAt) / 1_000]];
    }),
  );
  const outbox = readAtMostEvery(host, () =>
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
    once(outbox),
  );
  const inbox = async (): Promise<Reading[]> => {
    const rows = await store.scan('inbox', 'byOpen', { eq: [1], limit: INBOX_MAX });
    const kinds = Map.groupBy(rows, ({ kind }) => kind);
    return [...kinds].map(([kind, items]): Reading => [{ kind }, items.length]);
  };
  metrics.gauge('earshot_inbox_open', 'What waits for a person, by kind.', once(inbox));
  metrics.gauge('earshot_surface_up', 'Whether a surface works, in part at least: 1 or 0.', () =>
    host.surfaces.all().map((health): Reading => [{ surface: health.surface }, isWorking(health) ? 1 : 0]),
  );
  metrics.gauge('earshot_sessions', 'Harnesses connected now.', () => [[{}, host.courier.agents().length]]);
  metrics.gauge('earshot_session_load', 'Deliveries waiting or unacknowledged, by connected agent.', () =>
    host.courier.agents().map(({ agent, load }): Reading => [{ agent }, load]),
  );
  metrics.gauge(
    'earshot_clock_ahead_seconds',
    "How far the host's time is ahead of the system's clock. Above 0 it runs at half speed.",
    () => [[{}, store.clock.aheadMs() / 1_000]],
  );
  const rows = async (): Promise<Reading[]> =>
    Object.entries(await store.stats()).map(([what, value]): Reading => [{ what }, value]);
  metrics.gauge('earshot_store_rows', 'Rows by table, and bytes on disk.', once(rows));
}

/** Repeats the last reading while it is fresh, so that frequent requests do not read the store more often. */
function readAtMostEvery(
  host: Host,
  read: () => Promise<readonly Reading[]>,
): () => Promise<readonly Reading[]> {
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
