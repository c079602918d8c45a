// The JSON-RPC 2.0 codec: frames of bytes or text to messages and back. Invariant: `decode` never throws, whatever the
// bytes. For a frame that it cannot read it returns the error response to send. Error responses are readable messages
// themselves, so two peers cannot trade errors for ever. It does not import zod: a method's own schema checks `params`
// later.
import { type WireError, wireError } from './errors.ts';

export const JSONRPC_LIMITS = {
  frameBytes: 1_048_576,
  depth: 64,
  batchMessages: 64,
  idChars: 256,
  methodChars: 128,
} as const;

export type RpcId = string | number;
export type RpcParams = object;
/** The peer may be another implementation, so an error may have any code and any data. */
export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;
export type RpcRequest = { kind: 'request'; id: RpcId; method: string; params?: RpcParams };
export type RpcNotification = { kind: 'notification'; method: string; params?: RpcParams };
export type RpcResponse =
  | { kind: 'response'; id: RpcId; ok: true; result: unknown }
  | { kind: 'response'; id: RpcId | null; ok: false; error: RpcError };

/** The answer to send with `encodeError`. `id` is null when the request's id could not be read. */
export interface RpcRefusal {
  id: RpcId | null;
  error: WireError;
}

export type Decoded =
  /** `refusals` answers the members of a batch that are no messages. It is empty otherwise. */
  | { ok: true; batch: boolean; messages: RpcMessage[]; refusals: RpcRefusal[] }
  | { ok: false; refusal: RpcRefusal };

export function decode(frame: Uint8Array | string): Decoded {
  const read = readJson(frame, JSONRPC_LIMITS);
  if (!read.ok) return { ok: false, refusal: { id: null, error: read.error } };
  if (Array.isArray(read.value)) return decodeBatch(read.value);
  const { message, refusal } = classify(read.value);
  if (message === undefined) return { ok: false, refusal };
  return { ok: true, batch: false, messages: [message], refusals: [] };
}

export function encodeRequest(id: RpcId, method: string, params?: RpcParams): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export function encodeNotification(method: string, params?: RpcParams): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** JSON-RPC requires a result, so an absent one is written as null. */
export function encodeResult(id: RpcId, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: result ?? null });
}

export function encodeError(id: RpcId | null, error: RpcError): string {
  const { code, message, data } = error;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
}

function decodeBatch(members: readonly unknown[]): Decoded {
  if (members.length === 0) return { ok: false, refusal: invalid('the batch is empty') };
  if (members.length > JSONRPC_LIMITS.batchMessages) {
    const error = wireError('too_large', {
      limit: JSONRPC_LIMITS.batchMessages,
      unit: 'messages in a batch',
    });
    return { ok: false, refusal: { id: null, error } };
  }
  const messages: RpcMessage[] = [];
  const refusals: RpcRefusal[] = [];
  const requestIds = new Set<RpcId>();
  for (const member of members) {
    const { message, refusal } = classify(member);
    if (message === undefined) refusals.push(refusal);
    else if (message.kind === 'request' && requestIds.has(message.id)) {
      // Two answers with one id could not be told apart, so the second request is refused with the id null.
      refusals.push(invalid('this id occurs twice in the batch'));
    } else {
      if (message.kind === 'request') requestIds.add(message.id);
      messages.push(message);
    }
  }
  return { ok: true, batch: true, messages, refusals };
}

type Classified = { message: RpcMessage; refusal?: undefined } | { message?: undefined; refusal: RpcRefusal };

function classify(value: unknown): Classified {
  if (!isRecord(value)) return { refusal: invalid('it is not an object') };
  if (!Object.hasOwn(value, 'method')) return classifyResponse(value);
  const { jsonrpc, id, method, params } = value;
  if (jsonrpc !== '2.0') return refuse(id, '"jsonrpc" must be "2.0"');
  if (typeof method !== 'string' || method === '' || method.length > JSONRPC_LIMITS.methodChars) {
    return refuse(id, `"method" must be a string of 1 to ${JSONRPC_LIMITS.methodChars} characters`);
  }
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return refuse(id, '"params" must be an object or an array');
  }
  const isRequest = Object.hasOwn(value, 'id');
  if (isRequest && !isId(id))
    return refuse(id, `"id" must be a safe integer or a string of 1 to ${JSONRPC_LIMITS.idChars} characters`);
  const message: RpcMessage = isRequest
    ? { kind: 'request', id: id as RpcId, method }
    : { kind: 'notification', method };
  if (params !== undefined) message.params = params;
  return { message };
}

/** Uses the id of the refused message where that can be read. */
function refuse(id: unknown, problem: string): Classified {
  return { refusal: invalid(problem, isId(id) ? id : null) };
}

/** Refused with the id null: the message's id counts our own requests, not the peer's. */
function classifyResponse(value: Record<string, unknown>): Classified {
  const { jsonrpc, id, result, error } = value;
  const hasResult = Object.hasOwn(value, 'result');
  if (jsonrpc !== '2.0') return { refusal: invalid('"jsonrpc" must be "2.0"') };
  if (hasResult === Object.hasOwn(value, 'error')) {
    return { refusal: invalid('it needs exactly one of "method", "result" and "error"') };
  }
  if (hasResult) {
    if (!isId(id)) return { refusal: invalid('a result needs the id of its request') };
    return { message: { kind: 'response', id, ok: true, result } };
  }
  if (!isRpcError(error)) return { refusal: invalid('"error" needs an integer code and a message') };
  if (id !== null && !isId(id)) return { refusal: invalid('an error needs the id of its request, or null') };
  const { code, message } = error;
  const body = { code, message, ...(error.data === undefined ? {} : { data: error.data }) };
  return { message: { kind: 'response', id, ok: false, error: body } };
}

function invalid(problem: string, id: RpcId | null = null): RpcRefusal {
  return { id, error: wireError('invalid_request', { problem }) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}

/** A fraction or an unsafe integer may have changed in parsing, so the answer could belong to another request. */
function isId(id: unknown): id is RpcId {
  if (typeof id === 'number') return Number.isSafeInteger(id);
  return typeof id === 'string' && id !== '' && id.length <= JSONRPC_LIMITS.idChars;
}

function isRpcError(error: unknown): error is RpcError {
  return isRecord(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
}

// The JSON of a frame.

interface FrameLimits {
  frameBytes: number;
  depth: number;
}
type FrameRead = { ok: true; value: unknown } | { ok: false; error: WireError };

/**
 * A value that is safe to walk: size, UTF-8 and nesting are checked (the JSON parser itself does not recurse). Lone
 * surrogates (a model's emoji cut in half) become U+FFFD, because UTF-8 would change them on the way and a retry would
 * look like another body.
 */
function readJson(frame: Uint8Array | string, limits: FrameLimits): FrameRead {
  if (isTooLarge(frame, limits.frameBytes)) {
    return {
      ok: false,
      error: wireError('too_large', { limit: limits.frameBytes, unit: 'bytes in a frame' }),
    };
  }
  const text = typeof frame === 'string' ? frame : utf8Text(frame);
  if (text === undefined) return notJson('the bytes are not valid UTF-8');
  try {
    const value: unknown = JSON.parse(text);
    // Each level needs two brackets, so a short text cannot be deep.
    if (text.length > 2 * limits.depth && isObject(value) && isDeeperThan(value, limits.depth))
      return notJson(`nested more than ${limits.depth} levels deep`);
    return { ok: true, value: hasLoneSurrogates(text) ? repaired(value) : value };
  } catch (error) {
    if (error instanceof SyntaxError) return notJson('the text does not parse');
    throw error;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const ENCODER = new TextEncoder();

function isTooLarge(frame: Uint8Array | string, limitBytes: number): boolean {
  if (frame.length > limitBytes) return true;
  // A UTF-16 unit takes at most three bytes of UTF-8, so most texts need no counting.
  if (typeof frame !== 'string' || frame.length * 3 <= limitBytes) return false;
  return ENCODER.encode(frame).length > limitBytes;
}

function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function notJson(problem: string): FrameRead {
  return { ok: false, error: wireError('parse_error', { problem }) };
}

/** Recursion stops at the limit. */
function isDeeperThan(value: object, limit: number): boolean {
  if (limit === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isObject(item) && isDeeperThan(item, limit - 1));
  for (const key in value) {
    const member: unknown = value[key as keyof typeof value];
    if (isObject(member) && isDeeperThan(member, limit - 1)) return true;
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/** May say true for a text without one: an escaped pair looks the same here. */
function hasLoneSurrogates(text: string): boolean {
  return !text.isWellFormed() || (text.includes('\\u') && ESCAPED_SURROGATE.test(text));
}

/** Recursion is bounded by the depth check. `fromEntries` defines members, so `__proto__` stays a plain key. */
function repaired(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(repaired);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toWellFormed(), repaired(member)]),
  );
}
