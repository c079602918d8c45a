// Reads a request for the routes: who sends it and whether they may, its JSON body, its query, and the fields that many
// queries share (pages, times, conversations). Every problem becomes an HttpError that names it.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readParams } from '../../protocol/read-params.ts';
import { bearerOf } from '../security/http-guard.ts';
import { allows, type TokenIdentity, type Scope } from '../security/scopes.ts';
import type { ServerContext } from './context.ts';
import { HttpError, tokenMissing, tokenWrong } from './http-error.ts';
import { takeShare } from './request-share.ts';

/**
 * The identity behind the request's token, once it is its turn. Throws when the token is not valid, lacks the scope, or
 * has used its share.
 */
export async function authorized(
  context: Pick<ServerContext, 'tokens' | 'host'>,
  request: FastifyRequest,
  scope: Scope,
): Promise<TokenIdentity> {
  const token = bearerOf(request.headers);
  if (token === undefined) throw tokenMissing();
  const known = await context.tokens.authenticate(token);
  if (!known.ok) throw tokenWrong(known);
  if (!allows(known.identity, scope)) {
    const { kind } = known.identity;
    throw new HttpError(403, 'forbidden', `This ${kind} token may not do this: it lacks the scope ${scope}.`);
  }
  await takeShare(context, request, known.identity, scope);
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
      text === ''
        ? 'The body is empty: send JSON.'
        : 'The body is not JSON: look at its quotes, commas and brackets, and at what the shell made of them.',
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
