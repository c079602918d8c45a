// Progress is a notification, not chat: it is logged as an event of the conversation it is about, digested, and never
// answered.
import { deliveryKey } from '../../protocol/identity.ts';
import { METHODS } from '../../protocol/methods.ts';
import { readParams } from '../../protocol/read-params.ts';
import type { Committer } from '../ingest/committer.ts';
import type { HostContext } from '../kernel/context.ts';
import { mayReadRoom } from '../read/may-read.ts';

export interface ProgressDeps {
  context: HostContext;
  committer: Committer;
}

export function reportProgress(deps: ProgressDeps, agent: string, params: unknown): void {
  const { context } = deps;
  const read = readParams(METHODS['notifications/progress'].params, params);
  if (!read.ok) return;
  const { progressToken, progress, total, message, eventId } = read.value;
  context.bus.publish({ type: 'progress', agent, detail: { progressToken, progress, total, message } });
  if (eventId === undefined) return; // about no conversation: shown, not logged
  void logProgress(deps, agent, eventId, {
    progressToken: String(progressToken),
    progress,
    total,
    text: message,
  }).catch((error: unknown) => context.log.error({ err: error, agent }, 'progress could not be logged'));
}

async function logProgress(
  deps: ProgressDeps,
  agent: string,
  eventId: string,
  fields: { progressToken: string; progress: number; total: number | undefined; text: string | undefined },
): Promise<void> {
  const { store } = deps.context;
  const delivery = await store.get('delivery', deliveryKey(eventId, agent));
  const about = await store.get('log', delivery?.source ?? eventId);
  if (about === undefined || !(await mayReadRoom(deps.context, agent, about.conversation))) return;
  const { platform, workspaceId, conversation } = about.record.event;
  const { total, text, ...rest } = fields;
  await deps.committer.record({
    eventId: `progress_${deps.context.random.id()}`,
    at: deps.context.clock.now(),
    platform,
    workspaceId,
    conversation,
    author: { id: agent, kind: 'agent' },
    type: 'progress',
    ...rest,
    ...(total === undefined ? {} : { total }),
    ...(text === undefined ? {} : { text }),
  });
}
