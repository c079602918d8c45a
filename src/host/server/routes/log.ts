// GET /v1/log: the log with its decisions, a page at a time; forward from a position, or the newest first with
// `last`. GET /v1/search finds messages by words.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ServerContext } from '../context.ts';
import { limitField, nextCursor, pageQuery } from '../page.ts';
import { authorized, readQuery } from '../request.ts';
import { cleanDeep, shownEvent } from '../shown.ts';

const logQuery = pageQuery.extend({
  /** `true`: the newest page, oldest of it first. */
  last: z.enum(['true', 'false']).default('false'),
});
const searchQuery = z.object({ q: z.string().min(1).max(200), limit: limitField });

export function logRoutes(app: FastifyInstance, context: ServerContext): void {
  const { store } = context.host.context;

  app.get('/v1/log', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { last, limit, cursor } = readQuery(request, logQuery);
    const rows =
      last === 'true'
        ? (await store.scan('log', 'byPosition', { limit, descending: true })).toReversed()
        : await store.scan('log', 'byPosition', { after: cursor, limit });
    const end = rows.at(-1);
    // A tail goes on from here even when this page was not full.
    const tail = end === undefined ? {} : { tailCursor: String(end.position) };
    return cleanDeep({ log: rows.map(shownEvent), ...nextCursor(rows, limit), ...tail }, context.clean);
  });

  app.get('/v1/search', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { q, limit } = readQuery(request, searchQuery);
    const rows = await store.search(q, limit);
    return cleanDeep({ log: rows.map(shownEvent) }, context.clean);
  });
}
