// `earshot up`: runs the host until it is told to stop. The first signal drains it, for a limited time; the second ends
// it at once. Exit codes: 0 stopped in order, 1 could not start or did not finish draining, 3 the store failed, 128 + n
// ended by signal n.
import { systemClock } from '../runtime/clock.ts';
import { LOG_LEVELS } from '../runtime/log.ts';
import { type Command, oneOfFlag, parseFlags } from './args.ts';
import { banner } from './banner.ts';
import type { Demo } from '../demo/start.ts';
import { DEMO_AGENTS } from './demo-config.ts';
import { resolveConfig } from './host-config.ts';
import { CommandError, type Io } from './io.ts';
import type { Started } from './start.ts';
import { shownAddress } from './store-address.ts';

const HELP = `Usage: earshot up [--config FILE] [--host ADDRESS] [--port N] [--data DIR] [--store URL] [--log LEVEL] [--demo] [--json]

Runs the host: sources post events, harnesses connect, everything is stored in one SQLite file, or in PostgreSQL. On the first start it
makes development tokens and writes them to DIR/tokens.json, where the other commands find them. Without a config file a
demo runs, with three scripted agents that answer. With a model in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY,
OPENAI_BASE_URL or EARSHOT_MODEL) that model plays the lead.

  --config FILE   agents, rules and host settings; ./earshot.yaml when it is there    (EARSHOT_CONFIG)
  --host ADDRESS  where to listen; 127.0.0.1. Wider only once there are tokens         (EARSHOT_HOST)
  --port N        7575, or the next free one. 0: any free one                          (EARSHOT_PORT)
  --data DIR      where the data is kept; ./.earshot                                   (EARSHOT_DATA)
  --store URL     a PostgreSQL database instead of a file: postgres://USER@HOST/DATABASE, which several hosts may share.
                  A password is better in EARSHOT_STORE: others see the flags of a process        (EARSHOT_STORE)
  --log LEVEL     debug, info, warn or error; warn on a terminal, else info. Logs go to standard error, as JSON lines
  --demo          lets the demo's agents answer for those of a config file that are called lead, builder or reviewer
  --no-demo       the demo without its agents
  --json          the banner as one JSON line
  -h, --help      this text

The file is watched: a valid change counts at once, another one is refused and said. SIGHUP and "earshot reload" look at
it too. A flag counts before the environment, that before the file. SIGTERM or Ctrl-C drains: what is under way is finished,
for at most ten seconds. A second one ends it at once; nothing that was acknowledged is lost either way. When the disk
fails or a file of the store is gone, it ends with exit code 3, so that a supervisor starts it again.

Example:
  earshot up --port 7575 --data ./.earshot
`;

const OPTIONS = {
  config: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  store: { type: 'string' },
  log: { type: 'string' },
  demo: { type: 'boolean' },
  'no-demo': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const upCommand: Command = { help: HELP, run };

/** Longer than any send waits for its platform, shorter than what supervisors allow. */
const DRAIN_MS = 10_000;

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseFlags('up', argv, OPTIONS, 0);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const onTerminal = process.stderr.isTTY;
  const level = oneOfFlag('log', values.log, LOG_LEVELS) ?? (onTerminal ? 'warn' : 'info');
  const signals = catchSignals();
  const config = await resolveConfig(values, process.env);
  const agents = config.attention.agents.map(({ id }) => id);
  const withDemo = playsDemo(values, config.file, agents);
  const { start } = await import('./start.ts');
  const started = await start({
    config,
    flags: values,
    env: process.env,
    log: { write: (line) => io.err(line), level, pretty: onTerminal },
  });
  process.on('SIGHUP', () => void started.reload('SIGHUP'));
  const demo = withDemo ? await demoOf(started, agents) : undefined;
  const { url, tokens, busyPort } = started;
  const { dataDir } = config.host;
  const store = config.store === undefined ? undefined : shownAddress(config.store);
  const facts = {
    url,
    dataDir,
    store,
    configFile: config.file,
    attention: config.attention,
    tokens,
    busyPort,
    demo,
    commands: commandsHere(values, process.env),
  };
  const line = {
    url,
    dataDir,
    store: store ?? null,
    config: config.file ?? null,
    agents,
    demo: demo === undefined ? null : { agents: demo.agents, model: demo.model ?? null },
    busyPort: busyPort ?? null,
    pid: process.pid,
  };
  await io.out(values.json === true ? `${JSON.stringify(line)}\n` : banner(facts, io.paint));
  await io.flush();
  const ending = await Promise.race([signals.first, started.broken]);
  if (ending instanceof Error) return endBroken(ending, io);
  started.log.info({ signal: ending }, 'draining');
  // Everything is closed. A leftover timer must not keep the process alive.
  return process.exit(await drain(started, demo));
}

/** Under npm the command is found through npx. What names the folder here has to name it there, too. */
function commandsHere(
  flags: { data?: string; config?: string },
  env: Readonly<Record<string, string | undefined>>,
): { name: string; flags: string } {
  const name = env['npm_command'] === undefined ? 'earshot' : 'npx earshot';
  const data = flags.data ?? env['EARSHOT_DATA'];
  if (data !== undefined && data !== '') return { name, flags: ` --data ${quoted(data)}` };
  const config = flags.config ?? env['EARSHOT_CONFIG'];
  return { name, flags: config === undefined || config === '' ? '' : ` --config ${quoted(config)}` };
}

function quoted(path: string): string {
  return /^[\w./@:+~-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** Checks the flags before anything is opened. */
function playsDemo(
  flags: { demo?: boolean; 'no-demo'?: boolean },
  file: string | undefined,
  agents: readonly string[],
): boolean {
  if (flags.demo !== true) return file === undefined && flags['no-demo'] !== true;
  if (DEMO_AGENTS.some((id) => agents.includes(id))) return true;
  throw new CommandError(
    2,
    `--demo: ${file} has none of the demo's agents (${DEMO_AGENTS.join(', ')}): name one of yours so, or leave it out`,
  );
}

/** Connects the demo's agents like any others: over the socket, with their development tokens. */
async function demoOf({ url, tokens, log, isConnected }: Started, agents: readonly string[]): Promise<Demo> {
  const { startDemo } = await import('../demo/start.ts');
  const own = Object.entries(tokens?.agents ?? {}).filter(([agent]) => agents.includes(agent));
  return startDemo({
    url,
    tokens: Object.fromEntries(own),
    clock: systemClock,
    log,
    env: process.env,
    isConnected,
  });
}

interface Signals {
  first: Promise<NodeJS.Signals>;
}

const NUMBERS: Partial<Record<NodeJS.Signals, number>> = { SIGINT: 2, SIGTERM: 15 };

/** The second signal exits at once. */
function catchSignals(): Signals {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let caught = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (caught) process.exit(128 + (NUMBERS[signal] ?? 0));
      caught = true;
      resolve(signal);
    });
  }
  return { first: promise };
}

/** The store has failed, and only a restart can tell what is on the disk. */
const BROKEN_EXIT = 3;
/** Callers whose event was not stored are told so in this time. */
const FAREWELL_MS = 100;

/**
 * Ends without closing the store. Closing it would copy the WAL into the file, and after a failed sync nobody knows what
 * the WAL holds; the next start reads it with its checksums.
 */
async function endBroken(reason: Error, io: Io): Promise<number> {
  io.err(
    `earshot: ${reason.message}: nothing more is stored. Restart Earshot; what was acknowledged is kept\n`,
  );
  await new Promise<void>((resolve) => {
    systemClock.after(FAREWELL_MS, resolve);
  });
  return process.exit(BROKEN_EXIT);
}

/** The demo's agents leave first, so that their open turns go to the next session and do not delay the drain. */
async function drain(started: Started, demo: Demo | undefined): Promise<number> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const cancel = systemClock.after(DRAIN_MS, () => resolve('late'));
  const down = async (): Promise<'down'> => {
    await demo?.close();
    await started.stop();
    return 'down';
  };
  const outcome = await Promise.race([down(), late]);
  cancel();
  if (outcome === 'late') {
    started.log.error(
      { drainMs: DRAIN_MS },
      'draining took too long; what was not finished is done on the next start',
    );
    return 1;
  }
  return 0;
}
