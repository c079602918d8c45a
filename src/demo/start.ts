// Connects the demo's agents, each with the SDK's `connect` over the host's WebSocket and with its own token. If one
// fails, the others and the host go on. Another program that connects as the same agent takes its place, until it leaves.
import { type AgentConnection, type AgentLog, connect, type TurnHandler } from '../agent/index.ts';
import type { Env } from '../agent/runners/child.ts';
import { interruptsOf, type Runner } from '../agent/runners/runner.ts';
import type { Cancel, Clock } from '../runtime/clock.ts';
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
  /** Whether a program answers for this agent now. The demo's agent comes back when the one that replaced it has left. */
  isConnected: (agent: string) => boolean;
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
  const seats = players.map((script) =>
    script === LEAD && runner !== undefined
      ? new Seat(options, script.agent, runner, runner)
      : new Seat(options, script.agent, play(script, clock)),
  );
  await ready(seats, clock);
  return {
    agents: players.map(({ agent }) => agent),
    model: lead.name,
    modelProblem: lead.problem,
    async close() {
      await Promise.all(seats.map((seat) => seat.leave()));
      await runner?.close();
    },
  };
}

const NO_MODEL: LeadModel = { name: undefined, runner: undefined, problem: undefined };

/** How often the demo looks whether the program that took its place has left. */
const LOOK_BACK_MS = 2_000;

/** One agent's place in the demo: taken by its script, given up to another program, and taken again. */
class Seat {
  readonly #options: DemoOptions;
  readonly #agent: string;
  readonly #handler: TurnHandler;
  readonly #runner: Runner | undefined;
  #connection: AgentConnection;
  #isOver = false;
  #cancelLook: Cancel = () => undefined;

  constructor(options: DemoOptions, agent: string, handler: TurnHandler, runner?: Runner) {
    this.#options = options;
    this.#agent = agent;
    this.#handler = handler;
    this.#runner = runner;
    this.#connection = this.#enter();
  }

  get isSettled(): boolean {
    const { status } = this.#connection;
    return status === 'ready' || status === 'closed';
  }

  async leave(): Promise<void> {
    this.#isOver = true;
    this.#cancelLook();
    await this.#connection.close();
  }

  #enter(): AgentConnection {
    const { url, tokens, clock, log } = this.#options;
    const agent = this.#agent;
    const connection = connect({
      url,
      token: tokens[agent],
      agent,
      clock,
      log,
      limits: LIMITS,
      ...(this.#runner === undefined ? {} : { interrupts: interruptsOf(this.#runner.capabilities) }),
    }).onTurn(this.#handler);
    void connection.closed.then((reason) => {
      if (reason !== 'fenced' || this.#isOver) return;
      log.info({ agent }, 'another program answers for this agent now; its demo waits until that one leaves');
      this.#lookLater();
    });
    return connection;
  }

  #lookLater(): void {
    const { clock, log, isConnected } = this.#options;
    this.#cancelLook = clock.after(LOOK_BACK_MS, () => {
      if (isConnected(this.#agent)) return this.#lookLater();
      log.info({ agent: this.#agent }, 'the other program has left; the demo answers for this agent again');
      this.#connection = this.#enter();
    });
  }
}

async function ready(seats: readonly Seat[], clock: Clock): Promise<void> {
  for (let waited = 0; waited < READY_MS; waited += LOOK_MS) {
    if (seats.every(({ isSettled }) => isSettled)) return;
    await new Promise<void>((resolve) => {
      clock.after(LOOK_MS, resolve);
    });
  }
}
