// What a platform sends to its surface over HTTP: events, presses of buttons, commands. The surface checks the
// signature over the bytes as they came, so this route asks for no token and reads nothing of the body.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SurfaceRequest } from '../../../surfaces/surface.ts';
import { BODY_LIMITS } from '../../security/http-guard.ts';
import type { ServerContext } from '../context.ts';
import { notFound, unavailable } from '../http-error.ts';

export function surfaceRequestRoutes(app: FastifyInstance, context: ServerContext): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/v1/surfaces/:id/*',
    bodyLimit: BODY_LIMITS.webhookBytes,
    config: { strangersBody: true },
    handler: async (request, reply) => {
      if (context.drain.draining) throw unavailable('The host is stopping. Send the same again shortly.');
      const { id = '' } = request.params as { id?: string };
      const answer = await context.host.surfaces.request(id, requestOf(request, context.clock.now()));
      if (answer === undefined) throw notFound('surface that takes requests');
      const { status, headers = {}, body = '' } = answer;
      return reply.code(status).headers(headers).send(body);
    },
  });
}

function requestOf(request: FastifyRequest, receivedAt: number): SurfaceRequest {
  const { '*': path = '' } = request.params as { '*'?: string };
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return {
    method: request.method === 'GET' ? 'GET' : 'POST',
    path,
    query: request.url.includes('?') ? request.url.slice(request.url.indexOf('?') + 1) : '',
    headers: Object.fromEntries(headers),
    body: Buffer.isBuffer(request.body) ? request.body : new Uint8Array(),
    receivedAt,
  };
}
