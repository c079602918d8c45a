// What the command line asks of a running host: a backup, and its own findings for `earshot doctor`.
import type { FastifyInstance } from 'fastify';
import type { ServerContext } from '../context.ts';
import { authorized } from '../request.ts';

export function upkeepRoutes(app: FastifyInstance, context: ServerContext): void {
  const { store, configVersion } = context.host.context;

  app.post('/v1/backup', async (request) => {
    await authorized(context, request, 'operator:write');
    return { file: await context.backup() };
  });

  app.get('/v1/doctor', async (request) => {
    await authorized(context, request, 'operator:read');
    const before = context.clock.now();
    const storeNow = await store.transact({ states: [], run: (view) => ({ writes: [], result: view.now }) });
    return {
      configVersion,
      findings: await store.check(),
      stats: await store.stats(),
      clockSkewMs: storeNow - before,
    };
  });
}
