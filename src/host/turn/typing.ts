// Typing: a harness says that its agent is at work, and the surface shows it if it can. This is best effort, and only
// for conversations that the agent is bound to.
import { METHODS } from '../../protocol/methods.ts';
import { readParams } from '../../protocol/read-params.ts';
import type { Surface } from '../../surfaces/surface.ts';
import type { HostContext } from '../kernel/context.ts';
import { readConversation, type Places } from '../kernel/conversation.ts';
import { surfacePlace } from '../outbox/on-platform.ts';
import { surfaceLease } from '../kernel/leases.ts';
import { isEverywhere } from '../surfaces/start-surfaces.ts';
import type { WorkingSign } from './working.ts';

export interface TypingDeps {
  context: HostContext;
  surface(id: string): Surface | undefined;
  /** Told of every sign that is shown. */
  shown: (sign: WorkingSign) => void;
}

/** Never rejects. */
export async function showTyping(
  deps: TypingDeps & { places: Places },
  agent: string,
  params: unknown,
): Promise<void> {
  const read = readParams(METHODS['notifications/typing'].params, params);
  if (!read.ok) return;
  const { typing } = read.value;
  const { id, threadId } = read.value.conversation;
  try {
    const key = await deps.places.find(threadId ?? id, undefined);
    if (key !== undefined) await showWorking(deps, agent, key, typing);
  } catch (error) {
    deps.context.log.warn({ err: error, agent }, 'typing could not be shown');
  }
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
  const sign = { surface, place, agent, typing };
  context.store.nodes.hint({ working: sign });
  await showSign(deps, sign);
}

/** Shows a sign that this host, or another of its store, was told of. The one that speaks there calls the platform. */
export async function showSign(deps: TypingDeps, sign: WorkingSign): Promise<void> {
  const { context } = deps;
  deps.shown(sign);
  const there = deps.surface(sign.surface);
  if (there === undefined) return;
  if (!isEverywhere(there) && !context.store.nodes.holds(surfaceLease(sign.surface))) return;
  await there.typing?.(sign.place, sign.agent, sign.typing);
}
