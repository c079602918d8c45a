// GET /v1/deliveries: lists deliveries by agent, by state, or all open ones. POST /v1/deliveries/:key/redeliver
// delivers one again.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { printableLine } from '../../../protocol/identity.ts';
import type { Scanned } from '../../../store/store.ts';
import type { DeliveryRow, DeliveryState } from '../../../store/tables.ts';
import type { ServerContext } from '../../http/context.ts';
import { nextCursor, pageQuery, authorized, param, readQuery } from '../../http/request.ts';
import { textOf } from '../../kernel/log-row.ts';
import { redeliver } from '../redeliver.ts';
import { cleanDeep } from '../../http/response.ts';
import { shownDelivery } from '../shown.ts';

export const OPEN_STATES = ['held', 'queued', 'handed', 'accepted', 'turn_taken'] as const;
export const ENDED_STATES = ['settled', 'superseded', 'dead_lettered'] as const;

const deliveriesQuery = pageQuery.extend({
  agent: z.string().min(1).max(64).optional(),
  state: z.enum([...OPEN_STATES, ...ENDED_STATES]).optional(),
});

export function deliveryRoutes(app: FastifyInstance, context: ServerContext): void {
  app.get('/v1/deliveries', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { agent, state, limit, cursor } = readQuery(request, deliveriesQuery);
    const rows = await scan(context, agent, state, { after: cursor, limit });
    const shown = await Promise.all(
      rows
        .filter((row) => state === undefined || row.state === state)
        .map(async (row) => ({ ...shownDelivery(row), ...(await textOn(context, row)) })),
    );
    return cleanDeep({ deliveries: shown, ...nextCursor(rows, limit) }, context.clean);
  });

  app.post('/v1/deliveries/:key/redeliver', async (request, _reply) => {
    const { subject } = await authorized(context, request, 'operator:write');
    const row = await redeliver(context.host.context, param(request, 'key'), `operator:${subject}`);
    return cleanDeep({ delivery: shownDelivery(row) }, context.clean);
  });
}

/** So many characters of what was said are shown. */
const TEXT_CHARS = 160;

async function textOn({ host }: ServerContext, { source }: DeliveryRow): Promise<{ text?: string }> {
  const said = await host.context.store.get('log', source);
  const text = said?.type === 'message' ? printableLine(textOf(said), TEXT_CHARS) : '';
  return text === '' ? {} : { text };
}

async function scan(
  { host }: ServerContext,
  agent: string | undefined,
  state: DeliveryState | undefined,
  range: { after: number; limit: number },
): Promise<Scanned<DeliveryRow>[]> {
  const { store } = host.context;
  if (agent !== undefined) return store.scan('delivery', 'byAgent', { ...range, eq: [agent] });
  if (state !== undefined) return store.scan('delivery', 'byState', { ...range, eq: [state] });
  const pages = await Promise.all(
    OPEN_STATES.map((open) => store.scan('delivery', 'byState', { ...range, eq: [open] })),
  );
  return pages
    .flat()
    .toSorted((a, b) => a.position - b.position)
    .slice(0, range.limit);
}
