// /v1/web/files: a person's files over HTTP. POST takes one that waits for its message, DELETE gives it up, GET has the
// bytes of a file for whoever may see its message. What is answered can run nowhere: a browser saves it, unless its bytes
// are those of a picture.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import type { ServerContext } from '../http/context.ts';
import { HttpError, notFound, unavailable } from '../http/http-error.ts';
import { authorized, param, readQuery } from '../http/request.ts';
import { rasterTypeOf } from '../security/raster-type.ts';
import type { RateLimiter } from '../security/rate-limit.ts';
import { uploadedFile } from '../send/read-files.ts';
import { bytesForPerson } from './files.ts';
import type { People, Person } from './people.ts';
import { Refused } from './refusals.ts';
import type { WebRoom } from './room.ts';
import type { Uploads } from './uploads.ts';

export interface FileRoutesDeps {
  room: () => Promise<WebRoom>;
  people: People;
  uploads: Uploads;
  limit: RateLimiter;
}

const uploadQuery = z.object({ name: z.string().min(1).max(1_024) });
/** So long until the oldest upload has gone, at the most. */
const FULL_RETRY_MS = 60_000;

export function webFileRoutes(app: FastifyInstance, context: ServerContext, deps: FileRoutesDeps): void {
  const { uploads, limit } = deps;
  const options = {
    bodyLimit: WEB_CHAT_LIMITS.fileBytes,
    // Nobody's bytes are read before it is known who sends them.
    onRequest: async (request: FastifyRequest) => void (await personOf(context, deps, request)),
  };
  app.post('/v1/web/files', options, async (request, reply) => {
    const person = await personOf(context, deps, request);
    const taken = limit.take(person.id);
    if (!taken.ok) throw tooFast(taken.retryAfterMs);
    const { name } = readQuery(request, uploadQuery);
    const { body } = request;
    if (!(body instanceof Uint8Array) || body.length === 0)
      throw new HttpError(400, 'invalid_request', 'The body is empty: send the bytes of one file.');
    const file = await uploadedFile(context.host.context, name, Buffer.from(body));
    if (!uploads.add(person.id, file))
      throw unavailable(
        'Too many files wait to be sent. Send or remove some, then try again.',
        FULL_RETRY_MS,
      );
    const { id, name: shown, bytes, contentType } = file;
    return reply.code(201).send({ file: { id, name: shown, bytes, contentType } });
  });

  app.delete('/v1/web/files/:id', async (request, reply) => {
    const person = await personOf(context, deps, request);
    uploads.remove(person.id, param(request, 'id'));
    return reply.code(204).send();
  });

  app.get('/v1/web/files/:event/:id', async (request, reply) => {
    const person = await personOf(context, deps, request);
    const wanted = { eventId: param(request, 'event'), file: param(request, 'id') };
    const { name, bytes } = await bytesForPerson(await deps.room(), person, wanted).catch(asHttp);
    return sendBytes(reply, name, bytes);
  });
}

function sendBytes(reply: FastifyReply, name: string, bytes: Uint8Array): FastifyReply {
  const raster = rasterTypeOf(bytes);
  const shown = `${raster === undefined ? 'attachment' : 'inline'}; filename*=UTF-8''${encodeURIComponent(name)}`;
  return reply
    .headers({
      'content-type': raster ?? 'application/octet-stream',
      'content-disposition': shown,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
    })
    .send(Buffer.from(bytes));
}

async function personOf(
  context: ServerContext,
  { people }: FileRoutesDeps,
  request: FastifyRequest,
): Promise<Person> {
  const { subject } = await authorized(context, request, 'chat:web');
  const person = await people.find(subject);
  if (person === undefined)
    throw new HttpError(403, 'forbidden', 'This token belongs to nobody in the chat.');
  return person;
}

function asHttp(error: unknown): never {
  throw error instanceof Refused ? notFound('file') : error;
}

function tooFast(retryAfterMs: number): HttpError {
  return new HttpError(
    429,
    'rate_limited',
    'Too many files at once. Wait as Retry-After says.',
    retryAfterMs,
  );
}
