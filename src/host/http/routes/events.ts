// POST /v1/events: a source posts what happened in chat. The body is one event, a list, or {events: […]}. The answer
// has one result per event, in order, and is sent after the sync. The status is 202 when all events are stored, 207
// when some are, and otherwise the status of the most important refusal.
import type { FastifyInstance } from 'fastify';
import { sourceEventSchema } from '../../../protocol/source-event.ts';
import type { IngestResult } from '../../../surfaces/surface.ts';
import { BODY_LIMITS } from '../../security/http-guard.ts';
import type { TokenIdentity } from '../../security/scopes.ts';
import type { ServerContext } from '../context.ts';
import { HttpError, retryAfterSeconds, unavailable } from '../http-error.ts';
import { authorized, jsonBody } from '../request.ts';

type RefusedEvent = Extract<IngestResult, { status: 'refused' }>;
type EventResult = IngestResult & { error?: { fields?: FieldError[] } };
interface FieldError {
  field: string;
  problem: string;
}

export function eventRoutes(app: FastifyInstance, context: ServerContext): void {
  const options = { bodyLimit: BODY_LIMITS.eventsBytes, config: { takesEvents: true } };
  app.post('/v1/events', options, async (request, reply) => {
    if (context.drain.draining)
      throw unavailable('The host is stopping. Send the same events again shortly.');
    const identity = await authorized(context, request, 'events:write');
    const source = sourceOf(context, identity, request.headers['earshot-source']);
    const events = eventsOf(jsonBody(request));
    const rows = await ingestAll(context, events, source);
    const { status, body, retryAfterMs } = batchAnswer(rows);
    for (const row of rows) context.counts.ingest.add({ source, status: row.status });
    if (retryAfterMs !== undefined) void reply.header('retry-after', retryAfterSeconds(retryAfterMs));
    return reply.code(status).send(body);
  });
}

/** The token names the source. An operator may post for any source and names it in the header Earshot-Source. */
function sourceOf(
  context: ServerContext,
  identity: TokenIdentity,
  named: string | string[] | undefined,
): string {
  const wanted = typeof named === 'string' ? named : undefined;
  const source = identity.kind === 'operator' ? (wanted ?? context.defaultSource) : identity.subject;
  if (wanted !== undefined && wanted !== source) {
    throw new HttpError(403, 'forbidden', `This token posts for the source "${source}" only.`);
  }
  if (!context.sources.has(source)) {
    const message =
      'The host does not know this source yet: add it to host.sources in earshot.yaml, or just restart the host.';
    throw new HttpError(409, 'unknown_source', message);
  }
  return source;
}

function eventsOf(body: unknown): readonly unknown[] {
  const wrapped = typeof body === 'object' && body !== null && 'events' in body ? body.events : undefined;
  const events = Array.isArray(body) ? body : Array.isArray(wrapped) ? wrapped : [body];
  if (wrapped !== undefined && !Array.isArray(wrapped)) {
    throw new HttpError(400, 'invalid_request', 'body: events: expected a list of events.');
  }
  if (events.length === 0) throw new HttpError(400, 'invalid_request', 'body: no event is in it.');
  if (events.length > BODY_LIMITS.eventsPerBatch) {
    const message = `At most ${BODY_LIMITS.eventsPerBatch} events at once: send them in parts.`;
    throw new HttpError(413, 'too_large', message);
  }
  return events as unknown[];
}

async function ingestAll(
  context: ServerContext,
  events: readonly unknown[],
  source: string,
): Promise<EventResult[]> {
  const results = await context.host.ingest(events, source);
  return results.map((row, index): EventResult => {
    if (row.status !== 'refused' || row.error.code !== 'invalid_event') return row;
    return { ...row, error: { ...row.error, fields: fieldErrors(events[index]) } };
  });
}

const FIELDS_SHOWN = 10;

function fieldErrors(event: unknown): FieldError[] {
  const read = sourceEventSchema.safeParse(event);
  if (read.success) return [];
  return read.error.issues.slice(0, FIELDS_SHOWN).flatMap((issue): FieldError[] => {
    const at = issue.path.map(String);
    if (issue.code !== 'unrecognized_keys')
      return [{ field: at.join('.') || 'event', problem: issue.message }];
    return issue.keys.slice(0, FIELDS_SHOWN).map((key) => ({
      field: [...at, key.slice(0, 64)].join('.'),
      problem: 'unknown field',
    }));
  });
}

/** The answer's status when every event was refused. The first code in this list that occurs decides. */
const STATUS_BY_CODE: readonly (readonly [code: string, status: number])[] = [
  ['unavailable', 503],
  ['rate_limited', 429],
  ['internal', 500],
  ['wrong_platform', 403],
  ['wrong_source', 403],
  ['unknown_source', 409],
  ['invalid_event', 400],
];

function batchAnswer(rows: readonly EventResult[]): { status: number; body: unknown; retryAfterMs?: number } {
  const refused = rows.filter((row): row is RefusedEvent => row.status === 'refused');
  if (refused.length === 0) return { status: 202, body: { events: rows } };
  const waits = refused.flatMap(({ error }) => error.retryAfterMs ?? []);
  const retry = waits.length === 0 ? {} : { retryAfterMs: Math.max(...waits) };
  if (refused.length < rows.length) return { status: 207, body: { events: rows }, ...retry };
  const [code, status] = STATUS_BY_CODE.find(([one]) => refused.some(({ error }) => error.code === one)) ?? [
    'internal',
    500,
  ];
  const first = refused.find(({ error }) => error.code === code);
  const count = rows.length === 1 ? '' : `None of the ${rows.length} events was taken. `;
  const message = `${count}${first?.error.message ?? ''}`;
  return { status, body: { error: { code, message }, events: rows }, ...retry };
}
