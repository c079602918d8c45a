// Every failure that an HTTP caller sees: `{error: {code, message}}`, with a message that says what to do. A route
// throws an HttpError for an expected failure. Any other error is a bug: it is logged here and answered as `internal`.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { StoreError } from '../../store/store.ts';
import { isOutOfDescriptors } from '../../runtime/descriptors.ts';
import { STORE_RETRY, storeRefusal } from '../kernel/store-refusal.ts';
import { refusedTokenWords } from '../security/refused-token.ts';
import type { Authenticated } from '../security/tokens.ts';

export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, code: string, message: string, retryAfterMs?: number) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Our own words for what Fastify itself refuses. */
const FRAMEWORK: Readonly<Record<string, readonly [status: number, code: string, message: string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [
    413,
    'too_large',
    'The body is larger than this route takes. Send it in parts.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'bad_request', 'The body is not as long as Content-Length says.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'unsupported_media_type', 'Send application/json.'],
  FST_ERR_BAD_URL: [400, 'bad_request', 'The URL is not valid: percent-encode what is in the path.'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'too_large', 'A part of the path is longer than any id.'],
};

export function asHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (error instanceof StoreError) return storeError(error);
  if (isOutOfDescriptors(error)) return unavailable('The host is out of file descriptors. Try again later.');
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = code === undefined ? undefined : FRAMEWORK[code];
  if (known !== undefined) return new HttpError(...known);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new HttpError(
      statusCode,
      'bad_request',
      'The request could not be read. Check it and send it again.',
    );
  }
  return undefined;
}

function storeError(error: StoreError): HttpError {
  const refusal = storeRefusal(error);
  if (refusal !== undefined) return unavailable(refusal.message, refusal.retryAfterMs);
  return new HttpError(500, 'internal', 'The host could not do this; nothing was changed. See its log.');
}

export function unavailable(message: string, retryAfterMs: number = STORE_RETRY.busyMs): HttpError {
  return new HttpError(503, 'unavailable', message, retryAfterMs);
}

export function notFound(what: string): HttpError {
  return new HttpError(404, 'not_found', `There is no ${what} with this id that you may see.`);
}

export function nothingHere({ method, url }: FastifyRequest): HttpError {
  const message = `There is nothing at ${method} ${url.slice(0, 200)}. See docs/http.md for every route.`;
  return new HttpError(404, 'not_found', message);
}

export function tokenMissing(): HttpError {
  const message = 'Send a token: "Authorization: Bearer ear_…". "earshot token create" makes one.';
  return new HttpError(401, 'unauthorized', message);
}

export function tokenWrong(refused: Extract<Authenticated, { ok: false }>): HttpError {
  return new HttpError(401, 'unauthorized', refusedTokenWords(refused));
}

export interface ErrorDeps {
  log: { error(fields: Record<string, unknown>, message: string): void };
  /** The request failed because no file descriptor was left. */
  outOfDescriptors: () => void;
  clean: (text: string) => string;
}

export function answerError({ log, clean, outOfDescriptors }: ErrorDeps) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const known = asHttpError(error);
    if (isOutOfDescriptors(error)) outOfDescriptors();
    if (known === undefined) log.error({ err: error, route: request.routeOptions.url }, 'a request failed');
    const { status, code, message, retryAfterMs } =
      known ??
      new HttpError(500, 'internal', 'The host failed while doing this. See its log; trying again is safe.');
    if (retryAfterMs !== undefined) void reply.header('retry-after', retryAfterSeconds(retryAfterMs));
    void reply.code(status).send({ error: { code, message: clean(message) } });
  };
}

export function retryAfterSeconds(ms: number): string {
  return String(Math.max(1, Math.ceil(ms / 1_000)));
}
