// One frame of bytes or text into a JSON value, with every bound checked before it can hurt: size, UTF-8, nesting.
// Invariant: never throws. Lone surrogates (a model's emoji cut in half) are repaired to U+FFFD, because they would
// otherwise change on their way through UTF-8 and make a retry look like another body.
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
  // Looked at before parsing: whoever walks the value later may recurse.
  if (isDeeperThan(text, limits.depth)) return notJson(`nested more than ${limits.depth} levels deep`);
  try {
    const value: unknown = JSON.parse(text);
    return {
      ok: true,
      value: text.isWellFormed() && !ESCAPED_SURROGATE.test(text) ? value : repaired(value),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return notJson('the text does not parse');
    throw error;
  }
}

const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;
const UTF8 = new TextDecoder('utf-8', { fatal: true });
const ENCODER = new TextEncoder();

function isTooLarge(frame: Uint8Array | string, limitBytes: number): boolean {
  if (frame.length > limitBytes) return true;
  // A UTF-16 unit is at most three bytes of UTF-8, so most texts need no counting.
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts brackets outside strings. On text that is no JSON the answer may be wrong and the parser then refuses it. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = endOfString(text, i);
    } else if (code === 0x5b || code === 0x7b) {
      depth++;
      if (depth > limit) return true;
    } else if (code === 0x5d || code === 0x7d) {
      depth--;
    }
  }
  return false;
}

/** Index of the closing quote, or the end of the text. */
function endOfString(text: string, open: number): number {
  for (let i = open + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) return i;
  }
  return text.length;
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
