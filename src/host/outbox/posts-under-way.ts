// Which sends are being posted right now, and who waits for their outcome. This is working memory only: the outbox rows
// are the truth, and after a restart the sweep posts again. The poster fills it; tools and echo matching wait on it.
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { OutboxRow, OutboxState } from '../../store/tables.ts';
import type { StoreReader } from '../kernel/context.ts';
import type { HostBus } from '../kernel/change.ts';
import { isEnded, isForPulling } from './outbox-row.ts';

export interface PostsUnderWay {
  /** False when it is being posted already, so that nothing is posted twice at once. */
  begin(key: string): boolean;
  end(key: string): void;
  has(key: string): boolean;
  readonly count: number;
  /** Whether somebody waits for its outcome here. */
  isAwaited(key: string): boolean;
  /** Another node has posted it. */
  told(row: OutboxRow): void;
  /** Resolves with the row's state once the outcome is known, or with `queued` after `waitMs`. */
  outcome(key: string, waitMs: number): Promise<OutboxState>;
}

/** Where another node posts, its row is looked at this often. */
const LOOK_MS = 1_000;

export function createPostsUnderWay(ports: {
  store: StoreReader;
  clock: Clock;
  bus: HostBus;
}): PostsUnderWay {
  const { store, clock, bus } = ports;
  const keys = new Set<string>();
  const waiters = new Map<string, Set<(state: OutboxState) => void>>();
  const told = (row: OutboxRow): void => {
    for (const resolve of waiters.get(row.key) ?? []) resolve(row.state);
    waiters.delete(row.key);
  };
  bus.listen((news) => {
    if (news.type === 'outbox_done') told(news.row);
  });
  return {
    begin(key) {
      if (keys.has(key)) return false;
      keys.add(key);
      return true;
    },
    end: (key) => void keys.delete(key),
    has: (key) => keys.has(key),
    get count() {
      return keys.size;
    },
    isAwaited: (key) => waiters.has(key),
    told,
    async outcome(key, waitMs) {
      const { promise, resolve } = Promise.withResolvers<OutboxState>();
      const waiting = waiters.get(key) ?? new Set();
      waiters.set(key, waiting.add(resolve));
      const look = async (): Promise<void> => {
        const row = await store.get('outbox', key);
        if (row === undefined || isEnded(row) || isForPulling(row)) resolve(row?.state ?? 'failed');
        else if (store.nodes.id !== undefined)
          again = clock.after(LOOK_MS, () => void look().catch(() => undefined));
      };
      let again: Cancel | undefined;
      // The row is read after listening began, so no outcome is missed in between.
      await look();
      const cancel = clock.after(waitMs, () => resolve('queued'));
      const state = await promise;
      cancel();
      again?.();
      waiting.delete(resolve);
      if (waiting.size === 0 && waiters.get(key) === waiting) waiters.delete(key);
      return state;
    },
  };
}
