// A harness says that its agent is at work: shown where the conversation is, if its surface can. Best effort, and only
// for conversations the agent is bound to.
import { METHODS } from '../../protocol/methods.ts';
import { readParams } from '../../protocol/read-params.ts';
import type { Surface } from '../../surfaces/surface.ts';
import type { HostContext } from '../kernel/context.ts';
import { readConversation } from '../kernel/conversation.ts';
import type { Places } from '../kernel/places.ts';

export interface TypingDeps {
  context: HostContext;
  places: Places;
  surface(id: string): Surface | undefined;
}

export function showTyping(deps: TypingDeps, agent: string, params: unknown): void {
  const read = readParams(METHODS['notifications/typing'].params, params);
  if (!read.ok || !read.value.typing) return; // it fades by itself
  const { id, threadId } = read.value.conversation;
  const key = deps.places.find(threadId ?? id, undefined);
  if (key === undefined) return;
  show(deps, agent, key).catch((error: unknown) => {
    deps.context.log.warn({ err: error, agent }, 'typing could not be shown');
  });
}

async function show(deps: TypingDeps, agent: string, key: string): Promise<void> {
  const { context } = deps;
  const state = await readConversation(context.store, key);
  if (state === undefined || context.rosterAt(state.place).byIdentity.get(agent) === undefined) return;
  const shown = deps.surface(state.surface);
  if (shown?.capabilities.typing !== true) return;
  const { workspaceId, conversation } = state.place;
  const { id: conversationId, parentId } = conversation;
  const place = { workspaceId, conversationId, ...(parentId === undefined ? {} : { parentId }) };
  await shown.typing?.(place, agent);
}
