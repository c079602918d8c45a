// Tries planted faults, one process each, and says for each whether the simulation found it, with which seed and after
// how much CPU.
//
//   node test/simulation/planted/run-planted.ts            all of them, as a table
//   node test/simulation/planted/run-planted.ts knock      those whose name contains a word
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PLANTED, type PlantedFault } from './faults.ts';

const run = promisify(execFile);
const CPU_SECONDS = 60;
const TIMEOUT_MS = 600_000;

export interface Caught {
  fault: PlantedFault;
  cpuSeconds: number;
  seed?: number;
  finding?: string;
}

export async function tryFault(fault: PlantedFault, from = 1): Promise<Caught> {
  const here = import.meta.dirname;
  const args = [
    '--import',
    join(here, 'plant.ts'),
    join(here, 'try.ts'),
    fault.name,
    String(CPU_SECONDS),
    String(from),
  ];
  const { stdout } = await run(process.execPath, args, { timeout: TIMEOUT_MS, maxBuffer: 1e8 });
  const line = stdout.trim().split('\n').at(-1) ?? '';
  const caught = { fault, ...(JSON.parse(line) as Omit<Caught, 'fault'>) };
  // A seed that fails without the fault has found something else.
  if (caught.seed !== undefined)
    await run(process.execPath, [join(here, '..', 'main.ts'), '--seed', String(caught.seed)], {
      timeout: TIMEOUT_MS,
    });
  return caught;
}

export function lineOf({ fault, cpuSeconds, seed, finding }: Caught): string {
  const what = seed === undefined ? 'NOT FOUND' : `seed ${seed}: ${finding?.slice(0, 90)}`;
  return `| ${fault.name} | ${fault.file} | ${cpuSeconds} s | ${what} |`;
}

if (import.meta.main) {
  const words = process.argv.slice(2);
  const chosen = PLANTED.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  let missed = 0;
  for (const fault of chosen) {
    try {
      const caught = await tryFault(fault);
      if (caught.seed === undefined) missed++;
      console.log(lineOf(caught));
    } catch (error) {
      missed++;
      console.log(`| ${fault.name} | BROKEN | ${String(error).split('\n').slice(0, 12).join(' / ')} |`);
    }
  }
  console.log(`${chosen.length} faults, ${missed} not found`);
  process.exitCode = missed === 0 ? 0 : 1;
}
