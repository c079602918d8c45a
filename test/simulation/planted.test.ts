// The simulation is worth what it finds. Faults are planted into the host, the store and the SDK, each in a process of its
// own, and every one must be found: six in the gate, all in a long run, which prints a table of who was
// found by which seed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LONG } from '../long.ts';
import { PLANTED } from './planted/faults.ts';
import { lineOf, tryFault } from './planted/run-planted.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FAULTS_MIN = 40;
/** The seeds that the gate plays. */
const GATE_SEEDS = 200;
const TIMEOUT_MS = 600_000;

it('there are enough planted faults, and each fits the code', () => {
  const stale = PLANTED.filter(
    ({ file, from }) => readFileSync(join(ROOT, file), 'utf8').split(from).length !== 2,
  );
  expect(stale.map(({ name, file }) => `${name}: plant it anew in ${file}`)).toEqual([]);
  expect(PLANTED.filter(({ elsewhere }) => elsewhere === undefined).length).toBeGreaterThanOrEqual(
    FAULTS_MIN,
  );
  expect(new Set(PLANTED.map(({ name }) => name)).size).toBe(PLANTED.length);
});

const chosen = PLANTED.filter(({ gate, elsewhere }) => (LONG ? elsewhere === undefined : gate !== undefined));

it.each(chosen.map((fault) => [fault.name, fault] as const))(
  'the simulation finds: %s',
  async (_, fault) => {
    const caught = await tryFault(fault, LONG ? 1 : fault.gate, LONG);
    if (LONG) console.log(lineOf(caught));
    expect(caught.finding, 'it was not found within 60 seconds of CPU').toBeDefined();
    // Then simulation.test.ts shows that the same seed is clean without the fault.
    if (!LONG) expect(caught.seed).toBeLessThanOrEqual(GATE_SEEDS);
  },
  TIMEOUT_MS,
);
