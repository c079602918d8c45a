// Three agents behind one account, in drawn conversations: nobody is answered twice, no agent is woken by what it or
// another one of them posted, and every call at the front door reaches exactly one agent or is one offer.
import { expect, it } from 'vitest';
import { seeds } from '../long.ts';
import { drawnCalls } from './drawn-calls.ts';

const SEEDS = seeds(25, 1_000);

it(`in ${SEEDS.length} conversations every call at the front door reaches one agent or is one offer`, async () => {
  let [calls, answers] = [0, 0];
  for (const seed of SEEDS) {
    const drawn = await drawnCalls(seed);
    expect(drawn.problems, `seed ${seed}`).toEqual([]);
    calls += drawn.calls;
    answers += drawn.answers;
  }
  // They are conversations, not silence.
  expect(calls).toBeGreaterThan(SEEDS.length * 3);
  expect(answers).toBeGreaterThan(SEEDS.length * 3);
}, 900_000);
