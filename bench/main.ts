// `npm run bench`: measures every figure that has a budget and prints one table with the machine's own sync time. Each
// part also runs alone (`node bench/attend.ts`, floors.ts, pipeline.ts, stream.ts). --json prints one object. With --postgres
// it measures hosts on PostgreSQL instead (postgres/main.ts); --rounds=N takes another number of turns.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { importTimes, publishAgent } from '../scripts/published.ts';
import { median, withFolder } from './measure.ts';
import { measurePipeline, pipelineRows } from './pipeline.ts';
import { measureStream, streamRows } from './stream.ts';

interface Attend {
  runs: { agents: number; usPerDecision: number }[];
  conversationsRatio: number;
  historyRatio: number;
  stateBytes: number;
}

async function measureAttend(): Promise<Attend> {
  const script = fileURLToPath(new URL('./attend.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--json']);
  return JSON.parse(stdout) as Attend;
}

function attendRows({
  runs,
  conversationsRatio,
  historyRatio,
  stateBytes,
}: Attend): [string, string, string][] {
  return [
    ...runs.map(({ agents, usPerDecision }): [string, string, string] => [
      `attend with trace, ${agents} agents`,
      `${usPerDecision.toFixed(2)} µs a decision`,
      '≤ 5 µs',
    ]),
    ['  10,000 conversations : 10', conversationsRatio.toFixed(2), '≤ 1.3'],
    ['  1,000,000 events : 1,000', historyRatio.toFixed(2), '≤ 1.3'],
    ['  stored state', `${stateBytes} bytes`, '≤ 1,536 bytes'],
  ];
}

/** Measures the published form: compiled, and imported by name in separate processes. */
function measureImport(): Promise<number> {
  return withFolder(async (folder) => {
    await publishAgent(folder);
    return median(await importTimes(folder, IMPORTS));
  });
}

const IMPORTS = 9;

const started = performance.now();
if (process.argv.includes('--postgres')) {
  const { measurePostgres, printPostgres } = await import('./postgres/main.ts');
  const rounds = process.argv.find((word) => word.startsWith('--rounds='))?.split('=')[1];
  const measured = await measurePostgres(rounds === undefined ? undefined : Number(rounds));
  if (process.argv.includes('--json')) console.log(JSON.stringify(measured));
  else printPostgres(measured);
  process.exit(0);
}
const attend = await measureAttend();
const importMs = await measureImport();
const pipeline = await measurePipeline();
const stream = await measureStream();
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ kind: 'bench', attend, pipeline, importMs, stream }));
} else {
  const rows = [
    ...pipelineRows(pipeline),
    ...attendRows(attend),
    ...streamRows(stream),
    ['import "earshot/agent", compiled', `${importMs.toFixed(0)} ms`, '≤ 60 ms'],
  ];
  for (const [what = '', got = '', budget = ''] of rows) {
    console.log(`${what.padEnd(42)}${got.padEnd(34)}${budget}`);
  }
  console.log(
    `in ${Math.round((performance.now() - started) / 1_000)} s; ratios are of neighbours in this run`,
  );
}
