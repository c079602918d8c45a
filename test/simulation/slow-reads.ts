// A store whose reads take a while, as those of a database over a network do. What a reader gets was right when it was
// read: meanwhile others may have written. Units run inside the store and see what is there.
import type { Clock } from '../../src/runtime/clock.ts';
import type { MemoryStore } from '../../src/store/memory/open.ts';

const READS: ReadonlySet<PropertyKey> = new Set(['get', 'scan', 'state', 'dueStates', 'stateKeys']);

/** `waitMs` is asked for every read. At 0 it is answered as the store answers. */
export function withSlowReads(store: MemoryStore, clock: Clock, waitMs: () => number): MemoryStore {
  const late = async (read: Promise<unknown>, ms: number): Promise<unknown> => {
    const found = await read;
    await new Promise<void>((resolve) => clock.after(ms, resolve));
    return found;
  };
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const call = member.bind(target) as (...args: unknown[]) => unknown;
      if (!READS.has(name)) return call;
      return (...args: unknown[]) => {
        const read = call(...args) as Promise<unknown>;
        const ms = waitMs();
        return ms === 0 ? read : late(read, ms);
      };
    },
  });
}
