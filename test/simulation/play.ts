// Plays seeds one after the other. One in fifty runs twice and must give the same trace.
import { drawPlan } from './plan.ts';
import { report } from './report.ts';
import { type Outcome, runPlan } from './run.ts';

export const TWICE_EVERY = 50;

export interface Played {
  done: number;
  failed: readonly number[];
  cpuSeconds: number;
}

export interface Playing {
  first: number;
  /** The last seed is before `first + count`. */
  count: number;
  /** Every how manieth seed: several processes share a range. */
  every?: number;
  /** By `performance.now()`. */
  until?: number;
  tell: (line: string) => void;
  /** After each seed. */
  onPlayed?(seed: number, outcome: Outcome): Promise<void> | void;
}

export async function playSeeds(playing: Playing): Promise<Played> {
  const { first, count, every = 1, until = Infinity, tell } = playing;
  const failed: number[] = [];
  let done = 0;
  for (let seed = first; seed < first + count && performance.now() < until; seed += every) {
    const plan = drawPlan(seed);
    const outcome = await runPlan(plan);
    done++;
    const findings = [...outcome.findings];
    if (seed % TWICE_EVERY === 0 && (await runPlan(plan)).digest !== outcome.digest)
      findings.push('two runs of this seed differ');
    await playing.onPlayed?.(seed, outcome);
    if (findings.length === 0) continue;
    failed.push(seed);
    tell(await report(plan, { ...outcome, findings }));
  }
  const { user, system } = process.cpuUsage();
  return { done, failed, cpuSeconds: (user + system) / 1e6 };
}
