// Progress: a report is logged as an event of the conversation it is about. It goes into digests and is never answered.
// Reports about one piece of work are joined: at most one a second is logged, the newest, so a harness that reports every
// percent writes few rows. The rows of one agent are limited besides (security/shares.ts).
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

/** Resolves with what is wrong with the report, if something is, once it or a newer one of its work is logged. */
export type ReportProgress = (agent: string, params: unknown) => Promise<WireError | undefined>;

/** A piece of work is logged at most once in this time. */
const EVERY_MS = 1_000;

interface Report {
  agent: string;
  eventId: string;
  progressToken: string | number;
  progress: number;
  total: number | undefined;
  message: string | undefined;
}

/** A piece of work that was logged less than EVERY_MS ago. */
interface Piece {
  /** The newest report since, and who waits for it. */
  newest?: { report: Report; logged: PromiseWithResolvers<WireError | undefined> };
}

export function createProgress(deps: ProgressDeps): ReportProgress {
  const { clock, shares } = deps.context;
  const pieces = new Map<string, Piece>();

  const log = async (key: string, report: Report): Promise<WireError | undefined> => {
    const taken = shares.take(`agent:${report.agent}`, 'progress');
    if (!taken.ok) return wireError('rate_limited', { retryAfterMs: taken.retryAfterMs });
    const piece: Piece = {};
    const end = (): void => {
      pieces.delete(key);
      const { newest } = piece;
      if (newest === undefined) return;
      log(key, newest.report).then(newest.logged.resolve, newest.logged.reject);
    };
    pieces.set(key, piece);
    const cancel = clock.after(EVERY_MS, end);
    const refused = await logReport(deps, report);
    // Nothing was logged, so the next report has nothing to wait for.
    if (refused !== undefined && pieces.get(key) === piece) {
      cancel();
      end();
    }
    return refused;
  };
  return async (agent, params) => {
    const read = readParams(METHODS['notifications/progress'].params, params);
    if (!read.ok) return read.error;
    const { progressToken, progress, total, message, eventId } = read.value;
    // Without it nobody knows where the work was asked for, so nobody would see the report.
    if (eventId === undefined) return wireError('invalid_params', { problem: NO_EVENT, path: 'eventId' });
    const report = { agent, eventId, progressToken, progress, total, message };
    const key = JSON.stringify([agent, eventId, progressToken]);
    const piece = pieces.get(key);
    if (piece === undefined) return log(key, report);
    const logged = piece.newest?.logged ?? Promise.withResolvers<WireError | undefined>();
    piece.newest = { report, logged };
    return logged.promise;
  };
}

async function logReport(deps: ProgressDeps, report: Report): Promise<WireError | undefined> {
  const { agent, eventId, progressToken, progress, total, message } = report;
  const fields = { progressToken: String(progressToken), progress, total, text: message };
  if (!(await logProgress(deps, agent, eventId, fields))) return wireError('not_found', { what: 'event' });
  deps.context.bus.publish({ type: 'progress', agent, detail: { progressToken, progress, total, message } });
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
