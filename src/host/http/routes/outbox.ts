// /v1/outbox, for a source that pulls: the messages that agents sent there. A row comes again until the source
// acknowledges that it has shown it, so the source must keep the idempotency key and show each message once. A source
// sees only its own rows.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { OutboxRow } from '../../../store/tables.ts';
import { sendWithKey } from '../../outbox/parts.ts';
import { BODY_LIMITS } from '../../security/http-guard.ts';
import { allows, type TokenIdentity } from '../../security/scopes.ts';
import type { ServerContext } from '../context.ts';
import { HttpError, notFound } from '../http-error.ts';
import { pageQuery, authorized, readBody, readQuery } from '../request.ts';
import { outboundOf } from '../response.ts';

/** The row's `idempotencyKey`. */
const key = z.string().min(1).max(1_024);
const ackSchema = z.union([
  /** Shown. `platformId` is the message's id on the platform. */
  z.object({ key, platformId: z.string().min(1).max(256), refused: z.undefined().optional() }),
  /** The platform refused it for good, with this reason. */
  z.strictObject({ key, refused: z.string().min(1).max(1_000) }),
]);
const outboxQuery = pageQuery.extend({ source: z.string().max(64).optional() });

export function outboxRoutes(app: FastifyInstance, context: ServerContext): void {
  const { store } = context.host.context;

  app.get('/v1/outbox', async (request, _reply) => {
    const identity = await authorized(context, request, 'outbox:read');
    const { limit, cursor, source } = readQuery(request, outboxQuery);
    const surface = identity.kind === 'operator' ? (source ?? context.defaultSource) : identity.subject;
    const range = { eq: [surface, 'queued'], after: cursor, limit };
    const rows = await store.scan('outbox', 'bySurface', range);
    const last = rows.at(-1);
    const working = context.host.working.at(surface);
    const messages = await Promise.all(
      rows.filter(isPullable).map((row) => outboundOf(context.host.context, row)),
    );
    return {
      messages: messages.filter((message) => message !== undefined),
      ...(working.length === 0 ? {} : { working }),
      // Absent on the last page: a source then reads from the start again, and so gets rows of a lost answer once more.
      ...(last !== undefined && rows.length === limit ? { nextCursor: String(last.position) } : {}),
    };
  });

  app.post('/v1/outbox/ack', { bodyLimit: BODY_LIMITS.otherBytes }, async (request, _reply) => {
    const identity = await authorized(context, request, 'outbox:read');
    const ack = readBody(request, ackSchema);
    const sent = await sendWithKey(store, ack.key);
    if (sent === undefined || !mayAck(identity, sent.row)) throw notFound('outbox message');
    const { row } = sent;
    if (row.state === 'visible') {
      // An edit has no id of its own: it was acknowledged with that of its message.
      const platformId = row.platformId ?? ('platformId' in ack ? ack.platformId : null);
      return { key: ack.key, state: 'visible', platformId };
    }
    if (row.state === 'failed' && ack.refused !== undefined) return { key: ack.key, state: 'failed' };
    if (!isPullable(row)) {
      const message = `It is ${row.state}, not waiting to be shown. If you have shown it, remove it again.`;
      throw new HttpError(409, 'conflict', message);
    }
    if (ack.refused !== undefined) {
      await context.host.poster.refused(ack.key, ack.refused);
      return { key: ack.key, state: 'failed' };
    }
    await context.host.poster.shown(ack.key, ack.platformId);
    return { key: ack.key, state: 'visible', platformId: ack.platformId };
  });
}

/** True when the row waits for the source and not for a retry. */
function isPullable({ state, dueAt }: OutboxRow): boolean {
  return state === 'queued' && dueAt === null;
}

function mayAck(identity: TokenIdentity, row: OutboxRow): boolean {
  return allows(identity, 'outbox:read', row.surface);
}
