// Typing: a harness says that its agent is at work, and the surface shows it if it can. This is best effort, and only
// for conversations that the agent is bound to.
import { METHODS } from '../../protocol/methods.ts';
import { readParams } from '../../protocol/read-params.ts';
import type { Surface } from '../../surfaces/surface.ts';
import type { HostContext } from '../kernel/context.ts';
import { readConversation, type Places } from '../kernel/conversation.ts';
import { surfacePlace } from '../outbox/on-platform.ts';
import type { WorkingSign } from './working.ts';

export interface TypingDeps {
  context: HostContext;
  surface(id: string): Surface | undefined;
  /** Told of every sign that is shown. */
  shown: (sign: WorkingSign) => void;
}

export function showTyping(deps: TypingDeps & { places: Places }, agent: string, params: unknown): void {
  const read = readParams(METHODS['notifications/typing'].params, params);
  if (!read.ok) return;
  const { typing } = read.value;
  const { id, threadId } = read.value.conversation;
  const key = deps.places.find(threadId ?? id, undefined);
  if (key === undefined) return;
  showWorking(deps, agent, key, typing).catch((error: unknown) => {
    deps.context.log.warn({ err: error, agent }, 'typing could not be shown');
  });
}

export async function showWorking(
  deps: TypingDeps,
  agent: string,
  key: string,
  typing: boolean,
): Promise<void> {
  const { context } = deps;
  const state = await readConversation(context.store, key);
  if (state === undefined || context.rosterAt(state.place).byIdentity.get(agent) === undefined) return;
  const place = surfacePlace(state.place);
  const surface = context.speakers.homeOf(state);
  deps.shown({ surface, place, agent, typing });
  await deps.surface(surface)?.typing?.(place, agent, typing);
}
