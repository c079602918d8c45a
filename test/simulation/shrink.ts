// Makes a failing plan smaller: leaves out faults and steps, in halves and then one by one, as long as the plan fails in
// the same way. What is left is the history that is printed.
import type { Plan } from './plan.ts';
import { type Outcome, runPlan } from './run.ts';

/** Runs that one shrinking may cost. */
const RUNS_MAX = 150;
/** And the time: a large world is not made small to the end. */
const TIME_MAX_MS = 20_000;

export interface Shrunk {
  plan: Plan;
  outcome: Outcome;
  runs: number;
}

export async function shrink(plan: Plan, outcome: Outcome): Promise<Shrunk> {
  const kinds = new Set(outcome.findings.map(kindOf));
  let best: Shrunk = { plan, outcome, runs: 0 };
  let runs = 0;
  const until = performance.now() + TIME_MAX_MS;
  const attempt = async (smaller: Plan): Promise<boolean> => {
    if (runs >= RUNS_MAX || performance.now() > until) return false;
    runs++;
    const tried = await runPlan(smaller);
    if (!tried.findings.some((finding) => kinds.has(kindOf(finding)))) return false;
    best = { plan: smaller, outcome: tried, runs };
    return true;
  };
  for (let before = -1; before !== sizeOf(best.plan); ) {
    before = sizeOf(best.plan);
    await leaveOut(
      (faults) => attempt({ ...best.plan, faults }),
      () => best.plan.faults,
    );
    await leaveOut(
      (steps) => attempt({ ...best.plan, steps }),
      () => best.plan.steps,
    );
  }
  return { ...best, runs };
}

async function leaveOut<T>(
  attempt: (rest: readonly T[]) => Promise<boolean>,
  current: () => readonly T[],
): Promise<void> {
  for (let size = current().length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < current().length; ) {
      const rest = current().filter((_, index) => index < from || index >= from + size);
      if (!(await attempt(rest))) from += size;
    }
  }
}

function sizeOf({ steps, faults }: Plan): number {
  return steps.length + faults.length;
}

/** The finding without its ids and numbers. */
export function kindOf(finding: string): string {
  const [line = ''] = finding.split('\n');
  return line.replace(/\b(?:s|w|q|e|out_|turn_|act_)?[\w/-]*\d[\w/:~-]*/g, '…').slice(0, 80);
}
