// `earshot connect --stdio`: connects a harness on standard streams to the host's WebSocket. It copies frames both ways
// without reading them. Standard output carries the protocol only.
import { systemClock } from '../runtime/clock.ts';
import { bridge } from '../transport/bridge.ts';
import { stdioTransport } from '../transport/stdio.ts';
import type { CloseReason } from '../transport/transport.ts';
import { webSocketClient } from '../transport/websocket-client.ts';
import { type Command, parseFlags } from './args.ts';
import { wayTo } from './host-way.ts';
import { CommandError, type Io } from './io.ts';

const HELP = `Usage: earshot connect --stdio --agent ID [--url URL] [--data DIR]

Joins standard input and output, one JSON-RPC message a line, to the host as this agent. Ends when either side does;
start it again to resume: what was not settled comes again.

  --stdio         over standard input and output (the only way so far)
  --agent ID      as which agent
  --url URL       the host; the one that runs on the data folder when left out         (EARSHOT_URL)
  --data DIR      where tokens.json is; ./.earshot. EARSHOT_TOKEN counts before it      (EARSHOT_DATA)
  -h, --help      this text

Example:
  earshot connect --stdio --agent lead
`;

const OPTIONS = {
  stdio: { type: 'boolean' },
  agent: { type: 'string' },
  url: { type: 'string' },
  data: { type: 'string' },
  config: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const connectCommand: Command = {
  help: HELP,
  run,
};

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseFlags('connect', argv, OPTIONS, 0);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const { agent } = values;
  if (values.stdio !== true || agent === undefined) {
    throw new CommandError(2, 'connect: give --stdio and --agent ID (see: earshot connect --help)');
  }
  const { url, token } = await wayTo('connect', agent, values);
  const tell = (line: string): void => io.err(`earshot connect: ${line}\n`);
  const { WebSocket } = await import('ws');
  const far = webSocketClient({ url: url(), token, clock: systemClock, ws: WebSocket, aliveMs: ALIVE_MS });
  const near = stdioTransport({ input: process.stdin, output: process.stdout, clock: systemClock });
  const reason = await bridge(near, far, (error) => tell(error.message));
  const said = ENDS[reason];
  if (said !== undefined) tell(said);
  return reason === 'normal' ? 0 : 1;
}

/** As often as the host pings its sessions, unless its settings say otherwise. */
const ALIVE_MS = 5_000;

const ENDS: Partial<Record<CloseReason, string>> = {
  unauthorized: 'the host does not take this token: "earshot token create --kind agent" makes one',
  fenced: 'a newer session of this agent has taken over',
  going_away: 'the host is stopping: connect again shortly',
  lost: 'the connection was lost: connect again',
  too_large: 'a message was larger than a frame may be',
  protocol_error: 'something that is no JSON-RPC was sent',
};
