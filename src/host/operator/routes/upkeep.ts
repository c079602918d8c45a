// What the command line asks of a running host: a backup, and the state of its data for `earshot doctor`.
import type { FastifyInstance } from 'fastify';
import type { ServerContext } from '../../http/context.ts';
import { authorized } from '../../http/request.ts';
import { storeHealth } from '../store-health.ts';

export function upkeepRoutes(app: FastifyInstance, context: ServerContext): void {
  app.post('/v1/backup', async (request, _reply) => {
    await authorized(context, request, 'operator:write');
    return { file: await context.backup() };
  });

  app.get('/v1/doctor', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    return storeHealth(context.host.context, context.clock);
  });
}
