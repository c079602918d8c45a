// Reads of conversations that a test holds up, to count how many are under way and to see whose turn is next.
import { vi } from 'vitest';
import type { WireHost } from './host.ts';

/** Holds every read of the log until it is let go. Says whose room each was about, in the order of their turns. */
export function heldReads(wire: WireHost) {
  const { store } = wire.host.context;
  const scan = store.scan.bind(store) as (...args: unknown[]) => Promise<unknown>;
  const waiting: (() => void)[] = [];
  const order: string[] = [];
  let isOpen = false;
  vi.spyOn(store, 'scan').mockImplementation((async (table: string, index: string, range: object) => {
    const [room] = (range as { eq?: unknown[] }).eq ?? [];
    if (table === 'log' && index === 'byConversation' && !isOpen) {
      order.push(String(room).split('/').at(-1) ?? '');
      await new Promise<void>((resolve) => void waiting.push(resolve));
    }
    return scan(table, index, range);
  }) as never);
  return {
    order,
    get held() {
      return waiting.length;
    },
    letOneGo: () => waiting.shift()?.(),
    open() {
      isOpen = true;
      for (const go of waiting.splice(0)) go();
    },
  };
}
