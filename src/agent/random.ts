// The randomness port without `node:crypto`: what Node, Bun and browsers all have. For turn ids, jitter and fences; a
// test or the simulator passes a seeded one.
import type { Random } from '../runtime/random.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const ID_CHARS = 22;

export const webRandom: Random = {
  next: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
  id: () => characters(ID_CHARS),
  secret: (bytes) => characters(Math.ceil((bytes * 8) / 6)),
};

/** 64 characters divide 256 evenly: no character is likelier than another. */
function characters(count: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => ALPHABET[byte % 64]).join('');
}
