// The `command` runner: any program that reads a prompt and prints an answer is an agent. It starts one process per
// turn and posts the answer only after the program has ended well, so half an answer never reaches chat.
import { env as inheritedEnv } from 'node:process';
import { type Clock, systemClock } from '../../runtime/clock.ts';
import { type AgentLog, consoleLog } from '../agent-deps.ts';
import { spoken } from '../rules.ts';
import type { Turn } from '../turn.ts';
import { childEnv, type Env, type ChildEnd, type ChildLimits, runChild, type Spawn } from './child.ts';
import type { Output } from './output.ts';
import type { RunnerCapabilities, Runner } from './runner.ts';

export { interruptsOf, type RunnerCapabilities } from './runner.ts';
export type { Runner } from './runner.ts';

export const COMMAND_CAPABILITIES = {
  wake: true,
  steer: false,
  cancel: true,
  ack: true,
} as const satisfies RunnerCapabilities;

export const COMMAND_LIMITS: ChildLimits = {
  answerBytes: 32_768,
  errors: { lines: 200, lineChars: 500 },
  killGraceMs: 2_000,
  drainMs: 1_000,
};

export interface CommandOptions {
  /** The program, looked up on the PATH. No shell: the arguments reach it as they are. */
  command: string;
  args?: readonly string[];
  /** How long one answer may take. */
  timeoutMs: number;
  clock?: Clock;
  /** The environment the program inherits, without Earshot's tokens. Default: our own. */
  env?: Env | undefined;
  cwd?: string | undefined;
  /** Replaces the system's spawn. Give the program its own process group, or its children are not stopped with it. */
  spawn?: Spawn | undefined;
  log?: AgentLog;
  limits?: Partial<ChildLimits>;
}

/** The turn has failed. The host delivers its events again, three times in all. */
export class CommandFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandFailed';
  }
}

export function commandRunner(options: CommandOptions): Runner {
  const { command, args = [], timeoutMs, clock = systemClock, env, cwd, spawn, log = consoleLog } = options;
  const limits: ChildLimits = { ...COMMAND_LIMITS, ...options.limits };
  const closing = new AbortController();
  const killing = new AbortController();
  const running = new Set<Promise<ChildEnd>>();
  const handler = async (turn: Turn): Promise<void> => {
    const event = turn.events.at(-1)?.eventId;
    const run = runChild({
      command,
      args,
      env: childEnv(env ?? inheritedEnv, turn),
      cwd,
      input: turn.prompt,
      timeoutMs,
      signal: AbortSignal.any([turn.signal, closing.signal]),
      killSignal: killing.signal,
      clock,
      limits,
      spawn,
      onErrorLine: (line) => log.info({ event, stderr: line }, `${command} on standard error`),
    });
    running.add(run);
    const end = await run.finally(() => running.delete(run));
    turn.signal.throwIfAborted();
    const outcome = outcomeOf(command, end, timeoutMs);
    if (outcome.type === 'failed') throw new CommandFailed(outcome.why);
    if (outcome.type === 'reply') await say(turn, outcome.text, log);
    else log.info({ event }, `${command} had nothing to say`);
  };
  return Object.assign(handler, {
    capabilities: COMMAND_CAPABILITIES,
    async close() {
      if (closing.signal.aborted) killing.abort();
      closing.abort();
      await Promise.all(running);
    },
  });
}

async function say(turn: Turn, text: string, log: AgentLog): Promise<void> {
  const event = turn.events.at(-1)?.eventId;
  const { ok, text: told } = await turn.reply(text);
  if (ok) log.info({ event, chars: text.length }, 'answered');
  else if (!turn.signal.aborted) log.warn({ event }, `the host did not take the answer: ${told}`);
}

export type CommandOutcome =
  | { type: 'reply'; text: string }
  | { type: 'silence' }
  | { type: 'failed'; why: string };

/** From sysexits.h: a temporary failure, try again. */
const EX_TEMPFAIL = 75;

const NOT_STARTED: Readonly<Record<string, string>> = {
  ENOENT: 'was not found: is it installed, and on the PATH?',
  EACCES: 'is not executable',
};

/** Turns the end of a program into the outcome of its turn. */
export function outcomeOf(command: string, end: ChildEnd, timeoutMs: number): CommandOutcome {
  const failed = (why: string, lastLine = ''): CommandOutcome => ({
    type: 'failed',
    why: `${command} ${why}${lastLine === '' ? '' : `: ${lastLine}`}`,
  });
  switch (end.type) {
    case 'not_started':
      return failed(NOT_STARTED[end.code] ?? `could not be started (${end.code})`);
    case 'timeout':
      return failed(`took longer than ${timeoutMs / 1_000} s and was stopped`);
    case 'cancelled':
      return failed('was stopped');
    case 'killed':
      return failed(`was ended by ${end.by}`, end.lastLine);
    case 'exited':
      if (end.code === EX_TEMPFAIL) return failed('asks to be tried again (exit code 75)', end.lastLine);
      return end.code === 0 ? answerOf(end.output) : failed(`exited with ${end.code}`, end.lastLine);
  }
}

function answerOf({ text, totalBytes, leftOutBytes }: Output): CommandOutcome {
  const said = spoken(text);
  if (said === undefined) return { type: 'silence' };
  const notice = `\n\n[cut: ${leftOutBytes} of ${totalBytes} bytes are left out]`;
  return { type: 'reply', text: leftOutBytes === 0 ? said : `${said}${notice}` };
}
