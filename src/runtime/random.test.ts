// Chance: the same seed gives the same ids, the system never does.
import { expect, it } from 'vitest';
import { seededRandom, systemRandom } from './random.ts';

function draw(seed: number): string[] {
  const random = seededRandom(seed);
  return [random.id(), random.secret(8), String(random.next())];
}

it('repeats with the same seed, and not with another', () => {
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
});

it('makes ids that differ', () => {
  expect(new Set(Array.from({ length: 1_000 }, () => systemRandom.id())).size).toBe(1_000);
});
