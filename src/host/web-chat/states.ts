// What agents do with a message, in public terms, out of its deliveries. One word per agent: its answer if it gave one,
// else what it is doing now, else how it ended. Agents that were free to say nothing are listed once they do something.
import type { WEB_STATES, WebState } from '../../protocol/web-chat.ts';
import type { StoreReader } from '../kernel/context.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { iso } from '../../protocol/log-record.ts';

type Word = (typeof WEB_STATES)[number];

/** Deliveries looked at for one message and its edits. */
const LOOKED_AT = 64;

/** The strongest first. */
const ORDER: readonly Word[] = [
  'answered',
  'working',
  'claimed',
  'deferred',
  'delivered',
  'queued',
  'acknowledged',
  'not_answered',
];
/** Without these a message that may be answered says nothing of whoever merely overheard it. */
const QUIET: ReadonlySet<Word> = new Set(['queued', 'delivered', 'not_answered', 'acknowledged']);

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
  const { agent, policy, open, disposition, dueAt, dueFor } = row;
  if (policy !== 'must_respond' && policy !== 'may_respond') return undefined;
  const state = open === 1 ? openWord(row) : endedWord(disposition);
  if (state === undefined || (policy === 'may_respond' && QUIET.has(state))) return undefined;
  return { agent, state, ...(dueFor === 'lapse' && dueAt !== null ? { until: iso(dueAt) } : {}) };
}

function openWord({ state, disposition }: DeliveryRow): Word {
  if (disposition === 'claimed' || disposition === 'deferred') return disposition;
  if (state === 'turn_taken') return 'working';
  return state === 'accepted' ? 'delivered' : 'queued';
}

/** What was superseded is told by what took its place. */
function endedWord(disposition: DeliveryRow['disposition']): Word | undefined {
  if (disposition === 'responded') return 'answered';
  if (disposition === 'acknowledged') return disposition;
  return disposition === 'ignored' || disposition === 'failed' ? 'not_answered' : undefined;
}
