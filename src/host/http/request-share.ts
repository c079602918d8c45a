// A caller's share of the HTTP routes. Once its token is known, a request is counted until its answer was read, and waits
// for its turn in the lane of its kind (security/shares.ts). A request beyond the share gets 429 with Retry-After.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Cancel } from '../../runtime/clock.ts';
import type { EndTurn } from '../security/fair-lane.ts';
import type { OpenRequest } from '../security/open-requests.ts';
import type { Scope, TokenIdentity } from '../security/scopes.ts';
import { callerOf, type LaneName, PACED, SHARE_LIMITS } from '../security/shares.ts';
import type { ServerContext } from './context.ts';
import { HttpError } from './http-error.ts';

interface Share {
  reply: FastifyReply;
  who?: string;
  lane?: LaneName | undefined;
  open?: OpenRequest;
  endTurn?: EndTurn;
  cancelCut?: Cancel;
}

const shares = new WeakMap<FastifyRequest, Share>();

const RETRY_MS = 1_000;
/** A reason that costs nothing. Every request ends, and an error of its own would take a stack each time. */
const GONE = 'the answer ended';
/** A shorter answer is in the buffers of the system at once. Nobody watches whether it is read. */
const WATCHED_BYTES = 65_536;

/** Follows every answer, so that a share ends with it. */
export function followAnswers(app: FastifyInstance, { host, clock }: ServerContext): void {
  app.addHook('onRequest', (request, reply, done) => {
    shares.set(request, { reply });
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const share = shares.get(request);
    if (share?.who !== undefined) {
      const bytes = bytesOf(payload);
      if (share.lane !== undefined && PACED.has(share.lane)) host.context.shares.read(share.who, bytes);
      share.endTurn?.();
      share.open?.answered(bytes);
      if (bytes > WATCHED_BYTES)
        share.cancelCut = clock.after(SHARE_LIMITS.unreadMs, () => reply.raw.destroy());
    }
    done(null, payload);
  });
  app.addHook('onResponse', (request, _reply, done) => {
    end(shares.get(request));
    done();
  });
}

/** Resolves when it is the caller's turn. */
export async function takeShare(
  { host }: Pick<ServerContext, 'host'>,
  request: FastifyRequest,
  identity: TokenIdentity,
  scope: Scope,
): Promise<void> {
  const share = shares.get(request);
  if (share === undefined || share.who !== undefined) return;
  // Nothing would give its share back. Nobody reads this answer.
  if (share.reply.raw.closed)
    throw new HttpError(400, 'bad_request', 'The connection was closed before its turn.');
  const all = host.context.shares;
  const who = callerOf(identity);
  const open = all.requests.open(who);
  if (typeof open === 'string') {
    all.refused(who, open);
    throw tooMany(RETRY_MS);
  }
  const lane = laneOf(scope, request.method);
  Object.assign(share, { who, lane, open });
  const gone = new AbortController();
  share.reply.raw.once('close', () => {
    gone.abort(GONE);
    end(share);
  });
  if (lane === undefined) return;
  const taken = scope === 'operator:write' ? all.take(who, 'acts') : undefined;
  if (taken?.ok === false) throw tooMany(taken.retryAfterMs);
  const entering = all.enter(who, lane, gone.signal);
  const entered = entering instanceof Promise ? await entering : entering;
  if (!entered.ok) throw tooMany(entered.retryAfterMs);
  share.endTurn = entered.end;
}

/** Gives the turn back before the answer ends. A stream has no end. */
export function endTurn(request: FastifyRequest): void {
  shares.get(request)?.endTurn?.();
}

export function tooMany(retryAfterMs: number): HttpError {
  const message =
    'This token asks for more at once than its share. Wait as Retry-After says, then ask again.';
  return new HttpError(429, 'rate_limited', message, retryAfterMs);
}

/** Undefined for agents: each of their calls takes its own turn. */
function laneOf(scope: Scope, method: string): LaneName | undefined {
  if (scope === 'agent:connect') return undefined;
  if (scope === 'events:write') return 'ingest';
  if (scope === 'operator:read') return 'look';
  return method === 'GET' ? 'read' : 'act';
}

function end(share: Share | undefined): void {
  share?.cancelCut?.();
  share?.endTurn?.();
  share?.open?.end();
}

function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length;
  return payload instanceof Uint8Array ? payload.length : 0;
}
