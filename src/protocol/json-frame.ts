// Turns one frame of bytes or text into a JSON value that is safe to walk: it checks size, UTF-8 and nesting (the
// JSON parser itself does not recurse). Invariant: it never throws. It replaces lone surrogates (a model's emoji cut
// in half) with U+FFFD, because UTF-8 would change them on the way and a retry would look like another body.
import { type WireError, wireError } from './errors.ts';

export interface FrameLimits {
  frameBytes: number;
  depth: number;
}
export type FrameRead = { ok: true; value: unknown } | { ok: false; error: WireError };

export function readJson(frame: Uint8Array | string, limits: FrameLimits): FrameRead {
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
