// Chance, as a port: ids and random numbers come from here, so that a run with a seed can be repeated exactly.
import { getRandomValues } from 'node:crypto';

export interface Random {
  /** 32 random bits, as a number from 0. */
  uint32(): number;
  /** `prefix_` and 26 characters: enough that no two ever meet. */
  id(prefix: string): string;
}

// Crockford's alphabet: nothing that can be misread.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_CHARS = 26;

function makeRandom(uint32: () => number): Random {
  return {
    uint32,
    id(prefix) {
      let text = '';
      for (let i = 0; i < ID_CHARS; i++) text += ALPHABET.charAt(uint32() & 31);
      return `${prefix}_${text}`;
    },
  };
}

export const systemRandom: Random = makeRandom(() => getRandomValues(new Uint32Array(1))[0] ?? 0);

/** mulberry32: the same seed gives the same numbers. For tests and simulation, never for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return makeRandom(() => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  });
}
