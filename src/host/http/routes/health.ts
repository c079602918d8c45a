// What a supervisor asks: alive, ready, and the numbers. Alive and ready need no token; the numbers need one where
// others can reach this host.
import { conversationKeys } from '../../kernel/conversation.ts';
import type { FastifyInstance } from 'fastify';
import type { ServerContext } from '../context.ts';
import { unavailable } from '../http-error.ts';
import { authorized } from '../request.ts';

export function healthRoutes(app: FastifyInstance, context: ServerContext): void {
  app.get('/healthz', () => ({ status: 'alive', instance: context.instance }));

  app.get('/readyz', async () => {
    if (context.drain.draining) throw unavailable('The host is stopping: send no more here.');
    await conversationKeys(context.host.context.store, '', 1);
    return { status: 'ready' };
  });

  app.get('/metrics', async (request, reply) => {
    if (context.wide) await authorized(context, request, 'operator:read');
    const text = await context.metrics.text();
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(text);
  });
}
