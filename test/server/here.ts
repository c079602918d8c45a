// `earshot up` without the process: the same wiring, store and sockets, in the process of the test. A host of its own
// process takes a second to start, this one a few milliseconds. For every test that only talks to a host.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DEFAULT_CONFIG } from '../../src/cli/config.ts';
import { resolveConfig } from '../../src/cli/host-config.ts';
import { start, type Started } from '../../src/cli/start.ts';
import { type Demo, startDemo } from '../../src/demo/start.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { folder, Listening } from './up.ts';

export class Here extends Listening {
  readonly #started: Started;
  readonly #demo: Demo | undefined;
  readonly err: () => string;
  #stopped: Promise<void> | undefined;

  constructor(data: string, started: Started, demo: Demo | undefined, err: () => string) {
    super(data, started.url);
    this.#started = started;
    this.#demo = demo;
    this.err = err;
  }

  /** 0, as the process has it that drains in time. */
  override async stop(): Promise<number> {
    await (this.#stopped ??= this.#down());
    return 0;
  }

  async #down(): Promise<void> {
    await this.#demo?.close();
    await this.#started.stop();
  }
}

export interface HereOptions {
  data?: string;
  port?: number;
  /** The file; without it the one in the data folder, or the demo's. */
  config?: string;
  /** The database that it shares with others. */
  store?: string;
  /** Where its secrets are. */
  env?: Record<string, string>;
  /** Lets the demo's agents answer. */
  demo?: boolean;
}

/** Resolves once it listens. Stopped at the end of the test, whatever became of it. */
export async function upHere(options: HereOptions = {}): Promise<Here> {
  const { data = folder(), port = 0, demo = false } = options;
  const usual = join(data, DEFAULT_CONFIG);
  const file = options.config ?? (existsSync(usual) ? usual : undefined);
  const flags = { data, port: String(port), config: file, store: options.store };
  const config = await resolveConfig(flags, {});
  let said = '';
  const write = (line: string): void => void (said += line);
  const started = await start({
    config,
    flags,
    env: options.env ?? {},
    log: { write, level: 'info', pretty: false },
  });
  const tokens = started.tokens?.agents ?? {};
  const { url, log, isConnected } = started;
  const ports = { log, clock: systemClock, env: {}, isConnected };
  const playing = demo ? await startDemo({ url, tokens, ...ports }) : undefined;
  const here = new Here(data, started, playing, () => said);
  onTestFinished(async () => void (await here.stop()));
  return here;
}
