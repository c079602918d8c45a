// Turns flags and answers into a plan. Without a terminal nothing is asked. A flag answers its question beforehand.
// Questions go to standard error, so that standard output holds only the result.
import { CommandError, type Io } from './io.ts';
import {
  agentsQuestion,
  type Given,
  leadQuestion,
  type Plan,
  type Question,
  runQuestion,
  sourceQuestion,
} from './init-plan.ts';
import { numberedLines } from './lines.ts';

/** After this many wrong answers there is probably no person at the keyboard. */
const TRIES = 5;

export async function makePlan(given: Given, io: Io | undefined): Promise<Plan> {
  const lines = io === undefined ? undefined : numberedLines(io.stdin);
  const answer = async <T>(question: Question<T>): Promise<T> => {
    const told = given[question.flag];
    if (told !== undefined) return fromFlag(question, told);
    return io === undefined || lines === undefined
      ? fromFlag(question, question.preset)
      : ask(question, io, lines);
  };
  try {
    const agents = await answer(agentsQuestion());
    const leads = leadQuestion(agents);
    const lead = agents.length > 1 || given.lead !== undefined ? await answer(leads) : undefined;
    const run = await answer(runQuestion(agents));
    const source = await answer(sourceQuestion());
    return { agents, lead, run, source };
  } finally {
    await lines?.return(undefined);
  }
}

/** Whether somebody is there to answer. */
export function isTerminal(stream: object): boolean {
  return 'isTTY' in stream && stream.isTTY === true;
}

function fromFlag<T>({ flag, read }: Question<T>, text: string): T {
  const answer = read(text.trim());
  if (answer.ok) return answer.value;
  throw new CommandError(2, `--${flag}: ${answer.problem}`);
}

async function ask<T>(
  { words, preset, read }: Question<T>,
  io: Io,
  lines: ReturnType<typeof numberedLines>,
): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    io.err(`${words} ${io.paint('dim', `[${preset}]`)}: `);
    const line = await lines.next();
    if (line.done === true) {
      io.err('\n');
      throw new CommandError(1, 'there was no answer, so nothing was written (--yes takes the defaults)');
    }
    const text = line.value.text?.trim() ?? '';
    const answer = read(text === '' ? preset : text);
    if (answer.ok) return answer.value;
    io.err(`  ${answer.problem}\n`);
  }
  throw new CommandError(
    1,
    `no right answer in ${TRIES} tries, so nothing was written (see: earshot init --help)`,
  );
}
