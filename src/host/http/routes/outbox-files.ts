// /v1/outbox/attachments/ID: the bytes of a file that an agent sent to a source. A source sees only its own. A browser never
// opens them as what they say they are, because whatever an agent calls a picture may be a program.
import type { FastifyInstance } from 'fastify';
import { allows } from '../../security/scopes.ts';
import type { ServerContext } from '../context.ts';
import { notFound } from '../http-error.ts';
import { authorized, param } from '../request.ts';

export function outboxFileRoutes(app: FastifyInstance, context: ServerContext): void {
  const { store } = context.host.context;
  app.get('/v1/outbox/attachments/:id', async (request, reply) => {
    const identity = await authorized(context, request, 'outbox:read');
    const file = await store.get('file', param(request, 'id'));
    const send = file === undefined ? undefined : await store.get('outbox', file.send);
    const isOpen = send !== undefined && send.state !== 'awaiting_approval';
    if (file === undefined || !isOpen || !allows(identity, 'outbox:read', send.surface))
      throw notFound('file');
    void reply.headers({
      'content-type': file.contentType,
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
    return reply.send(Buffer.from(file.data, 'base64'));
  });
}
