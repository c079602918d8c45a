// The host of the floods: `earshot up` as people run it, in a process of its own, with real tokens and the usual limits.
// Its memory is read from outside, so that asking does not disturb it; what is in use of it is asked between slices
// (flood-probe.ts). BENCH_PROF=folder writes a profile of each host there.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Probed } from './flood-probe.ts';
import { waitedMs } from './measure.ts';

export const AGENTS = ['good-0', 'good-1', 'good-2', 'good-3'];
export const BAD_AGENT = 'bad';
export const GOOD_SOURCE = 'bench';
export const BAD_SOURCE = 'flood';
const PROFILES = process.env['BENCH_PROF'];
const PROFILING =
  PROFILES === undefined ? [] : ['--cpu-prof', '--cpu-prof-interval=500', '--cpu-prof-dir', PROFILES];
const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

export interface FloodTokens {
  /** By agent. */
  agents: Record<string, string>;
  source: string;
  badSource: string;
  badOperator: string;
}

export class FloodHost {
  readonly url: string;
  readonly tokens: FloodTokens;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;

  constructor(child: ChildProcess, exited: Promise<void>, url: string, tokens: FloodTokens) {
    this.#child = child;
    this.#exited = exited;
    this.url = url;
    this.tokens = tokens;
  }

  static async start(folder: string, attachmentsUrl: string): Promise<FloodHost> {
    const config = join(folder, 'earshot.yaml');
    writeFileSync(config, JSON.stringify(settings(attachmentsUrl)));
    const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
    const probe = ['--import', new URL('./flood-probe.ts', import.meta.url).href];
    const up = ['up', '--json', '--no-demo', '--port', '0', '--data', folder, '--config', config];
    const argv = [...PROFILING, ...probe, main, ...up];
    const child = spawn(process.execPath, argv, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
    });
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout as Readable }).once('line', resolve);
      void exited.then(() => reject(new Error(`the host ended: ${said}`)));
    });
    const { url } = JSON.parse(line) as { url: string };
    return new FloodHost(child, exited, url, await tokensOf(folder, url));
  }

  get isUp(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  rssMb(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_024;
  }

  /** How long its main thread has waited for a processor since its start, in ms. */
  waitedMs(): number {
    return waitedMs(this.#child.pid ?? 0);
  }

  /** Stops the host for a moment. */
  probe(): Promise<Probed> {
    return new Promise((resolve, reject) => {
      if (!this.isUp) return resolve({ liveMb: Number.NaN, lagP99Ms: Number.NaN, busy: Number.NaN });
      this.#child.once('message', (message) => resolve(message as Probed));
      this.#child.send('probe', (error) => (error === null ? undefined : reject(error)));
    });
  }

  async kill(): Promise<void> {
    // A profile is written by a process that ends by itself.
    this.#child.kill(PROFILING.length === 0 ? 'SIGKILL' : 'SIGTERM');
    await this.#exited;
  }
}

function settings(attachmentsUrl: string): object {
  return {
    agents: [...AGENTS, BAD_AGENT].map((id) => ({ id })),
    host: {
      sources: [
        { id: GOOD_SOURCE, platform: GOOD_SOURCE, attachmentsUrl, secret: SECRET },
        { id: BAD_SOURCE, platform: BAD_SOURCE },
      ],
    },
  };
}

async function tokensOf(folder: string, url: string): Promise<FloodTokens> {
  const made = JSON.parse(readFileSync(join(folder, 'tokens.json'), 'utf8')) as {
    operator: string;
    agents: Record<string, string>;
  };
  const issue = async (kind: string, subject: string): Promise<string> => {
    const response = await fetch(`${url}/v1/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${made.operator}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind, subject, label: 'floods' }),
    });
    return ((await response.json()) as { token: string }).token;
  };
  return {
    agents: made.agents,
    source: await issue('surface', GOOD_SOURCE),
    badSource: await issue('surface', BAD_SOURCE),
    badOperator: await issue('operator', 'bad'),
  };
}
