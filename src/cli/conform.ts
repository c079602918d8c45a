// `earshot conform`: checks the promises of the wire protocol against any C2A host, for people who write one. Exit
// codes: 0 when everything that could be played holds, 1 when something is broken.
import { readTokens, readRunning } from './data-dir.ts';
import { resolveDataDir } from './host-config.ts';
import { systemClock } from '../runtime/clock.ts';
import { systemRandom } from '../runtime/random.ts';
import { type Command, oneOfFlag, parseFlags } from './args.ts';
import { CommandError, type Io } from './io.ts';
import { suggestion } from './nearest.ts';
import type { Verdict, Way } from '../conform/run.ts';

const HELP = `Usage: earshot conform [URL] --agent ID [--over WAY] [--only WORD] [--json] [-- PROGRAM ARGS]

Connects to a host as one of its agents, posts events as one of its sources, and checks what the protocol promises:
sessions, deliveries, tools, edits and deletes. Give it an agent of its own: it takes over that agent's session.

  URL               the host; the one that runs on the data folder when left out
  --agent ID        as which agent; it must be bound to every conversation of the source
  --over WAY        websocket, http or stdio; websocket
  --platform NAME   what the source's platform is called; dev
  --only WORD       only scenarios whose id holds this word
  --patience MS     how long anything may take; 15000
  --data DIR        where tokens.json is; ./.earshot                                (EARSHOT_DATA)
  --json            one verdict a line, as JSON
  -h, --help        this text

The agent's token is EARSHOT_TOKEN or the one in tokens.json, the source's EARSHOT_SOURCE_TOKEN or the one there. Without a
source's token only the session is checked. With --over stdio the program after -- joins its standard streams to
the host; "earshot connect --stdio" when left out.

Examples:
  earshot conform --agent lead
  earshot conform http://127.0.0.1:7575 --agent tester --over http
  earshot conform --agent lead --over stdio -- ./my-bridge --as lead
`;

const OPTIONS = {
  agent: { type: 'string' },
  over: { type: 'string' },
  platform: { type: 'string' },
  only: { type: 'string' },
  patience: { type: 'string' },
  data: { type: 'string' },
  config: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const conformCommand: Command = {
  help: HELP,
  run,
};

const WAYS = ['websocket', 'http', 'stdio'] as const;
const PATIENCE_MS = 15_000;

interface Reached {
  url: string;
  agent: string;
  token: string;
  sourceToken: string | undefined;
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  const cut = argv.indexOf('--');
  const [own, program] = cut < 0 ? [argv, []] : [argv.slice(0, cut), argv.slice(cut + 1)];
  const { values, positionals } = parseFlags('conform', own, OPTIONS, 1);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const over = oneOfFlag('over', values.over, WAYS) ?? 'websocket';
  if (program.length > 0 && over !== 'stdio')
    throw new CommandError(2, 'conform: a program after -- needs --over stdio');
  const patienceMs = Number(values.patience ?? PATIENCE_MS);
  if (!Number.isInteger(patienceMs) || patienceMs <= 0)
    throw new CommandError(
      2,
      `--patience: "${values.patience}" is no number of milliseconds; write for example 15000`,
    );
  const reached = await reach(positionals[0], values);
  await mustAnswer(reached.url);
  const { conform } = await import('../conform/run.ts');
  const { httpSource } = await import('../conform/source.ts');
  const { only } = values;
  const verdicts = conform({
    way: await wayTo(over, reached, program, values),
    source:
      reached.sourceToken === undefined
        ? undefined
        : httpSource({ url: reached.url, token: reached.sourceToken }),
    platform: values.platform ?? 'dev',
    workspaceId: 'conform',
    agent: reached.agent,
    clock: systemClock,
    random: systemRandom,
    patienceMs,
    ...(only === undefined ? {} : { only: ({ id }) => id.includes(only) }),
  });
  const counts = { holds: 0, skipped: 0, broken: 0 };
  for await (const verdict of verdicts) {
    counts[verdict.outcome]++;
    await io.out(values.json === true ? `${JSON.stringify({ over, ...verdict })}\n` : shown(verdict, io));
    await io.flush();
  }
  if (counts.holds + counts.skipped + counts.broken === 0)
    throw new CommandError(
      2,
      `--only: no scenario's id holds "${only ?? ''}"; "earshot conform" plays all of them`,
    );
  const line = `${over}: ${counts.holds} hold, ${counts.broken} broken, ${counts.skipped} skipped`;
  if (values.json !== true) await io.out(`${io.paint(counts.broken === 0 ? 'green' : 'red', line)}\n`);
  return counts.broken === 0 ? 0 : 1;
}

function shown(verdict: Verdict, { paint }: Io): string {
  const { id, title } = verdict;
  switch (verdict.outcome) {
    case 'holds':
      return `${paint('green', 'holds  ')} ${id}  ${paint('dim', title)}\n`;
    case 'skipped':
      return `${paint('dim', `skipped ${id}  ${verdict.why}`)}\n`;
    case 'broken':
      return `${paint('red', 'broken ')} ${id}  ${title}\n          expected ${verdict.expected}\n          got      ${verdict.got.slice(0, 2_000)}\n`;
  }
}

async function reach(
  given: string | undefined,
  flags: { agent?: string; data?: string; config?: string },
): Promise<Reached> {
  const { env } = process;
  const dataDir = await resolveDataDir(flags, env);
  const kept = readTokens(dataDir);
  const url = given ?? readRunning(dataDir)?.url;
  if (url === undefined)
    throw new CommandError(
      1,
      `no host runs on ${dataDir}: start it with "earshot up", or name one: earshot conform URL`,
    );
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new CommandError(2, `conform: "${url}" is no address; write for example http://127.0.0.1:7575`);
  const known = Object.keys(kept?.agents ?? {});
  const { agent } = flags;
  if (agent === undefined)
    throw new CommandError(
      2,
      `conform: say as which agent: --agent ${known[0] ?? 'ID'} (see: earshot conform --help)`,
    );
  const token = env['EARSHOT_TOKEN'] ?? kept?.agents[agent];
  if (token === undefined) {
    const hint = known.length === 0 ? 'set EARSHOT_TOKEN' : suggestion(agent, known);
    throw new CommandError(1, `conform: ${dataDir} has no token for "${agent}"; ${hint}`);
  }
  const sourceToken = env['EARSHOT_SOURCE_TOKEN'] ?? kept?.surfaces['dev'];
  return { url: url.replace(/\/+$/, ''), agent, token, sourceToken };
}

async function mustAnswer(url: string): Promise<void> {
  try {
    await fetch(url, { method: 'HEAD' });
  } catch (error) {
    throw new CommandError(1, `nothing answers at ${url}: is the host running?`, { cause: error });
  }
}

async function wayTo(
  over: (typeof WAYS)[number],
  { url, token, agent }: Reached,
  program: readonly string[],
  { data }: { data?: string },
): Promise<Way> {
  const { overHttp, overStdio, overWebSocket } = await import('../conform/ways.ts');
  const endpoint = { url: `${url}/c2a`, token, clock: systemClock };
  switch (over) {
    case 'websocket':
      return overWebSocket(endpoint);
    case 'http':
      return overHttp(endpoint);
    case 'stdio': {
      const [command, ...args] = program;
      if (command !== undefined) return overStdio({ command, args, clock: systemClock });
      const own = [process.argv[1] ?? '', 'connect', '--stdio', '--agent', agent, '--url', url];
      const where = data === undefined ? [] : ['--data', data];
      return overStdio({ command: process.execPath, args: [...own, ...where], clock: systemClock });
    }
  }
}
