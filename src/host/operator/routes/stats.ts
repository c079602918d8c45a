// GET /v1/stats: the turns spent and saved over time, per agent and conversation. The store counts them. The same
// request within a few seconds gets the same answer.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { StatsAnswer } from '../../../protocol/operator-api.ts';
import type { ServerContext } from '../../http/context.ts';
import { findConversation } from '../../http/find-conversation.ts';
import { authorized, readQuery, timeField } from '../../http/request.ts';
import { HttpError } from '../../http/http-error.ts';
import { cleanDeep } from '../../http/response.ts';
import { type StatsPeriod, statsOf } from '../stats.ts';

const BUCKETS = { minute: 60_000, hour: 3_600_000, day: 24 * 3_600_000 } as const;
/** No plot shows more. A request for more is refused and must choose a larger bucket. */
const BUCKETS_MAX = 2_000;
const FRESH_MS = 3_000;
const KEPT = 32;

const statsQuery = z.object({
  from: timeField.optional(),
  to: timeField.optional(),
  bucket: z.enum(['minute', 'hour', 'day']).optional(),
  agent: z.string().min(1).max(64).optional(),
  conversation: z.string().min(1).max(2_048).optional(),
});
type StatsQuery = z.infer<typeof statsQuery>;

export function statsRoutes(app: FastifyInstance, context: ServerContext): void {
  const kept = new Map<string, { at: number; answer: Promise<StatsAnswer> }>();
  app.get('/v1/stats', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const query = readQuery(request, statsQuery);
    const now = context.clock.now();
    const key = JSON.stringify(query);
    const known = kept.get(key);
    if (known !== undefined && now - known.at < FRESH_MS) return cleanDeep(await known.answer, context.clean);
    const answer = countStats(context, query, now);
    if (kept.size >= KEPT) kept.clear();
    kept.set(key, { at: now, answer });
    answer.catch(() => kept.delete(key));
    return cleanDeep(await answer, context.clean);
  });
}

async function countStats(context: ServerContext, query: StatsQuery, now: number): Promise<StatsAnswer> {
  const period = periodOf(query, now);
  const { agent } = query;
  const conversation =
    query.conversation === undefined ? undefined : await findConversation(context, query.conversation);
  const tallied = await context.host.context.store.log.tally({
    ...period,
    ...(agent === undefined ? {} : { agent }),
    ...(conversation === undefined ? {} : { conversation }),
  });
  return statsOf(tallied, period, agent);
}

/** The default is the last day. `to` is exclusive, so the default ends just after now. */
function periodOf({ from, to, bucket }: StatsQuery, now: number): StatsPeriod {
  const end = to ?? now + 1;
  const start = from ?? end - BUCKETS.day;
  if (start >= end) throw new HttpError(400, 'invalid_request', 'query: from has to be before to.');
  const length = end - start;
  const usual = length <= 3 * BUCKETS.hour ? 'minute' : length <= 30 * BUCKETS.day ? 'hour' : 'day';
  const bucketMs = BUCKETS[bucket ?? usual];
  if (length / bucketMs > BUCKETS_MAX) {
    throw new HttpError(
      400,
      'invalid_request',
      `query: that would be more than ${BUCKETS_MAX} buckets: choose a larger bucket or a shorter period.`,
    );
  }
  return { from: start, to: end, bucketMs };
}
