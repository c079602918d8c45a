// Chooses who answers in `earshot run`: one program per turn, a model, or an ACP agent. Only the chosen runner is
// loaded.
import { readFileSync, accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { AgentLog } from '../agent/index.ts';
import { modelByName, modelFromEnv, ModelNameError } from '../agent/runners/models.ts';
import type { Runner } from '../agent/runners/runner.ts';
import { CommandError } from './io.ts';

export interface RunFlags {
  model?: string;
  instructions?: string;
  acp?: boolean;
}

/** The chosen runner, checked as far as possible before anything connects. */
export interface Chosen {
  /** Its name for people: `claude`, `anthropic/claude-sonnet-5-5`. */
  label: string;
  /** Whether it has the chat tools, so that it can claim offers by itself. */
  claims: boolean;
  /** How long a turn may take. */
  turnMs: number;
  start(log: AgentLog): Promise<Runner>;
}

/** Time for the host to take the answer after the program has ended in time. */
const REPLY_MS = 60_000;

/** `program` is what stands after "--", if anything. */
export async function chooseRunner(
  flags: RunFlags,
  program: readonly string[] | undefined,
  timeoutMs: number,
): Promise<Chosen> {
  const { env } = process;
  const name = flags.model ?? (program === undefined ? env['EARSHOT_MODEL'] || undefined : undefined);
  if (name !== undefined) return model(name, flags, program, timeoutMs);
  if (flags.instructions !== undefined)
    throw usage('--instructions are for a model: drop it, or name a model with --model');
  if (program === undefined) throw usage(programMissing());
  const [command = '', ...args] = program;
  if (command === '') throw usage('name the program after "--"');
  mustExist(command);
  if (flags.acp === true) {
    return {
      label: `${command} (ACP)`,
      claims: false,
      turnMs: timeoutMs,
      async start(log) {
        const { acpRunner } = await import('../agent/runners/acp.ts');
        return acpRunner({ command, args, env, log });
      },
    };
  }
  return {
    label: command,
    claims: false,
    turnMs: timeoutMs + REPLY_MS,
    async start(log) {
      const { commandRunner } = await import('../agent/runners/command.ts');
      return commandRunner({ command, args, timeoutMs, log, env });
    },
  };
}

export function programMissing(): string {
  const name = modelFromEnv(process.env) ?? 'NAME';
  return `put the program after "--", such as: earshot run --agent lead -- claude -p; or name a model: --model ${name}`;
}

async function model(
  name: string,
  { acp, instructions: file }: RunFlags,
  program: readonly string[] | undefined,
  turnMs: number,
): Promise<Chosen> {
  if (program !== undefined)
    throw usage('a model or a program, not both: drop --model, or "--" and all after it');
  if (acp === true) throw usage('a model or an ACP agent, not both: drop --model or --acp');
  const instructions = file === undefined ? undefined : textOf(file);
  try {
    const found = await modelByName(name, process.env);
    return {
      label: name,
      claims: true,
      turnMs,
      async start(log) {
        tellWarnings(log);
        const { aiSdkRunner } = await import('../agent/runners/ai-sdk.ts');
        return aiSdkRunner({ model: found, log, ...(instructions === undefined ? {} : { instructions }) });
      },
    };
  } catch (error) {
    if (error instanceof ModelNameError) throw usage(error.message);
    throw error;
  }
}

/** Sends the SDK's warnings about a model to our log, each once. */
function tellWarnings(log: AgentLog): void {
  const told = new Set<string>();
  globalThis.AI_SDK_LOG_WARNINGS = ({ warnings }) => {
    for (const warning of warnings) {
      const text =
        'message' in warning ? warning.message : `${warning.feature}: ${warning.details ?? warning.type}`;
      if (!told.has(text)) log.info({}, text);
      told.add(text);
    }
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(
      1,
      `run: --instructions ${file} cannot be read (${code ?? message}): is the path right?`,
      {
        cause: error,
      },
    );
  }
}

export function usage(problem: string): CommandError {
  return new CommandError(2, `run: ${problem} (see: earshot run --help)`);
}

/** Looks for the program before anything connects, so that a wrong name is reported now and not at the first turn. */
function mustExist(command: string): void {
  // Windows looks up names by other rules.
  if (process.platform === 'win32') return;
  const places = command.includes('/')
    ? [command]
    : (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command));
  const files = places.filter((place) => statSync(place, { throwIfNoEntry: false })?.isFile() === true);
  if (files.some(isExecutable)) return;
  if (files[0] !== undefined)
    throw new CommandError(1, `run: ${files[0]} is not executable; "chmod +x" makes it so`);
  const [first = '', ...rest] = command.split(' ');
  const hint =
    rest.length > 0
      ? `there is no shell: write -- ${command} without the quotes`
      : command.includes('/')
        ? 'is the path right?'
        : 'is it installed, and on the PATH?';
  throw new CommandError(1, `run: "${rest.length > 0 ? command : first}" was not found; ${hint}`);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
