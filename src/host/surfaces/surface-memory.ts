// Small durable values of a surface: an offset, a gateway session, a high-water mark. Each is a state of its own.
import type { SurfaceMemory } from '../../surfaces/surface.ts';
import { noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';

const PREFIX = 'surface/';

export const MEMORY_LIMITS = {
  keyChars: 200,
  /** A value is a mark, not a record of what was said. */
  valueChars: 10_000,
} as const;

export function isSurfaceMemoryKey(key: string): boolean {
  return key.startsWith(PREFIX);
}

export function createSurfaceMemory(
  { store, apply }: Pick<HostContext, 'store' | 'apply'>,
  surface: string,
): SurfaceMemory {
  const stateKey = (key: string): string => `${PREFIX}${encodeURIComponent(surface)}/${key}`;
  return {
    async get(key) {
      return (await store.state(stateKey(key))) as string | undefined;
    },
    async set(key, value) {
      if (key.length > MEMORY_LIMITS.keyChars || value.length > MEMORY_LIMITS.valueChars)
        throw new RangeError(
          `a surface remembers keys of ${MEMORY_LIMITS.keyChars} and values of ${MEMORY_LIMITS.valueChars} characters`,
        );
      const state = stateKey(key);
      await apply({
        states: [state],
        rows: [],
        run: () => ({ ...noChange(), writes: [{ state, value }], result: undefined }),
      });
    },
  };
}
