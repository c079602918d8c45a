// The demo's agents, connected: each through the SDK's own `connect`, over the host's WebSocket, with a token of its
// own. Whatever becomes of one, the others and the host go on; an agent of the same id that connects takes its place.
import { type AgentConnection, type AgentLog, connect, type TurnHandler } from '../agent/index.ts';
import type { Env } from '../agent/runners/child.ts';
import { interruptsOf, type Runner } from '../agent/runners/runner.ts';
import type { Clock } from '../runtime/clock.ts';
import { leadModel, type LeadModel, LEAD } from './lead.ts';
import { CAST, play } from './play.ts';

export interface DemoOptions {
  /** The host: `http://127.0.0.1:7575`. */
  url: string;
  /** By agent. Who has none does not play. */
  tokens: Readonly<Record<string, string>>;
  clock: Clock;
  log: AgentLog;
  env: Env;
}

export interface Demo {
  /** Who plays. */
  readonly agents: readonly string[];
  /** The model that plays the lead; undefined when a script does. */
  readonly model: string | undefined;
  /** Why the model that the environment names does not play. */
  readonly modelProblem: string | undefined;
  /** Everybody leaves: what runs is cancelled and goes to the next session. */
  close(): Promise<void>;
}

/** The banner waits this long for them; they go on connecting after it. */
const READY_MS = 3_000;
const LOOK_MS = 20;
/** A cancelled handler stops at once here; a model is not waited for longer than the host drains. */
const LIMITS = { cancelGraceMs: 3_000 };

export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { tokens, clock, env, log } = options;
  const players = CAST.filter(({ agent }) => tokens[agent] !== undefined);
  const lead = players.includes(LEAD) ? await leadModel(env, log) : NO_MODEL;
  const { runner } = lead;
  const connections = players.map((script) =>
    script === LEAD && runner !== undefined
      ? enter(options, script.agent, runner, runner)
      : enter(options, script.agent, play(script, clock)),
  );
  await ready(connections, clock);
  return {
    agents: players.map(({ agent }) => agent),
    model: lead.name,
    modelProblem: lead.problem,
    async close() {
      await Promise.all(connections.map((connection) => connection.close()));
      await runner?.close();
    },
  };
}

const NO_MODEL: LeadModel = { name: undefined, runner: undefined, problem: undefined };

function enter(
  { url, tokens, clock, log }: DemoOptions,
  agent: string,
  handler: TurnHandler,
  runner?: Runner,
): AgentConnection {
  const connection = connect({
    url: `${url.replace(/^http/, 'ws')}/c2a`,
    token: tokens[agent],
    agent,
    clock,
    log,
    limits: LIMITS,
    ...(runner === undefined ? {} : { interrupts: interruptsOf(runner.capabilities) }),
  }).onTurn(handler);
  void connection.closed.then((reason) => {
    if (reason === 'fenced')
      log.info({ agent }, 'another program answers for this agent now; its demo has left');
  });
  return connection;
}

async function ready(connections: readonly AgentConnection[], clock: Clock): Promise<void> {
  for (let waited = 0; waited < READY_MS; waited += LOOK_MS) {
    if (connections.every(({ status }) => status === 'ready' || status === 'closed')) return;
    await new Promise<void>((resolve) => {
      clock.after(LOOK_MS, resolve);
    });
  }
}
