// /v1/inbox: lists what waits for an operator (escalations, dead letters, sends that need a human's agreement), and
// approves, declines or closes an item.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { approve, closeInboxItem, decline } from '../approvals.ts';
import type { ServerContext } from '../../http/context.ts';
import { nextCursor, pageQuery, authorized, param, readQuery } from '../../http/request.ts';
import { cleanDeep } from '../../http/response.ts';
import { shownInbox } from '../shown.ts';

const inboxQuery = pageQuery.extend({ open: z.enum(['true', 'false', 'all']).default('true') });
const DECISIONS = { approve, decline, close: closeInboxItem } as const;

export function inboxRoutes(app: FastifyInstance, context: ServerContext): void {
  const { store } = context.host.context;

  app.get('/v1/inbox', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { open, limit, cursor } = readQuery(request, inboxQuery);
    const range = { after: cursor, limit };
    const rows =
      open === 'all'
        ? await store.scan('inbox', 'byPosition', range)
        : await store.scan('inbox', 'byOpen', { ...range, eq: [open === 'true' ? 1 : 0] });
    return cleanDeep({ inbox: rows.map(shownInbox), ...nextCursor(rows, limit) }, context.clean);
  });

  for (const [name, decide] of Object.entries(DECISIONS)) {
    app.post(`/v1/inbox/:key/${name}`, async (request, _reply) => {
      const { subject } = await authorized(context, request, 'operator:write');
      const row = await decide(context.host.context, param(request, 'key'), `operator:${subject}`);
      return cleanDeep({ item: shownInbox(row) }, context.clean);
    });
  }
}
