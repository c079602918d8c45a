// What is printed about a seed that failed: the seed, what was found, and the smallest plan that still fails.
import type { Plan, Step } from './plan.ts';
import { textOf } from './people.ts';
import type { Outcome } from './run.ts';
import { shrink } from './shrink.ts';

const FINDINGS_SHOWN = 8;

export async function report(plan: Plan, outcome: Outcome): Promise<string> {
  const found = outcome.findings.slice(0, FINDINGS_SHOWN).map((line) => `  ${line}`);
  const small = await shrink(plan, outcome);
  const left = small.outcome.findings.slice(0, FINDINGS_SHOWN).map((line) => `  ${line}`);
  const cut = `  of ${plan.steps.length} steps and ${plan.faults.length} faults these still fail (${small.runs} runs):`;
  return [`seed ${plan.seed} failed`, ...found, cut, ...describe(small.plan), ...left].join('\n');
}

export function describe({ cast, steps, faults }: Plan): string[] {
  return [
    `  cast: ${cast.agents.join()} with ${cast.people.join()} in ${cast.rooms.map(({ id }) => id).join()}` +
      `${cast.pulls ? ', desk pulls' : ''}${cast.asksPeople ? ', refunds wait' : ''}`,
    ...faults.map((fault) => `  fault: ${JSON.stringify(fault)}`),
    ...steps.map((step) => `  ${step.at} ms: ${wordsOf(step)}`),
  ];
}

function wordsOf(step: Step): string {
  if (step.type !== 'say') return JSON.stringify(step);
  const { by, room, thread, replyTo, owed } = step;
  const where = thread === undefined ? room : `thread on w${thread}`;
  const reply = replyTo === undefined ? '' : ` in reply to w${replyTo}`;
  return `${by} in ${where}${reply}${owed === true ? ', owed' : ''}: ${textOf(step).slice(0, 60)}`;
}
