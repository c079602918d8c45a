// The host's side of HTTP, as a function from body to body that any web server can call: `POST /c2a` carries one
// JSON-RPC message or a batch, and a long poll is a slow request. Bytes that are not a request are answered 4xx with
// the JSON-RPC error as body. A request that could be read is answered 200, even if the answer is an error.
import { wireError, type WireError } from '../protocol/errors.ts';
import {
  decode,
  encodeError,
  JSONRPC_LIMITS,
  type RpcId,
  type RpcMessage,
  type RpcRefusal,
} from '../protocol/jsonrpc.ts';
import { Dispatcher, type DispatchOptions, type RpcHandlers, type OnNotification } from './requests.ts';
import { TRANSPORT_LIMITS } from './transport.ts';

export const HTTP_LIMITS = {
  bodyBytes: TRANSPORT_LIMITS.frameBytes,
  /** All answers to one batch together. An answer beyond this is replaced by `too_large`. */
  answerBytes: 4 * TRANSPORT_LIMITS.frameBytes,
  /** Requests being answered at once, long polls included. One more gets 429. */
  concurrent: 4_096,
} as const;
const RETRY_AFTER_MS = 1_000;

export interface HttpEndpointOptions<Identity> {
  handlersFor: (identity: Identity) => RpcHandlers;
  /** A notification has no answer of its own. Over HTTP the response can say why it was refused. */
  onNotification?: (
    identity: Identity,
    ...notification: Parameters<OnNotification>
  ) => Promise<WireError | undefined>;
  onError?: (error: Error) => void;
  answerTo?: DispatchOptions['answerTo'];
  concurrent?: number;
}
export interface HttpRequest<Identity> {
  identity: Identity;
  /** The raw body. It is decoded here. */
  body: Uint8Array | string;
  contentType: string | undefined;
  /** Aborts when the client disconnects, which ends a long poll. */
  signal?: AbortSignal;
}
export interface HttpAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}
export type HttpEndpoint<Identity> = (request: HttpRequest<Identity>) => Promise<HttpAnswer>;

export function createHttpEndpoint<Identity>(options: HttpEndpointOptions<Identity>): HttpEndpoint<Identity> {
  const { concurrent = HTTP_LIMITS.concurrent } = options;
  let serving = 0;
  return async (request) => {
    if (serving >= concurrent) {
      const headers = { 'retry-after': String(RETRY_AFTER_MS / 1_000) };
      return refusal(
        429,
        { id: null, error: wireError('rate_limited', { retryAfterMs: RETRY_AFTER_MS }) },
        headers,
      );
    }
    serving++;
    try {
      return await answer(request, options);
    } catch (error) {
      (options.onError ?? ignore)(new Error('a body could not be answered', { cause: error }));
      return refusal(500, { id: null, error: wireError('internal') });
    } finally {
      serving--;
    }
  };
}

async function answer<I>(request: HttpRequest<I>, options: HttpEndpointOptions<I>): Promise<HttpAnswer> {
  if (!isJson(request.contentType)) {
    const problem = 'the content type must be application/json';
    return refusal(415, { id: null, error: wireError('invalid_request', { problem }) });
  }
  const decoded = decode(request.body);
  if (!decoded.ok) return refusal(statusOf(decoded.refusal.error), decoded.refusal);
  const { batch, messages, refusals } = decoded;
  if (messages.some(({ kind }) => kind === 'response')) {
    const problem = 'a response has nothing to answer here';
    return refusal(400, { id: null, error: wireError('invalid_request', { problem }) });
  }
  const [answers, refused] = await Promise.all([
    dispatchAll(messages, request, options),
    notifyAll(messages, request, options),
  ]);
  const [problem] = refused;
  if (!batch && problem !== undefined) return refusal(400, { id: null, error: problem });
  const unanswered = [...refusals, ...refused.map((error) => ({ id: null, error }))];
  const texts = [...answers, ...unanswered.map(({ id, error }) => encodeError(id, error))];
  if (texts.length === 0) return { status: 202, headers: {}, body: '' };
  return json(200, batch ? `[${texts.join(',')}]` : texts.join(''));
}

/** The answers in the order of the requests. An answer that no longer fits is replaced. */
async function dispatchAll<I>(
  messages: readonly RpcMessage[],
  { identity, signal }: HttpRequest<I>,
  { handlersFor, onError = ignore, answerTo }: HttpEndpointOptions<I>,
): Promise<string[]> {
  const dispatcher = new Dispatcher({
    handlers: handlersFor(identity),
    onError,
    answerTo,
    frameBytes: TRANSPORT_LIMITS.frameBytes,
    concurrent: JSONRPC_LIMITS.batchMessages,
  });
  const abort = (): void => dispatcher.abort();
  signal?.addEventListener('abort', abort, { once: true });
  const ids: RpcId[] = [];
  const pending: Promise<string>[] = [];
  for (const message of messages) {
    if (message.kind === 'notification') dispatcher.notification(message);
    else if (message.kind === 'request') {
      ids.push(message.id);
      pending.push(Promise.resolve(dispatcher.request(message)));
    }
  }
  if (signal?.aborted === true) abort();
  try {
    return fitting(ids, await Promise.all(pending));
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** The refusals among the notifications. */
async function notifyAll<I>(
  messages: readonly RpcMessage[],
  { identity }: HttpRequest<I>,
  { onNotification, onError = ignore }: HttpEndpointOptions<I>,
): Promise<WireError[]> {
  const refused: WireError[] = [];
  for (const message of messages) {
    if (message.kind !== 'notification') continue;
    try {
      const error = await onNotification?.(identity, message.method, message.params);
      if (error !== undefined) refused.push(error);
    } catch (error) {
      onError(new Error(`the notification ${message.method} failed`, { cause: error }));
    }
  }
  return refused;
}

function fitting(ids: readonly RpcId[], texts: readonly string[]): string[] {
  const limit = HTTP_LIMITS.answerBytes;
  let bytes = 0;
  return texts.map((text, i) => {
    bytes += Buffer.byteLength(text);
    if (bytes <= limit) return text;
    return encodeError(
      ids[i] ?? null,
      wireError('too_large', { limit, unit: 'bytes in the answers of a batch' }),
    );
  });
}

function isJson(contentType = ''): boolean {
  const [type = ''] = contentType.split(';', 1);
  return type.trim().toLowerCase() === 'application/json';
}

function statusOf({ data }: WireError): number {
  return data.name === 'too_large' ? 413 : 400;
}

function refusal(status: number, { id, error }: RpcRefusal, headers = {}): HttpAnswer {
  return json(status, encodeError(id, error), headers);
}

function json(status: number, body: string, headers = {}): HttpAnswer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body };
}
function ignore(): void {}
