// The surfaces that a store has conversations on, for whoever judges or mends it without a host.
import { UnreadableState } from '../../store/store.ts';
import type { StoreReader } from './context.ts';
import { type ConversationState, conversationKeys } from './conversation.ts';

const PAGE = 1_000;

/** Every surface that a conversation is on, and so every one with sends. `store.check()` names a state that cannot be read. */
export async function surfacesOf(store: StoreReader): Promise<string[]> {
  const surfaces = new Set<string>();
  for (let after = ''; ; ) {
    const keys = await conversationKeys(store, after, PAGE);
    for (const key of keys) {
      const state = await store.state(key).catch((error: unknown) => {
        if (!(error instanceof UnreadableState)) throw error;
      });
      if (state !== undefined) surfaces.add((state as ConversationState).surface);
    }
    const last = keys.at(-1);
    if (last === undefined || keys.length < PAGE) return [...surfaces].toSorted();
    after = last;
  }
}
