// The randomness port: ids, jitter and secrets. The simulator passes a seeded one.
import { randomBytes, randomUUID } from 'node:crypto';

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A fresh id, url-safe. */
  id(): string;
  /** Unguessable, url-safe, of so many bytes. */
  secret(bytes: number): string;
}

export const systemRandom: Random = {
  next: () => Math.random(),
  id: () => randomUUID(),
  secret: (bytes) => randomBytes(bytes).toString('base64url'),
};

/** mulberry32: small, fast, the same on every machine. Its secrets are for tests only. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(next() * 36).toString(36)).join('');
  return { next, id: () => digits(20), secret: (bytes) => digits(Math.ceil((bytes * 8) / 5)) };
}
