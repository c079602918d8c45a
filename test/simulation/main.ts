// `npm run sim`: many small worlds, one seed each.
//
//   npm run sim -- --seeds 200              seeds 1 to 200
//   npm run sim -- --seed 4711              one seed, with what happened in it
//   npm run sim -- --minutes 5 --seed 1000  seeds from 1000 on, for so long
import { parseArgs } from 'node:util';
import { drawPlan } from './plan.ts';
import { report } from './report.ts';
import { runPlan } from './run.ts';
import { shrink } from './shrink.ts';

const TWICE_EVERY = 50;
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    trace: { type: 'boolean' },
    /** Only this seed, made small: its trace is printed. */
    small: { type: 'boolean' },
  },
});
const first = Number(values.seed ?? 1);
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
const count = Number(
  values.seeds ?? (minutes === undefined ? (values.seed === undefined ? 200 : 1) : Infinity),
);
const started = performance.now();
const until = minutes === undefined ? Infinity : started + minutes * 60_000;

let done = 0;
let failed = 0;
for (let seed = first; seed < first + count && performance.now() < until; seed++) {
  const plan = drawPlan(seed);
  const outcome = await runPlan(plan);
  done++;
  const findings = [...outcome.findings];
  if (seed % TWICE_EVERY === 0 && (await runPlan(plan)).digest !== outcome.digest)
    findings.push('two runs of this seed differ');
  if (values.trace === true) console.log(outcome.lines.join('\n'));
  if (findings.length === 0) continue;
  failed++;
  if (values.small === true) {
    const { outcome: least } = await shrink(plan, outcome);
    console.log(least.lines.join('\n'));
  }
  console.log(await report(plan, { ...outcome, findings }));
}
const seconds = (performance.now() - started) / 1_000;
const cpu = process.cpuUsage();
console.log(
  `${done} seeds, ${failed} failed, ${seconds.toFixed(1)} s, ${(done / seconds).toFixed(1)} seeds a second, ` +
    `${((cpu.user + cpu.system) / 1e6).toFixed(1)} s of CPU`,
);
process.exitCode = failed === 0 ? 0 : 1;
