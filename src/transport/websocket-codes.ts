// WebSocket close codes and our reasons, both ways. We send 1000 and the 4000s only, because a browser's close() takes
// no other; the last three digits are those of the HTTP status that means the same. Received, the standard codes count
// as well. No handshake at all (1006) is `lost`.
import type { CloseReason } from './transport.ts';

export const SUBPROTOCOL = 'c2a';
/** A browser cannot set headers, so the token may ride as a second subprotocol; it is never echoed. */
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
