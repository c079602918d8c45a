// What agents do with a message, in words for the page, read from its deliveries. Each agent has one state: its answer
// if it gave one, else what it is doing now, else how it ended. An agent with may_respond is listed only once it does
// something.
import type { WEB_STATES, WebState } from '../../protocol/web-chat.ts';
import type { StoreReader } from '../kernel/context.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { detailOf, isRetry } from '../delivery/delivery-row.ts';
import { iso } from '../../protocol/log-record.ts';

type StateName = (typeof WEB_STATES)[number];

/** At most this many deliveries are read for a message, and for each of its edits. */
const LOOKED_AT = 64;

/** If an agent has several deliveries, the state that comes first here is shown. */
const ORDER: readonly StateName[] = [
  'answered',
  'working',
  'claimed',
  'deferred',
  'awaiting_approval',
  'retrying',
  'delivered',
  'queued',
  'acknowledged',
  'failed',
  'not_answered',
];
/** These are not shown for may_respond, so that a message does not list every agent that overheard it. */
const QUIET: ReadonlySet<StateName> = new Set([
  'queued',
  'delivered',
  'retrying',
  'not_answered',
  'failed',
  'acknowledged',
]);

export async function statesOf(store: StoreReader, sources: readonly string[]): Promise<WebState[]> {
  const rows: DeliveryRow[] = [];
  for (const source of sources) {
    rows.push(...(await store.scan('delivery', 'bySource', { eq: [source], limit: LOOKED_AT })));
  }
  const best = new Map<string, WebState>();
  for (const row of rows) {
    const shown = stateOf(row);
    const before = best.get(row.agent);
    if (shown === undefined) continue;
    if (before === undefined || ORDER.indexOf(shown.state) < ORDER.indexOf(before.state)) {
      best.set(row.agent, shown);
    }
  }
  return [...best.values()].toSorted((a, b) => (a.agent < b.agent ? -1 : 1));
}

function stateOf(row: DeliveryRow): WebState | undefined {
  const { agent, policy, open, dueAt, dueFor } = row;
  if (policy !== 'must_respond' && policy !== 'may_respond') return undefined;
  const state = open === 1 ? openWord(row) : endedWord(row);
  if (state === undefined || (policy === 'may_respond' && QUIET.has(state))) return undefined;
  return { agent, state, ...(dueFor === 'lapse' && dueAt !== null ? { until: iso(dueAt) } : {}) };
}

function openWord(row: DeliveryRow): StateName {
  const { state, disposition } = row;
  if (isRetry(row)) return 'retrying';
  if (disposition === 'deferred' && detailOf(row).approval === true) return 'awaiting_approval';
  if (disposition === 'claimed' || disposition === 'deferred') return disposition;
  if (state === 'turn_taken') return 'working';
  return state === 'accepted' ? 'delivered' : 'queued';
}

/** A superseded delivery has no state of its own. The delivery that replaced it has. */
function endedWord({ state, disposition, why }: DeliveryRow): StateName | undefined {
  if (state === 'dead_lettered' || why === 'turn_failed') return 'failed';
  if (disposition === 'responded') return 'answered';
  if (disposition === 'acknowledged') return disposition;
  return disposition === 'ignored' || disposition === 'failed' ? 'not_answered' : undefined;
}
