// Small programs in a temporary folder, and a `command` runner that starts them for an agent of a real host in memory.
// Programs run in real time and the host under a virtual clock: a test waits for what a program does, then lets time pass.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentLog } from '../../src/agent/index.ts';
import { type CommandOptions, commandRunner } from '../../src/agent/runners/command.ts';
import { interruptsOf, type Runner } from '../../src/agent/runners/runner.ts';
import type { World } from '../agent/harness.ts';

/** What every program has: all of its input, its folder, and which run of it this is. */
const PRELUDE = `import { appendFileSync, readFileSync } from 'node:fs';
const prompt = readFileSync(0, 'utf8');
const here = import.meta.dirname;
appendFileSync(here + '/runs', '.');
const nth = readFileSync(here + '/runs', 'utf8').length;
`;

export function program(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-runner-'));
  const file = join(folder, 'program.mjs');
  writeFileSync(file, `${PRELUDE}${code}\n`);
  return file;
}

export interface Exit {
  code: number | null;
  signal: string | null;
}

export interface Ran {
  runner: Runner;
  children: ChildProcessWithoutNullStreams[];
  /** `start 1`, `exit 1`, … in the order they happened. */
  order: string[];
  /** What went to the log, `level message`. */
  log: string[];
  /** Resolves when the log has this text. */
  logged: (text: string) => Promise<void>;
  /** The nth process has ended and all it wrote was read. */
  exit: (nth: number) => Promise<Exit>;
  /** Lets time pass until nothing runs and nothing is started any more. */
  quiet: () => Promise<void>;
}

/** `lead` of this world, answered for by a program. */
export function runIn(world: World, code: string, more: Partial<CommandOptions> = {}): Ran {
  const children: ChildProcessWithoutNullStreams[] = [];
  const exits: Promise<Exit>[] = [];
  const order: string[] = [];
  const lines: string[] = [];
  let waiting: { text: string; resolve: () => void }[] = [];
  const log = logInto((line) => {
    lines.push(line);
    for (const { text, resolve } of waiting) if (line.includes(text)) resolve();
    waiting = waiting.filter(({ text }) => !line.includes(text));
  });
  const runner = commandRunner({
    command: process.execPath,
    args: [program(code)],
    timeoutMs: 300_000,
    clock: world.clock,
    log,
    spawn(command, args, { env, cwd }) {
      const child = spawn(command, args, { env, cwd, detached: true });
      const nth = children.push(child);
      order.push(`start ${nth}`);
      child.on('exit', () => order.push(`exit ${nth}`));
      exits.push(
        new Promise((resolve) => {
          child.on('close', (exit, signal) => resolve({ code: exit, signal }));
        }),
      );
      return child;
    },
    ...more,
  });
  world.agent('lead', { log, offers: 'take', interrupts: interruptsOf(runner.capabilities) }).onTurn(runner);
  return {
    runner,
    children,
    order,
    log: lines,
    logged: (text) =>
      new Promise((resolve) => {
        if (lines.some((line) => line.includes(text))) resolve();
        else waiting.push({ text, resolve });
      }),
    exit(nth) {
      const exit = exits[nth - 1];
      if (exit === undefined) throw new Error(`no process ${nth} was started, only ${exits.length}`);
      return exit;
    },
    async quiet() {
      for (let before = -1; before !== children.length; ) {
        before = children.length;
        await Promise.all(exits);
        await world.pass(20_000);
      }
    },
  };
}

function logInto(keep: (line: string) => void): AgentLog {
  const at =
    (level: string): AgentLog['info'] =>
    (fields, message) => {
      const { err, stderr } = fields;
      const detail = err instanceof Error ? err.message : typeof stderr === 'string' ? stderr : '';
      keep(`${level} ${message}${detail === '' ? '' : `: ${detail}`}`);
    };
  return { debug() {}, info: at('info'), warn: at('warn'), error: at('error') };
}
