// Plays seeds with a planted fault until the oracle finds something, for at most so many seconds of CPU. Prints one line
// of JSON. Started by run-planted.ts, with plant.ts loaded first.
import { drawPlan } from '../plan.ts';
import { runPlan } from '../run.ts';

const limitSeconds = Number(process.argv[3] ?? 60);
const first = Number(process.argv[4] ?? 1);
const started = process.cpuUsage();
const cpu = (): number => {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1e6;
};
let found: { seed: number; finding: string } | undefined;
for (let seed = first; found === undefined && cpu() < limitSeconds; seed++) {
  const { findings } = await runPlan(drawPlan(seed));
  const [finding] = findings;
  if (finding !== undefined) found = { seed, finding: finding.split('\n')[0] ?? '' };
}
console.log(JSON.stringify({ cpuSeconds: Math.round(cpu() * 10) / 10, ...found }));
process.exit(0);
