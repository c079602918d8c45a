// What the owner of a token reads when it is refused. One that was seen in chat says so, with the place and the time: its
// owner has done nothing wrong, or does not know, and must hear how to go on.
import { headerWord } from '../../protocol/identity.ts';
import type { TokenRow } from '../../store/tables.ts';
import type { Authenticated } from './tokens.ts';

/** Where a token was seen. Undefined: in a direct message, of which nobody else is told. */
export interface Leak {
  at: number;
  room?: string;
}

/** A close frame of a WebSocket holds 123 bytes: the words below must fit with any room. */
const ROOM_CHARS = 20;

export function leakOf({ revokedAt, leaked, leakedIn }: TokenRow): Leak | undefined {
  if (leaked !== true || revokedAt === null) return undefined;
  return { at: revokedAt, ...(leakedIn !== undefined && { room: leakedIn }) };
}

/** For a program or a model. */
export function refusedTokenWords(refused: Extract<Authenticated, { ok: false }>): string {
  if (refused.leak !== undefined) return leakWords(refused.leak);
  const why = refused.why === 'revoked' ? 'has been revoked' : 'is not valid here';
  return `This token ${why}. "earshot token create" makes another.`;
}

/** For a person in a tab, who can do nothing with commands. */
export function leakWordsForPerson(leak: Leak): string {
  return `Your token was seen in chat ${where(leak)} (${time(leak)}). Others could have used it, so it works no more. Ask the operator for a new one.`;
}

export function leakWords(leak: Leak): string {
  return `token_revoked: seen in chat ${where(leak)} at ${time(leak)}, ask the operator for a new one`;
}

function where({ room }: Leak): string {
  return room === undefined ? 'in private' : `in #${headerWord(room.replace(/[^\w.-]/g, '_'), ROOM_CHARS)}`;
}

function time({ at }: Leak): string {
  return new Date(at).toISOString().replace(/:\d\d\.\d+Z$/, 'Z');
}
