// Translates between WebSocket close codes and our reasons. We send only 1000 and the 4000s, because a browser's
// close() accepts no others. Their last three digits are the HTTP status of the same meaning. We also understand the
// standard codes. 1006, no handshake at all, is `lost`.
import type { CloseReason } from './transport.ts';

export const SUBPROTOCOL = 'c2a';
/** A browser cannot set headers, so it may send the token as a second subprotocol. The server never echoes it. */
export const TOKEN_PREFIX = 'bearer.';

const CODE_OF: Readonly<Record<CloseReason, number>> = {
  normal: 1000,
  protocol_error: 4400,
  unauthorized: 4401,
  fenced: 4409,
  too_large: 4413,
  going_away: 4503,
  lost: 4000,
};

const REASON_OF: ReadonlyMap<number, CloseReason> = new Map([
  ...(Object.keys(CODE_OF) as CloseReason[]).map((reason): [number, CloseReason] => [
    CODE_OF[reason],
    reason,
  ]),
  [1001, 'going_away'],
  [1002, 'protocol_error'],
  [1003, 'protocol_error'],
  [1005, 'normal'],
  [1007, 'protocol_error'],
  [1008, 'unauthorized'],
  [1009, 'too_large'],
  [1012, 'going_away'],
  [1013, 'going_away'],
]);

export function closeCode(reason: CloseReason): number {
  return CODE_OF[reason];
}

export function closeReason(code: number): CloseReason {
  return REASON_OF.get(code) ?? 'lost';
}

/** A close frame has room for so many bytes of words. */
const WORDS_BYTES = 123;

/** Longer words are cut, and never within a character. */
export function closeWords(words = ''): string {
  let short = words;
  while (new TextEncoder().encode(short).length > WORDS_BYTES)
    short = Array.from(short).slice(0, -1).join('');
  return short;
}
