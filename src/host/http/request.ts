// Reading a request: who asks and whether they may, its JSON body, its query. Whatever is wrong ends in an HttpError
// that names it; nothing a caller sends reaches a route unread.
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { readParams } from '../../protocol/read-params.ts';
import { bearerOf } from '../security/http-guard.ts';
import { allows, type TokenIdentity, type Scope } from '../security/scopes.ts';
import type { ServerContext } from './context.ts';
import { HttpError } from './http-error.ts';

/** The caller, if its token holds the scope. */
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

/** Bodies come as bytes; JSON is read here so that every complaint is ours. */
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

export function readBody<S extends z.ZodType>(request: FastifyRequest, schema: S): z.infer<S> {
  return read(schema, jsonBody(request), 'body');
}

export function readQuery<S extends z.ZodType>(request: FastifyRequest, schema: S): z.infer<S> {
  return read(schema, { ...(request.query as object) }, 'query');
}

function read<S extends z.ZodType>(schema: S, value: unknown, where: string): z.infer<S> {
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
