// Runs one program: starts it without a shell, feeds it, reads it and ends it. The program is over when this resolves,
// whatever happens. Stopping sends SIGTERM, then SIGKILL after a grace, to its whole process group.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { kill, platform } from 'node:process';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Turn } from '../turn.ts';
import { collect, collectTail, type LineBounds, type Output, readLogLines } from './output.ts';

export type Child = ChildProcessWithoutNullStreams;
export interface SpawnOptions {
  env: Record<string, string>;
  cwd: string | undefined;
}
export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => Child;

export interface ChildLimits {
  /** The limit of standard output. The rest is left out, and the answer says so. */
  answerBytes: number;
  /** The limits of standard error in the log. */
  errors: LineBounds;
  /** From SIGTERM to SIGKILL. Shorter than a cancelled turn is waited for, so that two programs never run at once. */
  killGraceMs: number;
  /** How long streams are read after the program has exited, if a leftover child process keeps them open. */
  drainMs: number;
}

export interface ChildOrder extends SpawnOptions {
  command: string;
  args: readonly string[];
  input: string;
  timeoutMs: number;
  /** Aborting stops the program. */
  signal: AbortSignal;
  /** Aborting this kills it without a grace. */
  killSignal: AbortSignal;
  clock: Clock;
  limits: ChildLimits;
  spawn?: Spawn | undefined;
  onErrorLine: (line: string) => void;
}

export type ChildEnd =
  | { type: 'exited'; code: number; output: Output; lastLine: string; errorTail: string }
  | { type: 'killed'; by: string; lastLine: string }
  | { type: 'timeout' }
  | { type: 'cancelled' }
  | { type: 'not_started'; code: string };

export async function runChild(order: ChildOrder): Promise<ChildEnd> {
  const { command, args, env, cwd, limits } = order;
  if (order.signal.aborted) return { type: 'cancelled' };
  let child: Child;
  try {
    child = (order.spawn ?? ownGroup)(command, args, { env, cwd });
  } catch (error) {
    return notStarted(error);
  }
  if (child.pid === undefined) {
    return new Promise((resolve) => {
      child.once('error', (error) => resolve(notStarted(error)));
    });
  }
  const output = collect(child.stdout, limits.answerBytes);
  const lastLine = readLogLines(child.stderr, limits.errors, order.onErrorLine);
  const errorTail = collectTail(child.stderr);
  // The program may exit without reading its input.
  child.stdin.on('error', () => undefined).end(order.input);
  const stopper = watch(child, order);
  const { code, signal } = await ended(child, order);
  const stopped = stopper.release();
  const last = lastLine();
  if (stopped !== undefined) return { type: stopped };
  return code === null
    ? { type: 'killed', by: signal ?? 'a signal', lastLine: last }
    : { type: 'exited', code, output: output(), lastLine: last, errorTail: errorTail() };
}

/** Gives the program its own process group, so that its children are stopped with it. */
export const ownGroup: Spawn = (command, args, { env, cwd }) =>
  spawn(command, args, { env, cwd, stdio: 'pipe', shell: false, windowsHide: true, detached: !ON_WINDOWS });

const ON_WINDOWS = platform === 'win32';

function notStarted(error: unknown): ChildEnd {
  if (!(error instanceof Error)) throw error;
  return { type: 'not_started', code: (error as NodeJS.ErrnoException).code ?? error.message };
}

interface Stopper {
  /** Called when the program has ended. Says why it was stopped, if it was, and kills what it left behind. */
  release(): 'timeout' | 'cancelled' | undefined;
}

function watch(child: Child, { clock, signal, killSignal, timeoutMs, limits }: ChildOrder): Stopper {
  let why: 'timeout' | 'cancelled' | undefined;
  let cancelKill: Cancel | undefined;
  const stop = (reason: 'timeout' | 'cancelled'): void => {
    if (why !== undefined) return;
    why = reason;
    signalAll(child, 'SIGTERM');
    cancelKill = clock.after(limits.killGraceMs, onKill);
  };
  const onAbort = (): void => stop('cancelled');
  const onKill = (): void => signalAll(child, 'SIGKILL');
  const cancelTimeout = clock.after(timeoutMs, () => stop('timeout'));
  signal.addEventListener('abort', onAbort, { once: true });
  killSignal.addEventListener('abort', onKill, { once: true });
  return {
    release() {
      signal.removeEventListener('abort', onAbort);
      killSignal.removeEventListener('abort', onKill);
      cancelTimeout();
      cancelKill?.();
      if (why !== undefined) onKill();
      return why;
    },
  };
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Resolves when the program has ended and all its output was read. */
export function ended(
  child: Child,
  { clock, limits }: { clock: Clock; limits: Pick<ChildLimits, 'drainMs'> },
): Promise<Exit> {
  return new Promise((resolve) => {
    let cancelDrain: Cancel | undefined;
    child.on('error', () => undefined); // a signal that could not be sent; we go on waiting for the exit
    child.once('exit', (code, signal) => {
      cancelDrain = clock.after(limits.drainMs, () => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve({ code, signal });
      });
    });
    child.once('close', (code, signal) => {
      cancelDrain?.();
      resolve({ code, signal });
    });
  });
}

/** Signals the whole group, or the program alone if there is no group. */
export function signalAll(child: Child, name: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (ON_WINDOWS) child.kill(name);
    else kill(-child.pid, name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
    child.kill(name);
  }
}

export type Env = Readonly<Record<string, string | undefined>>;

const TOKEN_NAME = /^EARSHOT_\w*(?:TOKEN|SECRET|KEY)/i;
const TOKEN = /ear_[asop]_[\w-]{30}/;

/**
 * The environment of a program that answers for an agent: everything of ours and what the turn is about. It never
 * holds an Earshot token, because chat text reaches this program and could make it leak one.
 */
export function childEnv(
  inherited: Env,
  { agent, conversation, events }: Pick<Turn, 'agent' | 'conversation' | 'events'>,
): Record<string, string> {
  const env = agentEnv(inherited, agent);
  env['EARSHOT_CONVERSATION'] = printable(conversation.target);
  env['EARSHOT_EVENT_ID'] = printable(events.at(-1)?.eventId ?? '');
  return env;
}

/** The part that does not depend on a turn, for a program that lives longer than one. */
export function agentEnv(inherited: Env, agent: string): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && !TOKEN_NAME.test(name) && !TOKEN.test(value)) env[name] = value;
  }
  env['EARSHOT_AGENT'] = printable(agent);
  return env;
}

/** Ids come from platforms. A NUL in one would keep the program from starting. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '');
}
