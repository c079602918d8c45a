// Reads of the store whose answers a test holds back, as those of a database over a network may come late.
import { vi } from 'vitest';
import type { World } from './world.ts';

type Read = 'get' | 'scan';

/** Holds the answers to the first reads that match, until they are let go. What was read is as old as the read. */
export function holdReads(w: World, name: Read, matches: (...args: string[]) => boolean, most = Infinity) {
  const { store } = w.host.context;
  const read = store[name].bind(store) as (...args: unknown[]) => Promise<unknown>;
  const held: (() => void)[] = [];
  let left = most;
  vi.spyOn(store, name).mockImplementation((async (...args: unknown[]) => {
    const found = await read(...args);
    if (left > 0 && matches(...args.map(String))) {
      left--;
      await new Promise<void>((resolve) => void held.push(resolve));
    }
    return found;
  }) as never);
  return {
    get count() {
      return held.length;
    },
    async end() {
      left = 0;
      for (const go of held.splice(0)) go();
      await w.advance(0);
    },
  };
}
