// Routes about the host itself. A supervisor asks whether it is alive and ready, and reads its metrics. The command
// line asks for a backup and for the health of the stored data (`earshot doctor`). /healthz and /readyz need no token;
// /metrics needs one when other machines can reach this host.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { checkRows } from '../../check/check-rows.ts';
import type { ServerContext } from '../../http/context.ts';
import { unavailable } from '../../http/http-error.ts';
import { authorized } from '../../http/request.ts';
import type { HostContext } from '../../kernel/context.ts';
import { storeRefusal } from '../../kernel/store-refusal.ts';

export function healthRoutes(app: FastifyInstance, context: ServerContext): void {
  app.get('/healthz', () => {
    const aheadMs = context.host.context.store.clock.aheadMs();
    return {
      status: 'alive',
      instance: context.instance,
      ...(aheadMs === 0 ? {} : { clock: { aheadMs } }),
    };
  });

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
    const [health, descriptors] = await Promise.all([
      storeHealth(context.host.context),
      context.descriptors.state(),
    ]);
    const secondOpinion = context.host.opinions.health();
    return {
      ...health,
      descriptors,
      ...(secondOpinion !== undefined && { secondOpinion }),
    } satisfies StoreHealth;
  });
}

export const storeHealthSchema = z.object({
  findings: z.array(z.string()),
  stats: z.record(z.string(), z.number()),
  /** How far the host's time is ahead of the system's clock. Above 0 that was set back, or is wrong. */
  aheadMs: z.number(),
  /** How often the system's clock was set since the host started, and how far it was set last. */
  jumps: z.object({
    forward: z.number(),
    back: z.number(),
    last: z.object({ ms: z.number(), at: z.number() }).optional(),
  }),
  /** File descriptors of the running host, and the connections for which they leave room. */
  descriptors: z
    .object({
      open: z.number().optional(),
      limit: z.number().optional(),
      connections: z.number(),
      ranOut: z.number(),
    })
    .optional(),
  /** Where the settings in force name a model for second opinions. */
  secondOpinion: z
    .object({
      model: z.string(),
      asked: z.number(),
      inVain: z.number(),
      last: z.enum(['answered', 'late', 'failed']).nullable(),
    })
    .optional(),
  /** Where several hosts share a database. */
  nodes: z
    .object({
      nodes: z.array(
        z.object({
          id: z.string(),
          url: z.string(),
          version: z.string(),
          config: z.string(),
          draining: z.boolean(),
          silentMs: z.number(),
        }),
      ),
      leases: z.array(z.object({ name: z.string(), node: z.string() })),
      horizonLagMs: z.number(),
      clockAheadMs: z.number(),
    })
    .optional(),
});
export type StoreHealth = z.infer<typeof storeHealthSchema>;

/** Reads the data for `earshot doctor`: broken invariants, rows that cannot move, sizes, the clock. It repairs nothing. */
export async function storeHealth({ store }: Pick<HostContext, 'store'>): Promise<StoreHealth> {
  const { clock } = store;
  const aheadMs = clock.aheadMs();
  const findings = [...(await store.check()), ...(await checkRows(store))];
  const nodes = await store.nodes.overview();
  const shown =
    nodes === undefined ? {} : { nodes: { ...nodes, nodes: [...nodes.nodes], leases: [...nodes.leases] } };
  return { findings, stats: await store.stats(), aheadMs, jumps: clock.jumps(), ...shown };
}
