// The HTTP app over a running host. It checks every request first (http-guard.ts), then passes it to the routes. Bodies
// stay bytes until a route reads them. Every failure is answered as `{error: {code, message}}`.
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { BODY_LIMITS, checkRequest } from '../security/http-guard.ts';
import { STRANGER_LIMITS } from '../security/stranger-limits.ts';
import type { ServerContext } from './context.ts';
import { firstCheck } from './first-check.ts';
import { answerError, HttpError, nothingHere } from './http-error.ts';
import { followAnswers } from './request-share.ts';

/** Enough for the longest path parameter: a key of an event id and an agent id, percent-encoded. */
const PARAM_CHARS = 4_096;
/** A request must arrive whole within this time. Its answer may take longer, as a long poll does. */
const REQUEST_MS = 60_000;
/** A connection with a token may wait so long for its next request. Longer than proxies keep theirs. */
const KEEP_ALIVE_MS = 72_000;
/** How often the server looks for requests that are too slow. Strangers are looked at more often (strangers.ts). */
const LOOK_EVERY_MS = 5_000;

/** Adds a group of routes to the app. */
export type Routes = (app: FastifyInstance, context: ServerContext) => void;

export function createApp(context: ServerContext, routes: readonly Routes[]): FastifyInstance {
  const { log } = context.host.context;
  const outOfDescriptors = (): void => context.descriptors.failed();
  const onError = answerError({ log, clean: context.clean, outOfDescriptors });
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMITS.otherBytes,
    routerOptions: { maxParamLength: PARAM_CHARS },
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { headersTimeout: STRANGER_LIMITS.headMs, connectionsCheckingInterval: LOOK_EVERY_MS },
    forceCloseConnections: 'idle',
    // Whoever comes while it stops gets the answer of the route, with a time to come back.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => onError(error, request, reply),
    clientErrorHandler: answerClientError,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    // The caller's next request must not meet a connection that ends just then.
    if (context.drain.draining) void reply.header('connection', 'close');
    const { host, origin } = request.headers;
    const guarded = checkRequest({ host, origin }, context.host.context.settings);
    if (!guarded.ok) throw new HttpError(guarded.status, 'forbidden', guarded.message);
    await firstCheck(context, request, reply);
  });
  followAnswers(app, context);
  app.addHook('onResponse', (request, reply, done) => {
    context.counts.http.add({ route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) });
    done();
  });
  app.setErrorHandler(onError);
  app.setNotFoundHandler((request, reply) => {
    onError(nothingHere(request), request, reply);
  });
  for (const add of routes) add(app, context);
  return app;
}

/** Answers what is no request, or came too slowly. The other side may never close its end, so this one is cut. */
function answerClientError({ code }: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable) return void socket.destroy();
  const [status, error] =
    code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', { code: 'too_slow', message: 'The request did not arrive in time.' }]
      : ['400 Bad Request', { code: 'bad_request', message: 'This is not an HTTP request.' }];
  const body = JSON.stringify({ error });
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json`;
  const answer = `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  socket.end(answer, () => socket.destroy());
}
