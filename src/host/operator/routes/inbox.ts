// /v1/inbox: lists what waits for an operator (escalations, dead letters, sends that need a human's agreement), and
// approves, declines or closes an item.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { EVENT_LIMITS } from '../../../protocol/chat-event.ts';
import type { InboxRow } from '../../../store/tables.ts';
import { BODY_LIMITS } from '../../security/http-guard.ts';
import { approve, closeInboxItem, decline } from '../approvals.ts';
import type { ServerContext } from '../../http/context.ts';
import {
  nextCursor,
  pageQuery,
  authorized,
  hasBody,
  param,
  readBody,
  readQuery,
} from '../../http/request.ts';
import { cleanDeep } from '../../http/response.ts';
import { shownInbox } from '../shown.ts';

const small = { bodyLimit: BODY_LIMITS.otherBytes };
const inboxQuery = pageQuery.extend({ open: z.enum(['true', 'false', 'all']).default('true') });
const declineBody = z.strictObject({ reason: z.string().max(EVENT_LIMITS.defaultActionChars).optional() });

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

  const { host } = context;
  const decisions: Record<string, (key: string, who: string, request: FastifyRequest) => Promise<InboxRow>> =
    {
      approve: (key, who) => approve(host.context, key, who),
      decline: (key, who, request) => {
        const { reason } = hasBody(request) ? readBody(request, declineBody) : {};
        return decline(host, key, who, reason);
      },
      close: (key, who) => closeInboxItem(host.context, key, who),
    };
  for (const [name, decide] of Object.entries(decisions)) {
    app.post(`/v1/inbox/:key/${name}`, small, async (request, _reply) => {
      const { subject } = await authorized(context, request, 'operator:write');
      const row = await decide(param(request, 'key'), `operator:${subject}`, request);
      return cleanDeep({ item: shownInbox(row) }, context.clean);
    });
  }
}
