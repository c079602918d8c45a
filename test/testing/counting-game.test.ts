// The counting game with claims and without. All 100 seeds are clean with claims; the suite plays the first 25, because
// a game takes 0.6 to 0.9 s, more than half of it in reading the log for what was seen while quiet.
import { expect, it } from 'vitest';
import { type Game, withClaims, withoutClaims } from './counting.ts';

/** `EARSHOT_SEEDS=100` plays them all. */
const SEEDS = Number(process.env['EARSHOT_SEEDS'] ?? 25);
const TIMEOUT_MS = 300_000;

async function faults(game: (seed: number) => Promise<Game>, seeds: number): Promise<string[]> {
  const found: string[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const { fault } = await game(seed);
    if (fault !== undefined) found.push(`seed ${seed}: ${fault}`);
  }
  return found;
}

it(
  `the counting game is clean with claims on an open floor, in ${SEEDS} seeds`,
  async () => {
    expect(await faults(withClaims, SEEDS)).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  'and fails in most without claims, though everybody looks before they speak',
  async () => {
    const failed = await faults(withoutClaims, SEEDS);
    expect(failed.length).toBeGreaterThan(0.9 * SEEDS);
  },
  TIMEOUT_MS,
);
