// The `command` runner: any program that reads a prompt and prints an answer is an agent. It starts one process per
// turn and posts the answer only after the program has ended well, so half an answer never reaches chat.
import { env as inheritedEnv } from 'node:process';
import type { TurnUsage } from '../../protocol/usage.ts';
import { type Clock, systemClock } from '../../runtime/clock.ts';
import { type AgentLog, consoleLog } from '../agent-deps.ts';
import { spoken } from '../rules.ts';
import type { Turn } from '../turn.ts';
import { childEnv, type Env, type ChildEnd, type ChildLimits, runChild, type Spawn } from './child.ts';
import { errorIn } from './error-text.ts';
import type { Output } from './output.ts';
import { errorLine } from './redacted.ts';
import type { RunnerCapabilities, Runner } from './runner.ts';

export { interruptsOf, type RunnerCapabilities } from './runner.ts';
export type { Runner } from './runner.ts';
export { type PresetOptions, presetProgram } from './preset-program.ts';
export { PRESETS, PRESET_NAMES, type PresetName } from './presets/presets.ts';
export { type SessionMemory, sessionFile } from './session-memory.ts';

export const COMMAND_CAPABILITIES = {
  wake: true,
  steer: false,
  cancel: true,
  ack: true,
  tools: false,
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
  /** How the program is called and read. Default: `args` as they are, and what it prints is the answer. */
  program?: Program;
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

/** The turn has failed. The host delivers its events again, with growing pauses, for ten minutes. */
export class CommandFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandFailed';
  }
}

export function commandRunner(options: CommandOptions): Runner {
  const { command, args = [], timeoutMs, clock = systemClock, env, cwd, spawn, log = consoleLog } = options;
  const limits: ChildLimits = { ...COMMAND_LIMITS, ...options.limits };
  const program = options.program ?? plainProgram(args);
  const closing = new AbortController();
  const killing = new AbortController();
  const running = new Set<Promise<ChildEnd>>();
  const runOnce = async (turn: Turn, event: string | undefined): Promise<CommandOutcome> => {
    const call = program.call(turn);
    const run = runChild({
      command,
      args: call.args,
      env: childEnv(env ?? inheritedEnv, turn),
      cwd,
      input: call.input,
      timeoutMs,
      signal: AbortSignal.any([turn.signal, closing.signal]),
      killSignal: killing.signal,
      clock,
      limits: program.outputBytes === undefined ? limits : { ...limits, answerBytes: program.outputBytes },
      spawn,
      onErrorLine: (line) => log.info({ event, stderr: line }, `${command} on standard error`),
    });
    running.add(run);
    const end = await run.finally(() => running.delete(run));
    turn.signal.throwIfAborted();
    return call.read?.(end, limits.answerBytes) ?? outcomeOf(command, end, timeoutMs);
  };
  const handler = async (turn: Turn): Promise<void> => {
    const event = turn.events.at(-1)?.eventId;
    let outcome = await runOnce(turn, event);
    if (outcome.type === 'lost') {
      log.info({ event }, `${command} does not know its session any more; a new one is begun`);
      outcome = await runOnce(turn, event);
    }
    if (outcome.usage !== undefined) turn.usage(outcome.usage);
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

function plainProgram(args: readonly string[]): Program {
  return { call: ({ prompt }) => ({ args, input: prompt }) };
}

async function say(turn: Turn, text: string, log: AgentLog): Promise<void> {
  const event = turn.events.at(-1)?.eventId;
  const { ok, text: told } = await turn.reply(text);
  if (ok) log.info({ event, chars: text.length }, 'answered');
  else if (!turn.signal.aborted) log.warn({ event }, `the host did not take the answer: ${told}`);
}

/** How a program is called for one turn, and how what it printed is read. */
export interface Program {
  call(turn: Turn): ProgramCall;
  /** How much it may print. Default: as much as an answer may have. */
  outputBytes?: number;
}

export interface ProgramCall {
  args: readonly string[];
  input: string;
  /** Undefined where the usual reading of the end counts. `answerBytes` is the limit of the answer. */
  read?(end: ChildEnd, answerBytes: number): CommandOutcome | undefined;
}

export type CommandOutcome = { usage?: TurnUsage | undefined } & (
  | { type: 'reply'; text: string }
  | { type: 'silence' }
  | { type: 'failed'; why: string }
  /** The session to go on with is gone. Run it again. */
  | { type: 'lost' }
);

/** From sysexits.h: a temporary failure, try again. */
const EX_TEMPFAIL = 75;

const NOT_STARTED: Readonly<Record<string, string>> = {
  ENOENT: 'was not found: is it installed, and on the PATH?',
  EACCES: 'is not executable',
};

/** Turns the end of a program into the outcome of its turn. */
export function outcomeOf(command: string, end: ChildEnd, timeoutMs: number): CommandOutcome {
  const failed = (why: string, line = ''): CommandOutcome => ({
    type: 'failed',
    why: `${command} ${why}${line === '' ? '' : `: ${errorLine(line)}`}`,
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
      if (end.code === EX_TEMPFAIL) return failed('asks to be tried again (exit code 75)', whyOf(end));
      return end.code === 0 ? answerOf(command, end.output) : failed(`exited with ${end.code}`, whyOf(end));
  }
}

/** Some programs say on standard output what is wrong: "Not logged in · Please run /login". */
function whyOf({ lastLine, output }: { lastLine: string; output: Output }): string {
  return lastLine === '' ? (output.text.trim().split('\n').at(-1) ?? '') : lastLine;
}

function answerOf(command: string, { text, totalBytes, leftOutBytes }: Output): CommandOutcome {
  const said = spoken(text);
  if (said === undefined) return { type: 'silence' };
  const error = errorIn(said);
  if (error !== undefined) return { type: 'failed', why: `${command} failed: ${error}` };
  const notice = `\n\n[cut: ${leftOutBytes} of ${totalBytes} bytes are left out]`;
  return { type: 'reply', text: leftOutBytes === 0 ? said : `${said}${notice}` };
}
