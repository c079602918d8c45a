// Connects the demo's agents, each with the SDK's `connect` over the host's WebSocket and with its own token. If one
// fails, the others and the host go on. Another agent with the same id that connects takes its place.
import { type AgentConnection, type AgentLog, connect, type TurnHandler } from '../agent/index.ts';
import type { Env } from '../agent/runners/child.ts';
import { interruptsOf, type Runner } from '../agent/runners/runner.ts';
import type { Clock } from '../runtime/clock.ts';
import { leadModel, type LeadModel, LEAD } from './lead.ts';
import { CAST, play } from './play.ts';

export interface DemoOptions {
  /** The host: `http://127.0.0.1:7575`. */
  url: string;
  /** By agent id. An agent without a token does not play. */
  tokens: Readonly<Record<string, string>>;
  clock: Clock;
  log: AgentLog;
  env: Env;
}

export interface Demo {
  /** The ids of the agents that play. */
  readonly agents: readonly string[];
  /** The model that plays the lead. Undefined when the script does. */
  readonly model: string | undefined;
  /** Why the model named by the environment does not play. */
  readonly modelProblem: string | undefined;
  /** Disconnects all agents. Running turns are cancelled and go to the next session. */
  close(): Promise<void>;
}

/** How long the banner waits for the agents. They go on connecting after it. */
const READY_MS = 3_000;
const LOOK_MS = 20;
/** A cancelled script stops at once. A model is not waited for longer than the host takes to drain. */
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
