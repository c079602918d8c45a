// Chooses who answers in `earshot run`: one program per turn, a program that Earshot knows, a model, or an ACP agent. Only
// the chosen runner is loaded.
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AgentLog } from '../agent/index.ts';
import { modelByName, modelFromEnv, ModelNameError } from '../agent/runners/models.ts';
import { PRESET_NAMES, PRESETS } from '../agent/runners/presets/presets.ts';
import type { Runner } from '../agent/runners/runner.ts';
import { type SessionMemory, sessionFile } from '../agent/runners/session-memory.ts';
import { unaskedBy } from '../agent/runners/unasked.ts';
import { parseIdentity } from '../protocol/identity.ts';
import { oneOfFlag } from './args.ts';
import type { HostWay } from './host-way.ts';
import { CommandError } from './io.ts';
import { permissionServer } from './run-permission.ts';
import { mustExist } from './run-program.ts';

export interface RunFlags {
  with?: string;
  model?: string;
  mode?: string;
  instructions?: string;
  acp?: boolean;
  cwd?: string;
  approver?: string[];
  'no-tools'?: boolean;
}

/** What a runner needs of the agent it answers for. */
export interface RunnerPlace {
  agent: string;
  way: HostWay;
  log: AgentLog;
}

/** The chosen runner, checked as far as possible before anything connects. */
export interface Chosen {
  /** Its name for people: `claude`, `anthropic/claude-sonnet-5-5`. */
  label: string;
  /** What it does without asking anybody, if it does. */
  unasked?: string | undefined;
  /** Whether it has the chat tools, so that it can claim offers by itself. */
  claims: boolean;
  /** How long a turn may take. */
  turnMs: number;
  start(place: RunnerPlace): Promise<Runner>;
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
  if (flags.with !== undefined) return known(flags, program ?? [], timeoutMs);
  const fromEnv = program === undefined ? env['EARSHOT_MODEL'] || undefined : undefined;
  const name = flags.acp === true ? undefined : (flags.model ?? fromEnv);
  if (name !== undefined) {
    onlyFor(flags, ['mode', 'cwd', 'approver', 'no-tools'], 'a program: a model has none');
    return model(name, flags, program, timeoutMs);
  }
  if (flags.instructions !== undefined)
    throw usage('--instructions are for a model: drop it, or name a model with --model');
  if (program === undefined) throw usage(programMissing());
  const [command = '', ...args] = program;
  if (command === '') throw usage('name the program after "--"');
  mustExist(command);
  const cwd = folderOf(flags.cwd);
  const unasked = unaskedBy(command, args);
  if (flags.acp === true) return acp(command, args, flags, { cwd, timeoutMs, unasked });
  onlyFor(flags, ['mode'], 'an ACP agent (--acp) or a known program (--with)');
  onlyFor(
    flags,
    ['approver', 'no-tools'],
    'an ACP agent (--acp): a program that is started once a turn cannot ask',
  );
  return {
    label: command,
    unasked,
    claims: false,
    turnMs: timeoutMs + REPLY_MS,
    async start({ log }) {
      const { commandRunner } = await import('../agent/runners/command.ts');
      return commandRunner({ command, args, timeoutMs, log, env, cwd });
    },
  };
}

interface ProgramPlace {
  cwd: string;
  timeoutMs: number;
  unasked: string | undefined;
}

function acp(
  command: string,
  args: readonly string[],
  flags: RunFlags,
  { cwd, timeoutMs, unasked }: ProgramPlace,
): Chosen {
  const { mode, model: modelName } = flags;
  const approvers = (flags.approver ?? []).map(personOf);
  return {
    label: `${command} (ACP)`,
    unasked,
    claims: false,
    turnMs: timeoutMs,
    async start(place) {
      const { acpRunner } = await import('../agent/runners/acp.ts');
      const { way, log } = place;
      return acpRunner({
        command,
        args,
        env: process.env,
        cwd,
        log,
        approvers,
        mode,
        model: modelName,
        memory: memoryOf(place, [command, ...args].join(' '), cwd),
        tools: flags['no-tools'] === true ? undefined : { url: () => toolsUrl(way.url()), token: way.token },
      });
    },
  };
}

/** A program with a preset. What stands after "--" goes to it as further arguments. */
function known(flags: RunFlags, extra: readonly string[], timeoutMs: number): Chosen {
  const name = oneOfFlag('with', flags.with, PRESET_NAMES);
  if (name === undefined) throw usage(`--with: name a program: ${PRESET_NAMES.join(', ')}`);
  if (flags.acp === true) throw usage('a known program or an ACP agent, not both: drop --with or --acp');
  if (flags.instructions !== undefined)
    throw usage('--instructions are for a model: drop it, or name a model with --model');
  const preset = PRESETS[name];
  if (preset.asks !== true)
    onlyFor(flags, ['approver'], `an ACP agent (--acp) or claude: ${name}, started once a turn, cannot ask`);
  onlyFor(flags, ['no-tools'], 'an ACP agent (--acp)');
  const [approver, ...others] = (flags.approver ?? []).map(personOf);
  if (others.length > 0) throw usage(`--approver: ${name} asks one person: name one`);
  const { mode, model: modelName } = flags;
  if (mode !== undefined && preset.mode === undefined) throw usage(`${name} has no --mode: drop it`);
  mustExist(preset.command, preset.install);
  const cwd = folderOf(flags.cwd);
  const given = [...(mode === undefined ? [] : [mode]), ...extra];
  return {
    label: name,
    unasked: preset.unasked ?? unaskedBy(preset.command, given),
    claims: false,
    turnMs: timeoutMs + REPLY_MS,
    async start(place) {
      const { commandRunner, presetProgram } = await import('../agent/runners/command.ts');
      const memory = memoryOf(place, name, cwd);
      const permission = preset.asks === true ? permissionServer(place, name, approver) : undefined;
      const program = presetProgram({ preset, cwd, model: modelName, mode, extra, memory, permission });
      return commandRunner({
        command: preset.command,
        program,
        timeoutMs,
        log: place.log,
        env: process.env,
        cwd,
      });
    },
  };
}

/** Sessions are kept in the data folder, by agent, so that a restart goes on with them. */
function memoryOf({ agent, way, log }: RunnerPlace, program: string, cwd: string): SessionMemory {
  const file = join(way.dataDir, 'runners', `${agent}.json`);
  return sessionFile({ file, program, cwd, onProblem: (problem) => log.warn({}, problem) });
}

/** The chat tools of the host that the WebSocket leads to. The turns are ours: `for=turn` leaves out what takes events. */
function toolsUrl(socket: string): string {
  const url = new URL(socket);
  url.protocol = url.protocol.replace('ws', 'http');
  url.pathname = url.pathname.replace(/\/c2a\/?$/, '/mcp');
  url.searchParams.set('for', 'turn');
  return url.href;
}

function personOf(text: string): string {
  const person = parseIdentity(text.includes(':') ? text : `human:${text}`);
  if (person?.kind !== 'human')
    throw usage(`--approver: "${text}" is no person; write for example human:U1, as "earshot tail" shows it`);
  return `human:${person.id}`;
}

function folderOf(given: string | undefined): string {
  const folder = resolve(given ?? '.');
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new CommandError(1, `run: --cwd ${given} is no folder: is the path right?`);
}

function onlyFor(flags: RunFlags, names: readonly (keyof RunFlags)[], whom: string): void {
  const wrong = names.find((name) => flags[name] !== undefined);
  if (wrong !== undefined) throw usage(`--${wrong} is for ${whom}: drop it`);
}

export function programMissing(): string {
  const name = modelFromEnv(process.env) ?? 'NAME';
  return `put the program after "--", such as: earshot run --agent lead -- claude -p; or name a model: --model ${name}`;
}

async function model(
  name: string,
  { instructions: file }: RunFlags,
  program: readonly string[] | undefined,
  turnMs: number,
): Promise<Chosen> {
  if (program !== undefined)
    throw usage('a model or a program, not both: drop --model, or "--" and all after it');
  const instructions = file === undefined ? undefined : textOf(file);
  try {
    const found = await modelByName(name, process.env);
    return {
      label: name,
      claims: true,
      turnMs,
      async start({ log }) {
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
