// The first look at a request, when its head is there and nothing of its body is read: does it come with a valid token?
// Without one it may ask for what everybody may have, at a bounded rate, and send no body but to routes that check a
// platform's signature. With one it is refused here if its caller asks without a pause. What a token may do is checked
// by the routes. Whoever asks too often, or has no room left, is answered once, and then its connection rests.
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearerOf } from '../security/http-guard.ts';
import type { TokenIdentity } from '../security/scopes.ts';
import { callerOf } from '../security/shares.ts';
import type { ServerContext } from './context.ts';
import { HttpError, nothingHere, tokenMissing, tokenWrong } from './http-error.ts';
import { identify, TRY_LATER } from './identify.ts';
import { tooMany } from './request-share.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads bodies for which no token has been shown: it checks them by itself. */
    strangersBody?: boolean;
    /** The route refuses strangers by itself, in its own words, without reading the body. */
    refusesStrangers?: boolean;
    /** What is posted here counts as a source's events. */
    takesEvents?: boolean;
  }
}

export async function firstCheck(
  context: Pick<ServerContext, 'tokens' | 'strangers' | 'host' | 'resting'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { strangers } = context;
  strangers.begin(request.raw, reply.raw);
  await turnOfStranger(context, request.raw);
  const token = bearerOf(request.headers);
  const known = token === undefined ? undefined : await identify(context, request.raw, token);
  if (known?.ok === true) {
    const tooOften = overRate(context, request, known.identity);
    if (tooOften === undefined) {
      if (known.identity.kind === 'surface') return;
      return context.host.context.shares.turns.take(callerOf(known.identity));
    }
    context.resting.begin(callerOf(known.identity), reply);
    throw tooOften;
  }
  const refusal = refusalOf(context, request, known);
  if (refusal === undefined) return;
  if (known !== undefined && 'identity' in known) {
    context.resting.begin(callerOf(known.identity), reply);
    throw refusal;
  }
  // Whatever else this connection sends, it costs a new connection.
  void reply.header('connection', 'close');
  throw refusal;
}

/** Strangers take turns too: hundreds of requests that come together on as many connections are begun a few at a time. */
export function turnOfStranger(
  { strangers, host }: Pick<ServerContext, 'strangers' | 'host'>,
  request: IncomingMessage,
): Promise<void> | undefined {
  const address = strangers.addressOfStranger(request);
  return address === undefined ? undefined : host.context.shares.turns.take(`address:${address}`);
}

/** A refusal that needs nothing of the request but who it is from. */
function overRate(
  { host }: Pick<ServerContext, 'host'>,
  request: FastifyRequest,
  identity: TokenIdentity,
): HttpError | undefined {
  const isSource = identity.kind === 'surface';
  const taken = host.context.shares.take(callerOf(identity), isSource ? 'posts' : 'http');
  if (!taken.ok) return tooMany(taken.retryAfterMs);
  if (!isSource || request.routeOptions.config.takesEvents !== true) return undefined;
  const rest = host.mustRest(identity.subject);
  return rest && new HttpError(429, rest.code, rest.message, rest.retryAfterMs);
}

function refusalOf(
  { strangers }: Pick<ServerContext, 'strangers'>,
  request: FastifyRequest,
  known: Exclude<Awaited<ReturnType<typeof identify>>, { ok: true }> | undefined,
): HttpError | undefined {
  if (known !== undefined && 'retryAfterMs' in known) {
    const status = known.why === 'full' ? 503 : 429;
    const code = known.why === 'full' ? 'unavailable' : 'rate_limited';
    return new HttpError(status, code, TRY_LATER[known.why], known.retryAfterMs);
  }
  const taken = strangers.request(request.raw);
  if (!taken.ok) {
    const message = 'Too many requests without a valid token came from this address.';
    return new HttpError(429, 'rate_limited', message, taken.retryAfterMs);
  }
  if (!hasBody(request)) return undefined;
  const { strangersBody = false, refusesStrangers = false } = request.routeOptions.config;
  if (strangersBody) strangers.body(request.raw);
  if (strangersBody || refusesStrangers) return undefined;
  if (request.is404) return nothingHere(request);
  return known === undefined ? tokenMissing() : tokenWrong(known);
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
