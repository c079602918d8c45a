// `npm run sim`: many small worlds, one seed each.
//
//   npm run sim -- --seeds 200              seeds 1 to 200
//   npm run sim -- --seed 4711              one seed; `--trace` prints what happened in it
//   npm run sim -- --minutes 5 --seed 1000  seeds from 1000 on, for so long
//   npm run sim -- --seeds 9000 --jobs 4    in four processes
import { parseArgs } from 'node:util';
import { PLAYED, playInJobs, SO_FAR } from './jobs.ts';
import { drawPlan } from './plan.ts';
import { type Played, playSeeds } from './play.ts';
import { shrink } from './shrink.ts';

const PROGRESS_EVERY = 500;
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    jobs: { type: 'string' },
    /** Of a process that plays for another: every how manieth seed. */
    every: { type: 'string' },
    trace: { type: 'boolean' },
    /** The trace of a failing seed, made small. */
    small: { type: 'boolean' },
  },
});
const first = Number(values.seed ?? 1);
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
const count = Number(
  values.seeds ?? (minutes === undefined ? (values.seed === undefined ? 200 : 1) : 1_000_000_000),
);
const jobs = Number(values.jobs ?? 1);
const started = performance.now();
const tell = (line: string): void => console.log(line);
const isPart = values.every !== undefined;

const played = jobs > 1 ? await playInJobs({ first, count, jobs, minutes, tell }) : await playHere();
if (isPart) console.log(`${PLAYED}${JSON.stringify(played)}`);
else {
  const { done, failed, cpuSeconds } = played;
  const seconds = (performance.now() - started) / 1_000;
  const which = failed.length === 0 ? '' : ` (${failed.join()})`;
  console.log(
    `${done} seeds, ${failed.length} failed${which}, ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU, ` +
      `${(done / cpuSeconds).toFixed(1)} seeds a second of CPU`,
  );
}
process.exitCode = played.failed.length === 0 ? 0 : 1;

function playHere(): Promise<Played> {
  let done = 0;
  return playSeeds({
    first,
    count,
    every: Number(values.every ?? 1),
    until: minutes === undefined ? Infinity : started + minutes * 60_000,
    tell,
    async onPlayed(seed, outcome) {
      done++;
      if (done % PROGRESS_EVERY === 0) console.log(isPart ? `${SO_FAR}${done}` : `${done} seeds so far`);
      if (values.trace === true) console.log(outcome.lines.join('\n'));
      if (values.small !== true || outcome.findings.length === 0) return;
      const { outcome: least } = await shrink(drawPlan(seed), outcome);
      console.log(least.lines.join('\n'));
    },
  });
}
