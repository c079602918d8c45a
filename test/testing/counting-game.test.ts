// The counting game with claims and without, 100 seeds each: 40 s of CPU with claims, 6 s without (98 of them fail).
import { expect, it } from 'vitest';
import { type Game, withClaims, withoutClaims } from './counting.ts';

const SEEDS = 100;
const TIMEOUT_MS = 300_000;

async function faults(game: (seed: number) => Promise<Game>): Promise<string[]> {
  const found: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { fault } = await game(seed);
    if (fault !== undefined) found.push(`seed ${seed}: ${fault}`);
  }
  return found;
}

it(
  `the counting game is clean with claims on an open floor, in ${SEEDS} of ${SEEDS} seeds`,
  async () => {
    expect(await faults(withClaims)).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  'and fails in most without claims, though everybody looks before they speak',
  async () => {
    expect((await faults(withoutClaims)).length).toBeGreaterThan(0.9 * SEEDS);
  },
  TIMEOUT_MS,
);
