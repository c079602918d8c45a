// The gate of the simulation: seeds that must be clean, and two runs of one seed that must be the same. A long run plays
// 100,000 seeds, or as many as EARSHOT_SIM_SEEDS says, in several processes, and prints how far it is. `npm run sim`
// plays any seed. The oracle is judge.ts, with the host's own checks of its rows.
import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { cases, LONG, SEED } from '../long.ts';
import { playInJobs } from './jobs.ts';
import { playSeeds } from './play.ts';

const SEEDS = Number(process.env['EARSHOT_SIM_SEEDS'] ?? cases(200, 100_000));
/** A long run begins somewhere else each time. */
const FIRST = LONG ? 1 + (SEED % 10_000) * 100_000 : 1;
const TESTS = 4;
const TIMEOUT_MS = 12 * 3_600_000;

it.skipIf(LONG).each(Array.from({ length: TESTS }, (_, index) => index))(
  'simulated worlds, part %i: whatever goes wrong, nothing is lost, said twice or left behind',
  async (part) => {
    const told: string[] = [];
    const count = Math.ceil(SEEDS / TESTS);
    const { done } = await playSeeds({ first: FIRST + part * count, count, tell: (line) => told.push(line) });
    expect(told.join('\n')).toBe('');
    expect(done).toBe(count);
  },
  TIMEOUT_MS,
);

it.runIf(LONG)(
  `${SEEDS} simulated worlds from seed ${FIRST} on, in ${availableParallelism()} processes`,
  async () => {
    const jobs = availableParallelism();
    const played = await playInJobs({
      first: FIRST,
      count: SEEDS,
      jobs,
      tell: (line) => console.log(line),
    });
    console.log(`${played.done} seeds, ${played.cpuSeconds.toFixed(0)} s of CPU`);
    expect(played.failed).toEqual([]);
    expect(played.done).toBe(SEEDS);
  },
  TIMEOUT_MS,
);
