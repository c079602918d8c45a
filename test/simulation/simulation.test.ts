// The gate of the simulation: seeds that must be clean, and two runs of one seed that must be the same. `npm run sim`
// plays any seed, and prints a failing one made small. The oracle is judge.ts, with the host's own checks of its rows.
import { expect, it } from 'vitest';
import { cases, seeds } from '../long.ts';
import { drawPlan } from './plan.ts';
import { report } from './report.ts';
import { runPlan } from './run.ts';

/** 200 in the gate, 100,000 in a long run, in so many tests. */
const TESTS = cases(4, 100);
const PER_TEST = cases(50, 1_000);
const TWICE_EVERY = 50;
const TIMEOUT_MS = 3_600_000;

const all = seeds(TESTS * PER_TEST, TESTS * PER_TEST);
const chunks = Array.from({ length: TESTS }, (_, index) =>
  all.slice(index * PER_TEST, (index + 1) * PER_TEST),
);

it.each(chunks.map((chunk, index) => [index + 1, chunk] as const))(
  'simulated worlds, part %i: whatever goes wrong, nothing is lost, said twice or left behind',
  async (_, chunk) => {
    for (const [index, seed] of chunk.entries()) {
      const plan = drawPlan(seed);
      const outcome = await runPlan(plan);
      if (outcome.findings.length > 0) expect.fail(await report(plan, outcome));
      if (index % TWICE_EVERY === 0)
        expect((await runPlan(plan)).digest, `seed ${seed} twice`).toBe(outcome.digest);
    }
  },
  TIMEOUT_MS,
);
