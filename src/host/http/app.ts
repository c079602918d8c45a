// The HTTP app over a running host. It checks every request first (http-guard.ts), then passes it to the routes. Bodies
// stay bytes until a route reads them. Every failure is answered as `{error: {code, message}}`.
import Fastify, { type FastifyInstance } from 'fastify';
import { BODY_LIMITS, checkRequest } from '../security/http-guard.ts';
import type { ServerContext } from './context.ts';
import { answerError, HttpError } from './http-error.ts';

/** Enough for the longest path parameter: a key of an event id and an agent id, percent-encoded. */
const PARAM_CHARS = 4_096;
/** A request must arrive whole within this time. Its answer may take longer, as a long poll does. */
const REQUEST_MS = 60_000;

/** Adds a group of routes to the app. */
export type Routes = (app: FastifyInstance, context: ServerContext) => void;

export function createApp(context: ServerContext, routes: readonly Routes[]): FastifyInstance {
  const { log, settings } = context.host.context;
  const onError = answerError({ log, clean: context.clean });
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMITS.otherBytes,
    routerOptions: { maxParamLength: PARAM_CHARS },
    requestTimeout: REQUEST_MS,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => onError(error, request, reply),
    clientErrorHandler: (_error, socket) => {
      const body = JSON.stringify({
        error: { code: 'bad_request', message: 'This is not an HTTP request.' },
      });
      const head = `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json`;
      if (socket.writable) socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      else socket.destroy();
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    const { host, origin } = request.headers;
    const guarded = checkRequest({ host, origin }, { allowedHosts: settings.allowedHosts });
    if (guarded.ok) return done();
    done(new HttpError(guarded.status, 'forbidden', guarded.message));
  });
  app.addHook('onResponse', (request, reply, done) => {
    context.counts.http.add({ route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) });
    done();
  });
  app.setErrorHandler(onError);
  app.setNotFoundHandler((request, reply) => {
    const message = `There is nothing at ${request.method} ${request.url.slice(0, 200)}. See docs/http.md for every route.`;
    onError(new HttpError(404, 'not_found', message), request, reply);
  });
  for (const add of routes) add(app, context);
  return app;
}
