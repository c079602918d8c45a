// `earshot run`: any program as an agent. Connects as the agent, starts the program once a turn with the prompt on its
// standard input, posts what it prints. Its own output is for a person, on standard error; the program gets no token.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type AgentLog, connect } from '../agent/index.ts';
import { interruptsOf } from '../agent/runners/capabilities.ts';
import { commandRunner } from '../agent/runners/command.ts';
import { systemClock } from '../runtime/clock.ts';
import type { CloseReason } from '../transport/transport.ts';
import { webSocketClient } from '../transport/websocket-client.ts';
import { type Command, parseFlags } from './args.ts';
import { readRunning, readTokens } from './data-dir.ts';
import { resolveDataDir } from './host-config.ts';
import { CommandError, type Io } from './io.ts';
import { suggestion } from './nearest.ts';

const HELP = `Usage: earshot run --agent ID [--timeout TIME] [--url URL] [--data DIR] -- PROGRAM [ARGUMENTS]

Lets a program answer for an agent: once a turn it is started with the prompt on standard input, and what it prints is
the answer. Nothing printed, or NO_REPLY, is silence. Any exit code but 0 posts nothing, and the host tries again, three
times in all. When the question changes or is withdrawn, the program is stopped.

  --agent ID      as which agent
  --timeout TIME  how long one answer may take, such as 90s, 5m or 1h; 5m
  --url URL       the host; the one that runs on the data folder when left out         (EARSHOT_URL)
  --data DIR      where tokens.json is; ./.earshot. EARSHOT_TOKEN counts before it      (EARSHOT_DATA)
  -h, --help      this text

The program inherits the environment, without Earshot's tokens and with EARSHOT_AGENT, EARSHOT_CONVERSATION and
EARSHOT_EVENT_ID. There is no shell in between.

Examples:
  earshot run --agent lead -- claude -p
  earshot run --agent builder --timeout 20m -- codex exec -
`;

const OPTIONS = {
  agent: { type: 'string' },
  timeout: { type: 'string' },
  url: { type: 'string' },
  data: { type: 'string' },
  config: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const runCommand: Command = {
  name: 'run',
  summary: 'let a program answer for an agent',
  help: HELP,
  run,
};

/** For the host to take the answer, once the program has ended. */
const REPLY_MS = 60_000;

async function run(argv: readonly string[], io: Io): Promise<number> {
  const at = argv.indexOf('--');
  const own = at < 0 ? argv : argv.slice(0, at);
  if (own.includes('--help') || own.includes('-h')) {
    await io.out(HELP);
    return 0;
  }
  if (at < 0) throw usage('put the program after "--", such as: earshot run --agent lead -- claude -p');
  const { values } = parseFlags('run', own, OPTIONS, 0);
  const [command, ...args] = argv.slice(at + 1);
  if (command === undefined || command === '') throw usage('name the program after "--"');
  if (values.agent === undefined) throw usage('say as which agent with --agent ID');
  const timeoutMs = millisecondsOf(values.timeout ?? '5m');
  mustExist(command);
  const way = await wayTo(values.agent, values);
  return answer({ agent: values.agent, command, args, timeoutMs, way }, io);
}

function usage(problem: string): CommandError {
  return new CommandError(2, `run: ${problem} (see: earshot run --help)`);
}

interface Job {
  agent: string;
  command: string;
  args: readonly string[];
  timeoutMs: number;
  way: Way;
}

async function answer({ agent, command, args, timeoutMs, way }: Job, io: Io): Promise<number> {
  const tell = (line: string): void => io.err(`earshot run: ${line}\n`);
  const { WebSocket } = await import('ws');
  const log = logTo(tell);
  const clock = systemClock;
  const runner = commandRunner({ command, args, timeoutMs, clock, log, env: process.env });
  const connection = connect({
    agent,
    clock,
    log,
    // A host that was started anew elsewhere is found again.
    transport: () => webSocketClient({ url: way.url(), token: way.token, clock, ws: WebSocket }),
    interrupts: interruptsOf(runner.capabilities),
    offers: 'take',
    limits: { turnMs: timeoutMs + REPLY_MS },
  }).onTurn(runner);
  tell(`${agent} answers with ${command}, by the host at ${way.url()}; Ctrl-C ends it`);
  catchSignals(() => {
    // First the turn, so that it counts as cancelled; then the program, also while the host is away.
    void connection.close();
    void runner.close();
  });
  const reason = await connection.closed;
  await runner.close();
  const said = ENDS[reason];
  if (said !== undefined) tell(said);
  // A timer that waits for the host must not hold the process.
  return process.exit(reason === 'normal' ? 0 : 1);
}

const ENDS: Partial<Record<CloseReason, string>> = {
  unauthorized:
    'the host does not take this token for this agent: "earshot token create --kind agent" makes one',
  fenced: 'a newer session of this agent has taken over',
};

const NUMBERS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/** The second one ends it at once. */
function catchSignals(stop: () => void): void {
  let caught = false;
  for (const [signal, number] of Object.entries(NUMBERS)) {
    process.on(signal, () => {
      stop();
      if (caught) process.exit(128 + number);
      caught = true;
    });
  }
}

function logTo(tell: (line: string) => void): AgentLog {
  const line = (fields: Record<string, unknown>, message: string): void => {
    const { err, ...rest } = fields;
    const named = Object.entries(rest)
      .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
      .map(([name, value]) => ` ${name}=${String(value)}`);
    tell(`${message}${err instanceof Error ? `: ${err.message}` : ''}${named.join('')}`);
  };
  const info: AgentLog['info'] = ({ stderr, ...fields }, message) =>
    typeof stderr === 'string' ? tell(`| ${stderr}`) : line(fields, message);
  return { debug: () => undefined, info, warn: line, error: line };
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
const LONGEST_MS = 24 * 3_600_000;

function millisecondsOf(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})(s|m|h)$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (ms > 0 && ms <= LONGEST_MS) return ms;
  throw new CommandError(2, `--timeout: "${text}" is no time; write 90s, 5m or 1h, at most 24h`);
}

/** Said now rather than at the first turn. */
function mustExist(command: string): void {
  // There names are looked up by rules of their own.
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

interface Way {
  /** Asked for every connection. */
  url: () => string;
  token: string;
}

interface RunFlags {
  url?: string;
  data?: string;
  config?: string;
}

async function wayTo(agent: string, flags: RunFlags): Promise<Way> {
  const { env } = process;
  const dataDir = await resolveDataDir(flags, env);
  const kept = readTokens(dataDir);
  const token = env['EARSHOT_TOKEN'] || kept?.agents[agent];
  if (token === undefined) {
    const known = Object.keys(kept?.agents ?? {});
    const hint =
      known.length === 0 ? 'set EARSHOT_TOKEN, or name the folder with --data DIR' : suggestion(agent, known);
    throw new CommandError(1, `run: ${dataDir} has no token for "${agent}"; ${hint}`);
  }
  const given = flags.url ?? (env['EARSHOT_URL'] || undefined);
  const first = given ?? readRunning(dataDir)?.url;
  if (first === undefined)
    throw new CommandError(1, `no host runs on ${dataDir}: start it with "earshot up", or pass --url URL`);
  let last = endpoint(first);
  const url = (): string => {
    if (given === undefined) last = endpoint(runningUrl(dataDir) ?? last);
    return last;
  };
  return { url, token };
}

/** Its file is gone while the host is down, or being replaced. */
function runningUrl(dataDir: string): string | undefined {
  try {
    return readRunning(dataDir)?.url;
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

function endpoint(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^(?:http|ws)s?:$/.test(url.protocol))
    throw new CommandError(2, `--url: "${text}" is no address; write for example http://127.0.0.1:7575`);
  url.protocol = url.protocol.replace('http', 'ws');
  if (url.pathname === '/') url.pathname = '/c2a';
  return url.href;
}
