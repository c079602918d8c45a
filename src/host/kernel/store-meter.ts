// Metrics of group commit: units per sync, and how long a sync takes. The sync time limits how fast a durable host can
// be. The meter wraps the store and changes nothing about it.
import { type Metrics, stopwatch } from '../../runtime/metrics.ts';
import type { Store } from '../../store/store.ts';

export interface StoreMeter {
  store(store: Store): Store;
  /** Wraps the function that makes a batch durable. */
  sync(sync: () => Promise<void>): () => Promise<void>;
}

const BATCHES = [1, 2, 5, 10, 25, 50, 100, 250, 500];
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];

export function meterStore(metrics: Metrics): StoreMeter {
  const units = metrics.histogram('earshot_store_batch_units', 'Units made durable by one sync.', BATCHES);
  const seconds = metrics.histogram('earshot_store_sync_seconds', 'How long one sync takes.', SECONDS);
  let waiting = 0;
  return {
    store(store) {
      const transact: Store['transact'] = (unit) => {
        waiting++;
        return store.transact(unit);
      };
      return {
        clock: store.clock,
        transact,
        get: (table, key) => store.get(table, key),
        scan: (table, index, range) => store.scan(table, index, range),
        state: (key) => store.state(key),
        dueStates: (until, limit) => store.dueStates(until, limit),
        stateKeys: (prefix, after, limit) => store.stateKeys(prefix, after, limit),
        search: (words, limit) => store.search(words, limit),
        horizon: () => store.horizon(),
        nodes: store.nodes,
        log: store.log,
        ready: () => store.ready(),
        stats: () => store.stats(),
        check: () => store.check(),
        backup: (file) => store.backup(file),
        close: () => store.close(),
      };
    },
    sync: (sync) => async () => {
      // Units since the last sync. Units that wrote nothing are counted too.
      units.observe(waiting);
      waiting = 0;
      const elapsed = stopwatch();
      await sync();
      seconds.observe(elapsed());
    },
  };
}
