// Shared by all benches: percentiles, the machine's own sync time, and a child process that reports when it is ready.
import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SqliteParts } from '../src/store/sqlite/sqlite-store.ts';

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function summary(samples: readonly number[]): { p50: number; p99: number; max: number } {
  const sorted = samples.toSorted((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), max: percentile(sorted, 1) };
}

export async function withFolder<R>(run: (folder: string) => Promise<R>): Promise<R> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Times appending and syncing one page, the way a WAL grows. */
export function syncTime(folder: string): { p50: number; p99: number; max: number } {
  const page = Buffer.alloc(4_096, 1);
  const handle = openSync(join(folder, 'sync-probe'), 'w');
  const times: number[] = [];
  try {
    for (let index = 0; index < 200; index++) {
      writeSync(handle, page);
      const started = performance.now();
      fdatasyncSync(handle);
      times.push(performance.now() - started);
    }
  } finally {
    closeSync(handle);
  }
  return summary(times);
}

/** The store's file operations with an extra delay for every sync, as on a slower disk. */
export function slowerSync(parts: SqliteParts, extraMs: number): SqliteParts {
  if (extraMs === 0) return parts;
  const { wal } = parts;
  const sync = async (): Promise<void> => {
    await wal.sync();
    await new Promise((resolve) => setTimeout(resolve, extraMs));
  };
  return { ...parts, wal: { sync, close: () => wal.close() } };
}

/** From the scheduler: the second figure is the time spent runnable and not running. 0 where it is not kept. */
export function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** CPU time of this thread so far. */
export function loopUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** CPU time of all threads of this process so far. */
export function processUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

export interface Ready {
  port: number;
  /** Measured from the start of the process. */
  readyMs: number;
  /** Measured from opening the store. */
  openMs: number;
}

/** A server in its own process. Client and server must not share a thread, or each would slow the other. */
export class Served {
  readonly ready: Ready;
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;

  constructor(child: ChildProcess, exited: Promise<void>, ready: Ready) {
    this.#child = child;
    this.#exited = exited;
    this.ready = ready;
    this.url = `ws://127.0.0.1:${ready.port}/c2a`;
  }

  static async start(script: string, options: object): Promise<Served> {
    const path = fileURLToPath(new URL(script, import.meta.url));
    const execArgv = process.env['BENCH_PROF'] === undefined ? [] : ['--cpu-prof', '--cpu-prof-interval=200'];
    const child = fork(path, [JSON.stringify(options)], { execArgv });
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
    });
    const ready = await new Promise<Ready>((resolve, reject) => {
      child.once('message', (message) => resolve(message as Ready));
      child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
    });
    return new Served(child, exited, ready);
  }

  /** One question at a time, because answers are matched by their order. */
  ask<R>(question: object): Promise<R> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error('the server is gone'));
      this.#child.once('exit', ended);
      this.#child.once('message', (message) => {
        this.#child.off('exit', ended);
        resolve(message as R);
      });
      this.#child.send(question);
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async stop(): Promise<void> {
    this.#child.send({ type: 'stop' });
    await this.#exited;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}

export const rounded = (value: number): string => Math.round(value).toLocaleString('en');

/** For an even number, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}
