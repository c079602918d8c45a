// Rooms of long and strange messages: every kind of character that JSON makes larger, up to the limits of ingest, with
// long lists and long names. Every text ends with a word of its own, so that it is found wherever it ends up.
import { EVENT_LIMITS } from '../../src/protocol/chat-event.ts';
import type { Random } from '../../src/runtime/random.ts';

/** What a text is made of. JSON and UTF-8 write one character of it with one to six bytes. */
const ALPHABETS = [
  'a',
  'ü',
  '日本',
  '🙂👩‍👩‍👧',
  '\u0001',
  '\n\t',
  '"\\',
  'x\ud83d',
  'a日"\u0002🙂 \\',
] as const;
const LENGTHS = [20, 3_000, 20_000, 60_000, EVENT_LIMITS.textChars] as const;
/** Between two lines: some are fragments of the line before. */
const PAUSES_MS = [200, 800, 9_000, 30_000] as const;

export interface LongLine {
  /** As the host stores it: it repairs halves of a pair. */
  text: string;
  /** Unique to this line. */
  word: string;
  by: string;
  pauseMs: number;
  more: Record<string, unknown>;
}

/** Every line mentions the agent, the last of many or it alone. */
export function longRoom(random: Random, agent: string, lines: number): LongLine[] {
  return Array.from({ length: lines }, (_, index) => {
    const word = ` w${index}z`;
    const chars = pick(random, LENGTHS) - word.length;
    return {
      text: `${filled(pick(random, ALPHABETS), chars)}${word}`.toWellFormed(),
      word: word.trim(),
      by: chance(random, 0.2) ? filled(pick(random, ALPHABETS), EVENT_LIMITS.idChars).toWellFormed() : 'ada',
      pauseMs: pick(random, PAUSES_MS),
      more: {
        ...lists(random, agent),
        ...(chance(random, 0.3) ? { replyTo: { eventId: `long-${index - 1}` } } : {}),
      },
    };
  });
}

function lists(random: Random, agent: string): Record<string, unknown> {
  const alphabet = pick(random, ALPHABETS);
  const named = (prefix: string, index: number, chars: number): string =>
    filled(`${prefix}${index}${alphabet}`, chars).toWellFormed();
  const people = Array.from({ length: EVENT_LIMITS.mentions - 1 }, (_, index) => ({
    kind: 'human',
    id: named('m', index, EVENT_LIMITS.idChars),
  }));
  const own = { kind: 'agent', id: agent };
  const attachments = Array.from({ length: EVENT_LIMITS.attachments }, (_, index) => ({
    id: named('f', index, EVENT_LIMITS.idChars),
    kind: 'file',
    name: named('n', index, EVENT_LIMITS.nameChars),
    contentType: named('c', index, EVENT_LIMITS.nameChars),
  }));
  return {
    mentions: chance(random, 0.3) ? [...people, own] : [own],
    ...(chance(random, 0.3) ? { attachments } : {}),
  };
}

function filled(alphabet: string, chars: number): string {
  return alphabet.repeat(Math.ceil(chars / alphabet.length)).slice(0, chars);
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random.next() * from.length)] as T;
}

function chance(random: Random, likely: number): boolean {
  return random.next() < likely;
}
