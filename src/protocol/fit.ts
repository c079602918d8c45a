// How large things may be on the wire, in bytes of JSON, and how a text or a list is made to fit. Characters say little
// about bytes: JSON writes a control character with six. Whoever composes an event or an answer keeps within these
// limits, so that nothing the host has to say is ever larger than a frame. Pure, and total over any string.

export const FIT_LIMITS = {
  /** One event, as it is delivered or listed. A text of any script fits as a whole; one of control characters does not. */
  eventBytes: 229_376,
  /**
   * The result of one tool call. A tool's answer holds it twice, once as text inside a string, where a byte takes up to
   * two. So an answer takes at most three times this, which leaves 64 KiB of a frame for what is around it.
   */
  answerBytes: 327_680,
  /** The lists of an event. What people need is far smaller: only ids of strange characters reach these. */
  mentionsBytes: 16_384,
  attachmentsBytes: 32_768,
  /** The debts on the list of an escalation. */
  debtsBytes: 65_536,
  /** What a turn is told of what was said meanwhile, and of one line of it the attachments. */
  seenBytes: 98_304,
  seenAttachmentsBytes: 4_096,
  /** Who is in one conversation, and in all conversations of one answer. */
  participantsBytes: 16_384,
  roomsBytes: 65_536,
  /** News that a turn over MCP is shown besides its event. */
  newsBytes: 32_768,
} as const;

const ENCODER = new TextEncoder();

/** The bytes of the value as JSON. */
export function jsonBytes(value: unknown): number {
  return ENCODER.encode(JSON.stringify(value)).length;
}

/** The first items that fit together. */
export function fittingItems<T>(items: readonly T[], bytes: number): readonly T[] {
  let left = bytes;
  const fits = items.findIndex((item) => (left -= jsonBytes(item) + 1) < 0);
  return fits < 0 ? items : items.slice(0, fits);
}

/** The part of a text that was left out, in UTF-16 code units: from `from` up to `to`, of `chars` in all. */
export interface Gap {
  from: number;
  to: number;
  chars: number;
}

/**
 * The text, if it takes at most this many bytes. Otherwise two thirds from its beginning and one from its end, because
 * people put the question first or last, and `note` where the rest was. Never cuts a character in half.
 */
export function fitText(text: string, bytes: number, note: (gap: Gap) => string): string {
  if (text.length * WORST_BYTES <= bytes || textBytes(text) <= bytes) return text;
  const chars = text.length;
  // The longest note that can come out: its numbers are at most as long as the length of the text.
  const left = Math.max(0, bytes - textBytes(note({ from: chars, to: chars, chars })));
  const from = headWithin(text, 0, Math.ceil((left * 2) / 3));
  const to = tailWithin(text, from, Math.floor(left / 3));
  return `${text.slice(0, from)}${note({ from, to, chars })}${text.slice(to)}`;
}

/** The texts, each cut so that all together fit. Short ones stay whole: the long ones share what those leave. */
export function fitTexts(
  texts: readonly string[],
  bytes: number,
  note: (gap: Gap, index: number) => string,
): string[] {
  const sizes = texts.map(textBytes);
  let [left, open] = [bytes, texts.length];
  let share = bytes;
  for (const size of sizes.toSorted((a, b) => a - b)) {
    share = Math.floor(left / open);
    if (size > share) break;
    left -= size;
    open--;
  }
  return texts.map((text, index) => fitText(text, share, (gap) => note(gap, index)));
}

/** Where a page of the text ends that begins at `from` and takes at most this many bytes. Always goes on. */
export function pageEnd(text: string, from: number, bytes: number): number {
  return Math.max(headWithin(text, from, bytes), Math.min(text.length, from + charsAt(text, from)));
}

/** The start of the character that stands at this place. */
export function charStart(text: string, at: number): number {
  return isPair(text, at - 1) ? at - 1 : at;
}

/** A control character or half of a pair: `\u0001`. */
const WORST_BYTES = 6;

function headWithin(text: string, from: number, bytes: number): number {
  let [at, left] = [from, bytes];
  while (at < text.length) {
    left -= bytesAt(text, at);
    if (left < 0) break;
    at += charsAt(text, at);
  }
  return at;
}

function tailWithin(text: string, from: number, bytes: number): number {
  let [at, left] = [text.length, bytes];
  while (at > from) {
    const before = charStart(text, at - 1);
    left -= bytesAt(text, before);
    if (left < 0 || before < from) break;
    at = before;
  }
  return at;
}

/** The bytes of the text inside a JSON string. */
function textBytes(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += charsAt(text, at)) bytes += bytesAt(text, at);
  return bytes;
}

function charsAt(text: string, at: number): number {
  return isPair(text, at) ? 2 : 1;
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xff_ff;
}

const SHORT_ESCAPES = new Set(['\b', '\t', '\n', '\f', '\r', '"', '\\'].map((char) => char.charCodeAt(0)));

/** The bytes of one character as `JSON.stringify` and UTF-8 write it. */
function bytesAt(text: string, at: number): number {
  const point = text.codePointAt(at) ?? 0;
  if (SHORT_ESCAPES.has(point)) return 2;
  if (point < 0x20) return WORST_BYTES;
  if (point < 0x80) return 1;
  if (point < 0x8_00) return 2;
  if (point > 0xff_ff) return 4;
  return point >= 0xd8_00 && point <= 0xdf_ff ? WORST_BYTES : 3;
}
