// A real `earshot up` as a child process, and the other commands beside it, for tests that are about the process:
// signals, exit codes, what it prints. Starts, ends and conditions are waited for. `upHere` is the quick one.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve as absolute } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as rest } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export const MAIN = absolute('src/cli/main.ts');
export const HARNESS = absolute('docs/examples/harness.mjs');

export function folder(): string {
  return mkdtempSync(join(tmpdir(), 'earshot-server-'));
}

export interface Tokens {
  url: string;
  operator: string;
  surfaces: Record<string, string>;
  agents: Record<string, string>;
  people: Record<string, string>;
}

/** A host that listens, whatever it runs in. */
export abstract class Listening {
  readonly data: string;
  readonly url: string;

  constructor(data: string, url: string) {
    this.data = data;
    this.url = url;
  }

  /** Stops it in order; resolves with its exit code. */
  abstract stop(): Promise<number>;

  get tokens(): Tokens {
    return JSON.parse(readFileSync(join(this.data, 'tokens.json'), 'utf8')) as Tokens;
  }

  async call(method: string, path: string, token?: string, body?: unknown) {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }

  post(event: unknown) {
    return this.call('POST', '/v1/events', this.tokens.surfaces['dev'], event);
  }
}

/** A host in a process of its own. */
export class Up extends Listening {
  readonly child: ChildProcess;
  readonly line: { url: string; busyPort: number | null; pid: number; agents: string[] };
  readonly exit: Promise<number>;
  readonly err: () => string;

  constructor(child: ChildProcess, data: string, line: Up['line'], exit: Promise<number>, err: () => string) {
    super(data, line.url);
    this.child = child;
    this.line = line;
    this.exit = exit;
    this.err = err;
  }

  override async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number> {
    this.child.kill(signal);
    return this.exit;
  }
}

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** A command that ends by itself. */
export function run(argv: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...argv], {
    cwd,
    env: childEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran = collect(child);
  return ended(child).then((code) => ({ code, out: ran.out(), err: ran.err() }));
}

/** Resolves once it listens. Killed at the end of the test, whatever became of it. */
export async function up(
  options: {
    data?: string;
    argv?: readonly string[];
    env?: Record<string, string>;
    cwd?: string;
    /** The one of its configuration, instead of any free one. */
    port?: 'usual';
  } = {},
): Promise<Up> {
  const data = options.data ?? folder();
  const port = options.port === 'usual' ? [] : ['--port', '0'];
  const argv = ['up', '--json', '--no-demo', ...port, '--data', data, ...(options.argv ?? [])];
  const cwd = options.cwd ?? data;
  const child = spawn(process.execPath, [MAIN, ...argv], {
    cwd,
    env: childEnv(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = collect(child);
  const exit = ended(child);
  const first = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    void exit.then((code) => reject(new Error(`earshot up ended with ${code}: ${said.err()}`)));
  });
  return new Up(child, data, JSON.parse(await first) as Up['line'], exit, said.err);
}

/** The docs' harness, connected as this agent. */
export function harness(
  host: Listening,
  agent: string,
): { child: ChildProcess; out: () => string; said: (text: string) => Promise<void> } {
  const url = `${host.url.replace('http', 'ws')}/c2a`;
  const child = spawn(process.execPath, [HARNESS, url, host.tokens.agents[agent] ?? ''], {
    env: childEnv(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { out } = collect(child);
  const said = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => void (out().includes(text) && resolve());
      child.stdout?.on('data', look);
      look();
    });
  return { child, out, said };
}

const ASK_AGAIN_MS = 20;

/** Asks until the answer is one, with a pause after each question: the time belongs to whoever works on the answer. */
export async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await rest(ASK_AGAIN_MS);
  }
}

let count = 0;
export function message(text: string, more: Record<string, unknown> = {}) {
  return {
    eventId: `evt-${process.pid}-${++count}`,
    at: '2026-06-02T09:00:00Z',
    platform: 'dev',
    workspaceId: 'local',
    conversation: { id: 'general', kind: 'channel' },
    author: { id: 'ada', kind: 'human', displayName: 'Ada' },
    type: 'message',
    text,
    ...more,
  };
}

function collect(child: ChildProcess): { out: () => string; err: () => string } {
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  return { out: () => out, err: () => err };
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child
      .on('error', reject)
      .on('close', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : -1)));
  });
}

/** What a child gets to see of the environment: nothing of the developer's but the path. */
export function childEnv(env: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const cache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
  return { PATH, ...cache, NODE_NO_WARNINGS: '1', ...env };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
