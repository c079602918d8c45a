// Reads a request for the routes: who sends it and whether they may, its JSON body, its query, and the fields that many
// queries share (pages, times, conversations). Every problem becomes an HttpError that names it.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readParams } from '../../protocol/read-params.ts';
import { bearerOf } from '../security/http-guard.ts';
import { allows, type TokenIdentity, type Scope } from '../security/scopes.ts';
import type { ServerContext } from './context.ts';
import { HttpError } from './http-error.ts';
import { isConversationKey } from '../kernel/conversation.ts';

/** The identity behind the request's token. Throws when the token is not valid or lacks the scope. */
export async function authorized(
  { tokens }: Pick<ServerContext, 'tokens'>,
  request: FastifyRequest,
  scope: Scope,
): Promise<TokenIdentity> {
  const token = bearerOf(request.headers);
  if (token === undefined) {
    throw new HttpError(
      401,
      'unauthorized',
      'Send a token: "Authorization: Bearer ear_…". "earshot token create" makes one.',
    );
  }
  const known = await tokens.authenticate(token);
  if (!known.ok) {
    const why = known.why === 'revoked' ? 'has been revoked' : 'is not valid here';
    throw new HttpError(401, 'unauthorized', `This token ${why}. "earshot token create" makes another.`);
  }
  if (!allows(known.identity, scope)) {
    const { kind } = known.identity;
    throw new HttpError(403, 'forbidden', `This ${kind} token may not do this: it lacks the scope ${scope}.`);
  }
  return known.identity;
}

/** Parses the body as JSON. Fastify leaves bodies as bytes, so that every error message is ours. */
export function jsonBody(request: FastifyRequest): unknown {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new HttpError(
      415,
      'unsupported_media_type',
      'Send JSON, with the header "Content-Type: application/json".',
    );
  }
  const text = bodyText(request);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new HttpError(
      400,
      'invalid_json',
      text === '' ? 'The body is empty: send JSON.' : 'The body is not JSON.',
    );
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function bodyText({ body }: FastifyRequest): string {
  if (!(body instanceof Uint8Array)) return '';
  try {
    return utf8.decode(body);
  } catch {
    throw new HttpError(400, 'invalid_json', 'The body is not UTF-8.');
  }
}

/** Whether anything was sent along. */
export function hasBody({ body }: FastifyRequest): boolean {
  return body instanceof Uint8Array && body.length > 0;
}

export function readBody<S extends z.ZodType>(request: FastifyRequest, schema: S): z.infer<S> {
  return readValue(schema, jsonBody(request), 'body');
}

export function readQuery<S extends z.ZodType>(request: FastifyRequest, schema: S): z.infer<S> {
  return readValue(schema, { ...(request.query as object) }, 'query');
}

function readValue<S extends z.ZodType>(schema: S, value: unknown, where: string): z.infer<S> {
  const outcome = readParams(schema, value);
  if (outcome.ok) return outcome.value;
  const { problem } = outcome.error.data as { problem?: unknown };
  throw new HttpError(
    400,
    'invalid_request',
    `${where}: ${typeof problem === 'string' ? problem : 'not understood'}`,
  );
}

export function param(request: FastifyRequest, name: string): string {
  const value = (request.params as Record<string, string | undefined>)[name];
  return value ?? '';
}

// Pages work the same on every list: a limit and an opaque cursor. A cursor is a position in the store, which only
// grows.

const digits = z.string().regex(/^\d{1,15}$/, 'expected the nextCursor of the page before');

export const PAGE_MAX = 200;
export const limitField = z.coerce.number<string>().int().min(1).max(PAGE_MAX).default(50);
export const pageQuery = z.object({
  limit: limitField,
  cursor: digits.transform(Number).default(0),
});

/** The cursor of the next page; empty when this page is the last. */
export function nextCursor(rows: readonly { position: number }[], limit: number): { nextCursor?: string } {
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? {} : { nextCursor: String(last.position) };
}

const EXPECTED_TIME = 'expected a time such as 2026-06-02T09:00:00Z, or epoch milliseconds';
const LAST_DATE_MS = 8_640_000_000_000_000;

/** A time in a query or body: ISO 8601 or epoch milliseconds. */
export const timeField = z.union([z.string().max(40), z.number()]).transform((given, context) => {
  const isMs = typeof given === 'number' || /^\d{1,16}$/.test(given);
  const ms = isMs ? Number(given) : Date.parse(given);
  if (Number.isFinite(ms) && Math.abs(ms) <= LAST_DATE_MS) return Math.floor(ms);
  context.addIssue({ code: 'custom', message: EXPECTED_TIME });
  return z.NEVER;
});

/** The key of a conversation, given the key itself (`c/slack/T1/C1`) or an id that only one conversation has. */
export async function findConversation({ host }: ServerContext, given: string): Promise<string> {
  const key = isConversationKey(given) ? given : host.places.find(given, undefined);
  if (key !== undefined && (await host.context.store.state(key)) !== undefined) return key;
  throw new HttpError(
    404,
    'not_found',
    'There is no conversation with this id, or several have it: take its key from GET /v1/conversations.',
  );
}
