// Tries planted faults, one process each, and says for each whether the simulation found it, with which seed and after
// how much CPU.
//
//   node test/simulation/planted/run-planted.ts            all that it finds, as a table
//   node test/simulation/planted/run-planted.ts knock      those whose name contains a word
//   node test/simulation/planted/run-planted.ts --jobs 4   four at a time
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { PLANTED, type PlantedFault } from './faults.ts';

const run = promisify(execFile);
const CPU_SECONDS = 60;
/** CPU may be scarce: the limit that counts is the one above. */
const TIMEOUT_MS = 3_600_000;

export interface Caught {
  fault: PlantedFault;
  cpuSeconds: number;
  seed?: number;
  finding?: string;
}

/** `control`: the seed is played without the fault too. The gate plays its seeds anyway. */
export async function tryFault(fault: PlantedFault, from = 1, control = true): Promise<Caught> {
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
  if (caught.seed !== undefined && control)
    await run(process.execPath, [join(here, '..', 'main.ts'), '--seed', String(caught.seed)], {
      timeout: TIMEOUT_MS,
    });
  return caught;
}

export function lineOf({ fault, cpuSeconds, seed, finding }: Caught): string {
  const what = seed === undefined ? 'NOT FOUND' : `seed ${seed}: ${finding?.slice(0, 90)}`;
  return `| ${fault.name} | ${fault.file} | ${cpuSeconds} s | ${what} |`;
}

async function attempt(fault: PlantedFault): Promise<{ line: string; isFound: boolean }> {
  try {
    const caught = await tryFault(fault);
    return { line: lineOf(caught), isFound: caught.seed !== undefined };
  } catch (error) {
    const why = String(error).split('\n').slice(0, 12).join(' / ');
    return { line: `| ${fault.name} | BROKEN | ${why} |`, isFound: false };
  }
}

if (import.meta.main) {
  const { values, positionals: words } = parseArgs({
    options: { jobs: { type: 'string' } },
    allowPositionals: true,
  });
  const chosen = PLANTED.filter(
    ({ name, elsewhere }) =>
      words.some((word) => name.includes(word)) || (words.length === 0 && elsewhere === undefined),
  );
  const waiting = [...chosen];
  let missed = 0;
  const work = async (): Promise<void> => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const { line, isFound } = await attempt(fault);
      console.log(line);
      if (!isFound) missed++;
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs ?? 1) }, work));
  console.log(`${chosen.length} faults, ${missed} not found`);
  process.exitCode = missed === 0 ? 0 : 1;
}
