// Routes about the host itself. A supervisor asks whether it is alive and ready, and reads its metrics. The command
// line asks for a backup and for the health of the stored data (`earshot doctor`). /healthz and /readyz need no token;
// /metrics needs one when other machines can reach this host.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../../../runtime/clock.ts';
import type { ServerContext } from '../../http/context.ts';
import { unavailable } from '../../http/http-error.ts';
import { authorized } from '../../http/request.ts';
import type { HostContext } from '../../kernel/context.ts';
import { storeRefusal } from '../../kernel/store-refusal.ts';

export function healthRoutes(app: FastifyInstance, context: ServerContext): void {
  app.get('/healthz', () => ({ status: 'alive', instance: context.instance }));

  app.get('/readyz', async () => {
    if (context.drain.draining) throw unavailable('The host is stopping: send no more here.');
    await context.host.context.store.ready().catch((error: unknown) => {
      const why = storeRefusal(error)?.why ?? 'the last commit failed';
      throw unavailable(`No event can be stored: ${why}. The log of the host says more.`);
    });
    return { status: 'ready' };
  });

  app.get('/metrics', async (request, reply) => {
    if (context.wide) await authorized(context, request, 'operator:read');
    const text = await context.metrics.text();
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(text);
  });

  app.post('/v1/backup', async (request, _reply) => {
    await authorized(context, request, 'operator:write');
    return { file: await context.backup() };
  });

  app.get('/v1/doctor', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    return storeHealth(context.host.context, context.clock);
  });
}

export const storeHealthSchema = z.object({
  findings: z.array(z.string()),
  stats: z.record(z.string(), z.number()),
  /** How far the newest record is ahead of the clock. Above 0 the system's clock was set back, or is wrong. */
  aheadMs: z.number(),
});
export type StoreHealth = z.infer<typeof storeHealthSchema>;

/** Reads the data for `earshot doctor`: broken invariants, records from the future, sizes. It repairs nothing. */
export async function storeHealth(
  { store, apply }: Pick<HostContext, 'store' | 'apply'>,
  clock: Pick<Clock, 'now'>,
): Promise<StoreHealth> {
  const [newest] = await store.scan('log', 'byPosition', { limit: 1, descending: true });
  const storeNow = await apply({ states: [], run: ({ now }) => ({ writes: [], news: [], result: now }) });
  const ahead = Math.max(newest?.at ?? 0, storeNow) - clock.now();
  return { findings: await store.check(), stats: await store.stats(), aheadMs: Math.max(0, ahead) };
}
