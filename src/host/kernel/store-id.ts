// The id of a store, made once and kept in it. Positions and drafts of a tab belong to the store, not to the process or
// the host that it happens to be connected to.
import type { HostContext } from './context.ts';

const KEY = 'store';

export function storeId({ apply, random }: Pick<HostContext, 'apply' | 'random'>): Promise<string> {
  const id = random.id();
  return apply({
    states: [KEY],
    run(view) {
      const known = view.state(KEY);
      if (typeof known === 'string') return { writes: [], news: [], result: known };
      return { writes: [{ state: KEY, value: id, wakeAt: null }], news: [], result: id };
    },
  });
}
