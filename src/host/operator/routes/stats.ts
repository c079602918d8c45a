// GET /v1/stats: turns spent and spared over time, per agent and conversation. Counted by the store's reader; the same
// question within a few seconds gets the same answer.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { StatsAnswer } from '../../../protocol/operator-api.ts';
import type { ServerContext } from '../../http/context.ts';
import { findConversation, authorized, readQuery, timeField } from '../../http/request.ts';
import { HttpError } from '../../http/http-error.ts';
import { cleanDeep } from '../../http/response.ts';
import { type Period, statsOf } from '../stats.ts';

const BUCKETS = { minute: 60_000, hour: 3_600_000, day: 24 * 3_600_000 } as const;
/** More than a plot can show. Beyond, a larger bucket is asked for. */
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
type Query = z.infer<typeof statsQuery>;

export function statsRoutes(app: FastifyInstance, context: ServerContext): void {
  const kept = new Map<string, { at: number; answer: Promise<StatsAnswer> }>();
  app.get('/v1/stats', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const query = readQuery(request, statsQuery);
    const now = context.clock.now();
    const key = JSON.stringify(query);
    const known = kept.get(key);
    if (known !== undefined && now - known.at < FRESH_MS) return cleanDeep(await known.answer, context.clean);
    const answer = count(context, query, now);
    if (kept.size >= KEPT) kept.clear();
    kept.set(key, { at: now, answer });
    answer.catch(() => kept.delete(key));
    return cleanDeep(await answer, context.clean);
  });
}

async function count(context: ServerContext, query: Query, now: number): Promise<StatsAnswer> {
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

/** The last day, when nothing is said. `to` is exclusive, and now is still in it. */
function periodOf({ from, to, bucket }: Query, now: number): Period {
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
