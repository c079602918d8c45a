// `earshot run`: connects a program, a model or an ACP agent as an agent, runs its turns and posts its answers. Its own
// output is for people and goes to standard error.
import { type AgentLog, connect } from '../agent/index.ts';
import { interruptsOf } from '../agent/runners/runner.ts';
import { systemClock } from '../runtime/clock.ts';
import type { CloseReason } from '../transport/transport.ts';
import { webSocketClient } from '../transport/websocket-client.ts';
import { type Command, parseFlags } from './args.ts';
import { type HostWay, wayTo } from './host-way.ts';
import { CommandError, type Io } from './io.ts';
import { type Chosen, chooseRunner, programMissing, usage } from './run-runner.ts';

const HELP = `Usage: earshot run --agent ID [options] -- PROGRAM [ARGUMENTS]
       earshot run --agent ID [options] --model NAME
       earshot run --agent ID [options] --with claude|codex|gemini|opencode|goose|qwen|pi [-- ARGUMENTS]
       earshot run --agent ID [options] --acp -- PROGRAM [ARGUMENTS]

Lets a program, a model or an ACP agent answer for an agent.

A program is started once a turn with the prompt on standard input, and what it prints is the answer. Nothing printed,
or NO_REPLY, is silence. Any exit code but 0 posts nothing, and the host tries again for ten minutes. A model is
called with the chat tools, an ACP agent (--acp) is started once and kept. A known program (--with) is called with the
flags that it needs; each conversation has a session that it goes on with, after a restart too. When the question changes or is withdrawn,
whoever works on it is stopped.

  --agent ID           as which agent
  --model NAME         anthropic/MODEL with ANTHROPIC_API_KEY, openai/MODEL with OPENAI_API_KEY, or     (EARSHOT_MODEL)
                       http://HOST:PORT/v1#MODEL for any server like OpenAI's; its key is EARSHOT_MODEL_KEY
  --instructions FILE  what the model is told about itself and its work
                       With --with or --acp it is the program's model, by the name that the program gives it.
  --with NAME          a program that Earshot knows; what stands after "--" goes to it as further arguments
  --acp                the program speaks the Agent Client Protocol on its standard streams
  --mode NAME          the mode of an ACP agent or of a known program, such as plan
  --cwd DIR            the folder that the program works in; this one
  --approver ID        who may give permission, such as human:U1, to an ACP agent (may be given several times) or to
                       claude. The person whom the turn is about when left out
  --no-tools           do not offer an ACP agent the chat tools over MCP
  --timeout TIME       how long one answer may take, such as 90s, 5m or 1h; 5m
  --url URL            the host; the one that runs on the data folder when left out                     (EARSHOT_URL)
  --data DIR           where tokens.json is; ./.earshot. EARSHOT_TOKEN counts before it                 (EARSHOT_DATA)
  -h, --help           this text

A program inherits the environment, without Earshot's tokens and with EARSHOT_AGENT, EARSHOT_CONVERSATION and
EARSHOT_EVENT_ID. There is no shell in between.

Examples:
  earshot run --agent lead --with claude --cwd ~/work/shop
  earshot run --agent builder --timeout 20m --with codex --mode workspace-write
  earshot run --agent lead --model anthropic/claude-sonnet-5-5 --instructions lead.md
  earshot run --agent scribe --model http://127.0.0.1:11434/v1#llama3.2
  earshot run --agent builder --acp --approver human:U1 -- gemini --acp
  earshot run --agent poet -- ./answer.sh
`;

const OPTIONS = {
  agent: { type: 'string' },
  model: { type: 'string' },
  instructions: { type: 'string' },
  acp: { type: 'boolean' },
  with: { type: 'string' },
  mode: { type: 'string' },
  cwd: { type: 'string' },
  approver: { type: 'string', multiple: true },
  'no-tools': { type: 'boolean' },
  timeout: { type: 'string' },
  url: { type: 'string' },
  data: { type: 'string' },
  config: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const runCommand: Command = {
  help: HELP,
  run,
};

async function run(argv: readonly string[], io: Io): Promise<number> {
  const at = argv.indexOf('--');
  const own = at < 0 ? argv : argv.slice(0, at);
  if (own.includes('--help') || own.includes('-h')) {
    await io.out(HELP);
    return 0;
  }
  const program = at < 0 ? undefined : argv.slice(at + 1);
  // Checked before the flags, because the flags of a misplaced program are not ours.
  if (
    program === undefined &&
    (own.includes('--acp') || !own.some((flag) => /^--model(?:=|$)/.test(flag))) &&
    !own.some((flag) => /^--with(?:=|$)/.test(flag)) &&
    !process.env['EARSHOT_MODEL']
  )
    throw usage(programMissing());
  const { values } = parseFlags('run', own, OPTIONS, 0);
  const chosen = await chooseRunner(values, program, millisecondsOf(values.timeout ?? '5m'));
  if (values.agent === undefined) throw usage('say as which agent with --agent ID');
  const way = await wayTo('run', values.agent, values);
  return answer(values.agent, chosen, way, io);
}

async function answer(agent: string, chosen: Chosen, way: HostWay, io: Io): Promise<number> {
  const tell = (line: string): void => io.err(`earshot run: ${line}\n`);
  const log = logTo(tell);
  const clock = systemClock;
  const [{ WebSocket }, runner] = await Promise.all([import('ws'), chosen.start({ agent, way, log })]);
  const connection = connect({
    agent,
    clock,
    log,
    transport: () => webSocketClient({ url: way.url(), token: way.token, clock, ws: WebSocket }),
    interrupts: interruptsOf(runner.capabilities),
    offers: chosen.claims ? 'ask' : 'take',
    limits: { turnMs: chosen.turnMs },
  }).onTurn(runner);
  tell(`${agent} answers with ${chosen.label}, by the host at ${way.url()}; Ctrl-C ends it`);
  catchSignals(() => {
    // The turn ends first, so that it counts as cancelled. Then the runner, even while the host is away.
    void connection.close();
    void runner.close();
  });
  if (chosen.unasked !== undefined)
    tell(`take care: ${chosen.label} ${chosen.unasked}, and what people write in chat reaches it`);
  const reason = await connection.closed;
  await runner.close();
  const said = ENDS[reason];
  if (said !== undefined) tell(said);
  // A timer that waits for the host must not keep the process alive.
  return process.exit(reason === 'normal' ? 0 : 1);
}

const ENDS: Partial<Record<CloseReason, string>> = {
  unauthorized:
    'the host does not take this token for this agent: "earshot token create --kind agent" makes one',
  fenced: 'a newer session of this agent has taken over',
};

const NUMBERS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/** The second signal ends it at once. */
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
  // What the program itself wrote to standard error or reported about its work.
  const info: AgentLog['info'] = (fields, message) => {
    const said = fields['stderr'] ?? fields['line'];
    if (typeof said === 'string') tell(`| ${said}`);
    else line(fields, message);
  };
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
