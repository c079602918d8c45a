// `earshot mcp`: the chat tools as an MCP server on standard input and output, for clients that start one as a process.
// It calls the running host over HTTP, as the agent whose token it finds. Standard output carries the protocol only;
// messages for people go to standard error.
import type { RemoteHost } from '../host/mcp/remote-caller.ts';
import { systemClock } from '../runtime/clock.ts';
import { systemRandom } from '../runtime/random.ts';
import { loadOptional } from '../runtime/optional-package.ts';
import { type Command, parseFlags } from './args.ts';
import { type DevelopmentTokens, readRunning, readTokens, tokensFile } from './data-dir.ts';
import { CommandError, type Io } from './io.ts';
import { suggestion } from './nearest.ts';

const HELP = `Usage: earshot mcp --agent ID [--channel | --permission] [--wait TIME] [--data DIR] [--url URL] [--token TOKEN]

Serves the chat tools of one agent over MCP on standard input and output, by asking a running host. Meant to be started
by an MCP client; clients that speak HTTP can use the host's /mcp instead, with the agent's token as bearer.

  --agent ID      whose tools; may be left out where the data folder knows only one agent
  --data DIR      where the host keeps its data, with the tokens it made; ./.earshot    (EARSHOT_DATA)
  --url URL       the host, such as http://127.0.0.1:7575; the one that runs on DIR     (EARSHOT_URL)
  --token TOKEN   the agent's token; the one in DIR                                     (EARSHOT_TOKEN)
  --channel       also wake the client: knocks as a Claude Code channel, for what would start a turn
  --permission    serve nothing but the tool that asks for permission, for a program that a runner starts
  --wait TIME     how long chat_wait_events waits, such as 300s; else what is known of the client, 50s for most
  --approver WHO  who decides when the program asks for permission, such as human:U1; else the person it works for
  --again TIME    with --channel, when an untaken event knocks again, such as 15s; doubled each time, six knocks in all
  -h, --help      this text

A host that does not run yet, or is started anew elsewhere, is found when it does; until then calls are refused.

Examples:
  earshot mcp --agent lead --data /srv/team/.earshot
  claude mcp add chat -- npx earshot mcp --agent lead --data /srv/team/.earshot --channel

The same in the configuration of most clients:
  {"mcpServers":{"chat":{"command":"npx","args":["earshot","mcp","--agent","lead","--data","/srv/team/.earshot"]}}}
`;

const OPTIONS = {
  agent: { type: 'string' },
  data: { type: 'string' },
  url: { type: 'string' },
  token: { type: 'string' },
  channel: { type: 'boolean' },
  permission: { type: 'boolean' },
  again: { type: 'string' },
  wait: { type: 'string' },
  approver: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const mcpCommand: Command = {
  help: HELP,
  run,
};

interface Asked {
  dataDir: string;
  agent: string | undefined;
  url: string | undefined;
  token: string | undefined;
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseFlags('mcp', argv, OPTIONS, 0);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const { env } = process;
  const url = values.url ?? env['EARSHOT_URL'];
  const asked: Asked = {
    dataDir: values.data ?? env['EARSHOT_DATA'] ?? './.earshot',
    agent: values.agent,
    url: url === undefined ? undefined : endpoint(url),
    token: values.token ?? env['EARSHOT_TOKEN'],
  };
  const { agent } = identityOf(asked);
  if (values.again !== undefined && values.channel !== true)
    throw new CommandError(2, 'mcp: --again goes with --channel (see: earshot mcp --help)');
  if (values.permission === true && values.channel === true)
    throw new CommandError(2, 'mcp: --permission or --channel, not both (see: earshot mcp --help)');
  const againMs = values.again === undefined ? undefined : secondsOf('again', values.again);
  const waitMs = values.wait === undefined ? undefined : secondsOf('wait', values.wait);
  // Loaded here, so that other commands start without it.
  const { serveMcpStdio } = await loadOptional(
    ['@modelcontextprotocol/server'],
    () => import('../host/mcp/mcp-stdio.ts'),
  );
  const { remoteCaller } = await import('../host/mcp/remote-caller.ts');
  const tell = (message: string): void => io.err(`earshot mcp: ${message}\n`);
  const port = remoteCaller({ host: () => findHost(asked), clock: systemClock, onTrouble: tell });
  const host = findHost(asked);
  tell(`serving agent ${agent} by ${host?.url ?? `the host on ${asked.dataDir}, which does not run yet`}`);
  const streams = { input: process.stdin, output: process.stdout };
  const served = {
    agent,
    clock: systemClock,
    newId: () => systemRandom.id(),
    waitMs,
    // The command runner tells its program which event it works on.
    eventId: env['EARSHOT_EVENT_ID'],
    approver: approverOf(values.approver),
    permissionOnly: values.permission === true,
    ...streams,
    onError: (error: Error) => tell(error.message),
  };
  if (values.channel !== true) {
    await serveMcpStdio({ ...served, port });
    return 0;
  }
  const { createChannel } = await import('./mcp-channel.ts');
  const { webSocketClient } = await import('../transport/websocket-client.ts');
  const { WebSocket } = await import('ws');
  const channel = createChannel({
    agent,
    clock: systemClock,
    host: () => findHost(asked),
    open: (at) =>
      webSocketClient({
        url: at.url.replace(/^http/, 'ws'),
        token: at.token,
        clock: systemClock,
        ws: WebSocket,
      }),
    port,
    tell,
    ...(againMs === undefined ? {} : { limits: { againMs } }),
  });
  await serveMcpStdio({ ...served, port: channel.port, onChannel: (notify) => channel.start(notify) });
  channel.close();
  // A timer that waits for the host must not keep the process alive.
  return process.exit(0);
}

function approverOf(text: string | undefined): string | undefined {
  if (text === undefined || /^human:./.test(text)) return text;
  throw new CommandError(2, `mcp: --approver: "${text}" is nobody; write a person, such as human:U1`);
}

const LONGEST_S = 3_600;

function secondsOf(flag: string, text: string): number {
  const seconds = Number(/^(\d{1,4})s$/.exec(text)?.[1] ?? 0);
  if (seconds > 0 && seconds <= LONGEST_S) return seconds * 1_000;
  throw new CommandError(
    2,
    `mcp: --${flag}: "${text}" is no time; write seconds, such as 15s, at most ${LONGEST_S}s`,
  );
}

/** Looks for the host at each call. Undefined while no host runs. */
function findHost(asked: Asked): RemoteHost | undefined {
  try {
    const url = asked.url ?? readRunning(asked.dataDir)?.url;
    return url === undefined ? undefined : { url: endpoint(url), token: identityOf(asked).token };
  } catch (error) {
    // The files are missing or being replaced, so there is no host for now.
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

function identityOf({ agent, token, dataDir }: Asked): { agent: string; token: string } {
  if (agent !== undefined && token !== undefined) return { agent, token };
  const file = readTokens(dataDir);
  if (file === undefined) {
    const remedy =
      'start the host there with "earshot up", name its folder with --data, or pass --agent and --token';
    throw new CommandError(1, `mcp: there is no ${tokensFile(dataDir)}; ${remedy}`);
  }
  const found = agent ?? onlyAgent(file);
  const its = token ?? file.agents[found];
  if (its !== undefined) return { agent: found, token: its };
  const known = Object.keys(file.agents);
  const hint = known.length === 0 ? 'it names no agent' : suggestion(found, known);
  throw new CommandError(1, `mcp: ${tokensFile(dataDir)} has no token for agent "${found}"; ${hint}`);
}

function onlyAgent({ agents }: DevelopmentTokens): string {
  const known = Object.keys(agents);
  const [only] = known;
  if (only !== undefined && known.length === 1) return only;
  const choice = known.length === 0 ? '' : `, one of ${known.join(', ')}`;
  throw new CommandError(2, `mcp: say whose tools with --agent ID${choice} (see: earshot mcp --help)`);
}

/** Accepts the host's address with or without the endpoint's path. */
function endpoint(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CommandError(2, `mcp: "${text}" is no address; expected one such as http://127.0.0.1:7575`);
  if (url.pathname === '/') url.pathname = '/c2a';
  return url.href;
}
