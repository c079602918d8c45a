// A conversation whose state has something due: a tick is logged and folded like any record, so that a replay of the log
// sees what happened by itself.
import type { ConversationState } from '../kernel/conversation.ts';
import { type IngestDeps, commit } from '../ingest/ingest.ts';

export async function tickConversation(deps: IngestDeps, key: string): Promise<void> {
  const { context } = deps;
  const state = (await context.store.state(key)) as ConversationState | undefined;
  if (state === undefined) return;
  const { platform, workspaceId, conversation } = state.place;
  await commit(
    deps,
    {
      eventId: `tick:${key}:${state.attention.seq + 1}`.slice(-256),
      at: context.clock.now(),
      platform,
      workspaceId,
      conversation,
      author: { id: 'earshot', kind: 'system' },
      type: 'tick',
    },
    state.surface,
  );
}
