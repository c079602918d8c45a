// Progress: a report is logged as an event of the conversation it is about. It goes into digests and is never answered.
import { hostId } from '../../protocol/derived-id.ts';
import { type WireError, wireError } from '../../protocol/errors.ts';
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

/** Resolves with what is wrong with the report, if something is. */
export async function reportProgress(
  deps: ProgressDeps,
  agent: string,
  params: unknown,
): Promise<WireError | undefined> {
  const read = readParams(METHODS['notifications/progress'].params, params);
  if (!read.ok) return read.error;
  const { progressToken, progress, total, message, eventId } = read.value;
  // Without it nobody knows where the work was asked for, so nobody would see the report.
  if (eventId === undefined) return wireError('invalid_params', { problem: NO_EVENT, path: 'eventId' });
  const fields = { progressToken: String(progressToken), progress, total, text: message };
  if (!(await logProgress(deps, agent, eventId, fields))) return wireError('not_found', { what: 'event' });
  const detail = { progressToken, progress, total, message };
  deps.context.bus.publish({ type: 'progress', agent, detail });
  return undefined;
}

const NO_EVENT = 'eventId: name the event that the work was asked for in';

/** False when the agent may see no such event. */
async function logProgress(
  deps: ProgressDeps,
  agent: string,
  eventId: string,
  fields: { progressToken: string; progress: number; total: number | undefined; text: string | undefined },
): Promise<boolean> {
  const { store } = deps.context;
  const delivery = await store.get('delivery', deliveryKey(eventId, agent));
  const about = await store.get('log', delivery?.source ?? eventId);
  if (about === undefined) return false;
  const isKnown = delivery !== undefined || (await mayReadRoom(deps.context, agent, about.conversation));
  if (!isKnown) return false;
  const { platform, workspaceId, conversation } = about.record.event;
  const { total, text, ...rest } = fields;
  await deps.committer.record({
    eventId: hostId('progress', deps.context.random.id()),
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
  return true;
}
