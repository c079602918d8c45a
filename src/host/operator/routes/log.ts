// GET /v1/log: pages through the log with its decisions, in either direction, filtered. GET /v1/search finds messages
// by their words, newest first.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type ChatEventType, chatEventSchema } from '../../../protocol/chat-event.ts';
import { INBOUND_DECISIONS, POLICIES, REASONS } from '../../../protocol/vocabulary.ts';
import type { LogFilter } from '../../../store/log-reader.ts';
import type { ServerContext } from '../../http/context.ts';
import { findConversation } from '../../http/find-conversation.ts';
import { limitField, authorized, readQuery, timeField } from '../../http/request.ts';
import { HttpError } from '../../http/http-error.ts';
import { type LogFrom, logPage } from '../log-page.ts';
import { cleanDeep } from '../../http/response.ts';
import { shownEvent } from '../shown.ts';

const position = z
  .string()
  .regex(/^\d{1,15}$/, 'expected a cursor of another page')
  .transform(Number)
  .optional();
const word = z.string().min(1).max(256).optional();
const TYPES = chatEventSchema.options.map(({ shape }): ChatEventType => shape.type.value);

const logQuery = z.object({
  limit: limitField,
  cursor: position,
  after: position,
  before: position,
  offset: z.coerce.number<string>().int().min(0).optional(),
  time: timeField.optional(),
  /** `true` gives the newest page. */
  last: z.enum(['true', 'false']).default('false'),
  agent: word,
  conversation: z.string().min(1).max(2_048).optional(),
  author: word,
  policy: z.enum(POLICIES).optional(),
  reason: z.enum(REASONS).optional(),
  decision: z.enum(INBOUND_DECISIONS).optional(),
  type: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(TYPES)).max(TYPES.length))
    .optional(),
  text: z.string().min(1).max(200).optional(),
  from: timeField.optional(),
  to: timeField.optional(),
});
type LogRequest = z.infer<typeof logQuery>;
const searchQuery = z.object({ q: z.string().min(1).max(200), limit: limitField });

export function logRoutes(app: FastifyInstance, context: ServerContext): void {
  const { store } = context.host.context;

  app.get('/v1/log', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const query = readQuery(request, logQuery);
    const period = {
      ...(query.from === undefined ? {} : { from: query.from }),
      ...(query.to === undefined ? {} : { to: query.to }),
    };
    const filter = await filterOf(context, query);
    const page = await logPage(store, { from: fromOf(query), filter, period, limit: query.limit });
    return cleanDeep(page, context.clean);
  });

  app.get('/v1/search', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { q, limit } = readQuery(request, searchQuery);
    const rows = await store.search(q, limit);
    return cleanDeep({ log: rows.map(shownEvent) }, context.clean);
  });
}

async function filterOf(context: ServerContext, query: LogRequest): Promise<LogFilter> {
  const { agent, author, policy, reason, decision, type: types, text: words } = query;
  const conversation =
    query.conversation === undefined ? undefined : await findConversation(context, query.conversation);
  const all = { conversation, agent, author, policy, reason, decision, types, words };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function fromOf({ cursor, after, before, offset, time, last }: LogRequest): LogFrom {
  const given: LogFrom[] = [];
  if (after !== undefined || cursor !== undefined) given.push({ after: after ?? cursor ?? 0 });
  if (before !== undefined) given.push({ before });
  if (offset !== undefined) given.push({ offset });
  if (time !== undefined) given.push({ time });
  if (last === 'true') given.push({ last: true });
  if (given.length <= 1) return given[0] ?? { after: 0 };
  throw new HttpError(
    400,
    'invalid_request',
    'query: a page is in one place: give one of after, before, offset, time and last.',
  );
}
