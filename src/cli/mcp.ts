// `earshot mcp`: the chat tools as an MCP server on standard input and output, for clients that start one as a process.
// It asks the running host over HTTP, as the agent whose token it finds. Standard output is the protocol's alone;
// anything for a person goes to standard error.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RemoteHost } from '../host/mcp/remote-caller.ts';
import { systemClock } from '../runtime/clock.ts';
import { type Command, parseFlags } from './args.ts';
import { CommandError, type Io } from './io.ts';
import { suggestion } from './nearest.ts';

const HELP = `Usage: earshot mcp --agent ID [--dir FOLDER] [--url URL] [--token TOKEN]

Serves the chat tools of one agent over MCP on standard input and output, by asking a running host. Meant to be started
by an MCP client; clients that speak HTTP can use the host's /mcp instead, with the agent's token as bearer.

  --agent ID        whose tools; may be left out where the folder knows only one agent
  --dir FOLDER      where the host keeps its data, with tokens.json in it; ./.earshot when left out
  --url URL         the host, such as http://127.0.0.1:7575; as in tokens.json when left out
  --token TOKEN     the agent's token; $EARSHOT_TOKEN, then tokens.json, when left out
  -h, --help        this text

Example, as most clients want it in their configuration:
  {"mcpServers":{"chat":{"command":"npx","args":["earshot","mcp","--agent","lead","--dir","/srv/team/.earshot"]}}}
`;

const OPTIONS = {
  agent: { type: 'string' },
  dir: { type: 'string' },
  url: { type: 'string' },
  token: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'serve the chat tools of one agent over MCP on standard input and output',
  help: HELP,
  run,
};

interface Flags {
  agent?: string | undefined;
  dir?: string | undefined;
  url?: string | undefined;
  token?: string | undefined;
}
interface Found extends RemoteHost {
  agent: string;
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseFlags('mcp', argv, OPTIONS, 0);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const flags = { ...values, token: values.token ?? process.env['EARSHOT_TOKEN'] };
  const first = await findHost(flags);
  // Loaded here: other commands need not wait for it.
  const { serveMcpStdio } = await import('../host/mcp/mcp-stdio.ts');
  const { remoteCaller } = await import('../host/mcp/remote-caller.ts');
  const tell = (message: string): void => io.err(`earshot mcp: ${message}\n`);
  const call = remoteCaller({
    // Read again each time: a host that was started anew may have another port.
    host: () => findHost(flags).catch(() => first),
    clock: systemClock,
    onTrouble: tell,
  });
  tell(`serving agent ${first.agent} by ${first.url}`);
  await serveMcpStdio({
    agent: first.agent,
    call,
    clock: systemClock,
    input: process.stdin,
    output: process.stdout,
    onError: (error) => tell(error.message),
  });
  return 0;
}

/** Written by `earshot up`; only what is needed here is looked at. */
const tokensSchema = z.looseObject({
  url: z.string().optional(),
  agents: z.record(z.string(), z.string().min(1)).default({}),
});
type TokensFile = z.infer<typeof tokensSchema>;

async function findHost(flags: Flags): Promise<Found> {
  const { agent, url, token } = flags;
  if (agent !== undefined && url !== undefined && token !== undefined)
    return { agent, url: endpoint(url), token };
  const path = join(flags.dir ?? '.earshot', 'tokens.json');
  const file = await readTokens(path);
  const found = agent ?? onlyAgent(file, path);
  const its = token ?? file.agents[found];
  if (its === undefined) {
    const known = Object.keys(file.agents);
    const hint = known.length === 0 ? 'it names no agent' : suggestion(found, known);
    throw new CommandError(1, `mcp: ${path} has no token for agent "${found}"; ${hint}`);
  }
  const at = url ?? file.url;
  if (at === undefined)
    throw new CommandError(1, `mcp: ${path} does not say where the host is; pass --url URL`);
  return { agent: found, url: endpoint(at), token: its };
}

async function readTokens(path: string): Promise<TokensFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const problem = `mcp: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`;
    const remedy =
      'start the host there with "earshot up", name its folder with --dir, or pass --agent, --url and --token';
    throw new CommandError(1, `${problem}; ${remedy}`, { cause: error });
  }
  try {
    return tokensSchema.parse(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new CommandError(1, `mcp: ${path} is not the file that "earshot up" writes; start the host again`, {
      cause: error,
    });
  }
}

function onlyAgent({ agents }: TokensFile, path: string): string {
  const [only, ...others] = Object.keys(agents);
  if (only !== undefined && others.length === 0) return only;
  const known = only === undefined ? '' : `; ${path} knows ${Object.keys(agents).join(', ')}`;
  throw new CommandError(2, `mcp: say whose tools with --agent ID${known} (see: earshot mcp --help)`);
}

/** The host's address, with or without the endpoint's path. */
function endpoint(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CommandError(2, `mcp: "${text}" is no address; expected one such as http://127.0.0.1:7575`);
  if (url.pathname === '/' || url.pathname === '') url.pathname = '/c2a';
  return url.href;
}
