// The counting game with claims and without, each seed 0.4 s of CPU with claims and 0.06 s without (most of those fail).
import { expect, it } from 'vitest';
import { type Game, withClaims, withoutClaims } from './counting.ts';
import { seeds } from '../long.ts';

const GAMES = seeds(5, 100);
const TIMEOUT_MS = 300_000;

async function faults(game: (seed: number) => Promise<Game>): Promise<string[]> {
  const found: string[] = [];
  for (const seed of GAMES) {
    const { fault } = await game(seed);
    if (fault !== undefined) found.push(`seed ${seed}: ${fault}`);
  }
  return found;
}

it(
  'the counting game is clean with claims on an open floor, whatever the seed',
  async () => {
    expect(await faults(withClaims)).toEqual([]);
  },
  TIMEOUT_MS,
);

/** An agent was ten messages behind, and was granted a claim on what had been answered long ago. */
const TEN_BEHIND = 715_874_843;

it('an agent that is far behind is refused a claim on what was answered', async () => {
  expect((await withClaims(TEN_BEHIND)).fault).toBeUndefined();
});

it(
  'and fails in most without claims, though everybody looks before they speak',
  async () => {
    expect((await faults(withoutClaims)).length).toBeGreaterThan(0.9 * GAMES.length);
  },
  TIMEOUT_MS,
);
