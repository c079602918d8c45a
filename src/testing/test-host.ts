// `testHost`: the real host in memory, on a clock that moves only when told to. Agents connect with the real `connect`.
// The same seed and the same calls give the same run, down to the ids.
import { type AgentConnection, connect, type ConnectOptions, type Turn } from '../agent/index.ts';
import { readOutcome } from '../agent/tools.ts';
import { type AttentionSettingsInput, attentionSettingsSchema } from '../attention/index.ts';
import {
  createHost,
  type Host,
  hostSettingsSchema,
  hostStateCodec,
  INTERNAL_SURFACE,
} from '../host/index.ts';
import { NO_INBOUND_LIMITS } from '../host/security/rate-limit.ts';
import { callTool } from '../host/tools/call.ts';
import type { Signal } from '../protocol/vocabulary.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Random, seededRandom } from '../runtime/random.ts';
import { openMemoryStore } from '../store/memory/open.ts';
import type { Store } from '../store/store.ts';
import { internalSurface } from '../surfaces/internal/internal.ts';
import { memoryPair } from '../transport/memory.ts';
import type { Desk, Script } from './script.ts';
import { saidEvent, type SayOptions, SURFACE } from './said.ts';
import { Stage } from './stage.ts';
import { type VisibleChat, testSurface, type VisibleMessage, type VisibleReaction } from './test-surface.ts';
import { type Why, whyOf } from './why.ts';

type AgentInput = NonNullable<AttentionSettingsInput['agents']>[number];

export interface TestHostOptions {
  /** Agent ids, or agents as the configuration describes them. */
  agents: readonly (string | AgentInput)[];
  conversations?: AttentionSettingsInput['conversations'];
  /** Limits of attention, such as how many turns a loop may take or how long a claim lives. */
  limits?: AttentionSettingsInput['limits'];
  owner?: string;
  /** The host's own settings, such as `{ limits: { offerMs: 5_000 } }`. */
  settings?: Parameters<typeof hostSettingsSchema.parse>[0];
  /** Seeds ids, jitter and `desk.chance()`. */
  seed?: number;
  /** The longest that a frame between an agent and the host may take. */
  networkMs?: number;
  /** Epoch ms. */
  startAt?: number;
}

/** An entry of the operator's inbox. `kind` is `loop_stopped`, `offer_unclaimed`, `approval`, … */
export interface InboxItem {
  kind: string;
  eventId: string | null;
  agents: readonly string[];
}

const START = Date.UTC(2026, 5, 2, 9);
/** Longer than any close takes: the grace of a cancelled handler, a call on its way. */
const CLOSE_MS = 120_000;
const CONNECT_MS = 10_000;
/** Keeps the random streams of neighbouring seeds apart. */
const SEED_STEP = 7_919;

export class TestHost {
  readonly host: Host;
  /** Errors that the host or an agent logged. A test expects none. */
  readonly problems: string[];
  readonly #stage: Stage;
  readonly #store: Store;
  readonly #shown: VisibleChat;
  readonly #options: TestHostOptions;
  readonly #agents: AgentConnection[] = [];
  readonly #turns = new Map<string, number>();
  #events = 0;

  constructor(parts: {
    host: Host;
    problems: string[];
    stage: Stage;
    store: Store;
    shown: VisibleChat;
    options: TestHostOptions;
  }) {
    this.host = parts.host;
    this.problems = parts.problems;
    this.#stage = parts.stage;
    this.#store = parts.store;
    this.#shown = parts.shown;
    this.#options = parts.options;
  }

  get clock(): Clock {
    return this.#stage.clock;
  }

  /** Connects an agent. Resolves when its session is open. */
  async agent(id: string, script: Script, options: ConnectOptions = {}): Promise<AgentConnection> {
    const known = this.host.context.attention.agents.map((agent) => agent.id);
    if (!known.includes(id)) throw new Error(`testHost: no agent "${id}": name one of ${known.join(', ')}`);
    const random = this.#random(this.#agents.length + 1);
    const connection = connect({
      agent: id,
      clock: this.clock,
      random,
      log: logInto(this.problems),
      transport: () => this.#link(id, random),
      ...options,
    });
    connection.onTurn((turn) => {
      this.#turns.set(id, this.turns(id) + 1);
      return script(turn, this.#desk(id, turn, random));
    });
    this.#agents.push(connection);
    if (!(await this.#stage.advance(CONNECT_MS, () => connection.status === 'ready')))
      throw new Error(`testHost: agent "${id}" did not connect`);
    return connection;
  }

  /** Somebody says something. Everything happens that needs no time to pass. Returns the event's id. */
  async say(author: string, text: string, options: SayOptions = {}): Promise<string> {
    const { id = `e${++this.#events}` } = options;
    const event = saidEvent(id, author, this.clock.now(), options);
    await this.#ingest({ ...event, type: 'message', text, ...options.more });
    const { author: by, conversation } = event;
    this.#shown.messages.push({
      eventId: id,
      by: by.id,
      kind: by.kind,
      text,
      in: conversation.id,
      at: this.clock.now(),
    });
    await this.#stage.settle();
    return id;
  }

  /** Somebody reacts to an event. Returns the id of the reaction's event. */
  async react(author: string, on: string, signal: Signal, options: SayOptions = {}): Promise<string> {
    const { id = `e${++this.#events}` } = options;
    const event = saidEvent(id, author, this.clock.now(), options);
    await this.#ingest({ ...event, type: 'reaction', targetEventId: on, signal, ...options.more });
    await this.#stage.settle();
    return id;
  }

  /** Lets time pass, from one timer to the next. */
  async advance(ms: number): Promise<void> {
    await this.#stage.advance(ms);
  }

  /** Lets time pass until the condition holds, at most this long. Returns whether it holds. */
  until(done: () => boolean, limitMs: number): Promise<boolean> {
    return this.#stage.advance(limitMs, done);
  }

  /** The messages people see, in order, their own included. With an author: only that author's. */
  visible(by?: string): VisibleMessage[] {
    return this.#shown.messages.filter((message) => by === undefined || message.by === by);
  }

  /** The reactions that agents left, in order. */
  reactions(by?: string): VisibleReaction[] {
    return this.#shown.reactions.filter((reaction) => by === undefined || reaction.by === by);
  }

  /** How often the agent's handler ran, which is how often its model would have run. */
  turns(id: string): number {
    return this.#turns.get(id) ?? 0;
  }

  /** The decision about an event for an agent, in words, and what became of the delivery. */
  why(eventId: string, agent: string): Promise<Why> {
    return this.#stage.through(whyOf(this.host, eventId, agent), 0);
  }

  /** The open entries of the operator's inbox. */
  async inbox(): Promise<InboxItem[]> {
    const rows = await this.#stage.through(this.#store.scan('inbox', 'byOpen', { eq: [1], limit: 1_000 }), 0);
    return rows.map(({ kind, eventId, agents }) => ({ kind, eventId, agents }));
  }

  /** Closes the agents, then the host. Throws when `problems` is not empty. */
  async close(): Promise<void> {
    await this.#stage.through(Promise.all(this.#agents.map((agent) => agent.close())), CLOSE_MS);
    await this.#stage.through(this.host.stop(), CLOSE_MS);
    if (this.problems.length > 0) throw new Error(`testHost: ${this.problems.join('\n')}`);
  }

  #random(stream: number): Random {
    return seededRandom((this.#options.seed ?? 1) * SEED_STEP + stream);
  }

  #link(id: string, random: Random) {
    const { networkMs = 0 } = this.#options;
    const [hostSide, agentSide] = memoryPair({
      clock: this.clock,
      ...(networkMs > 0 ? { faults: { random, lossChance: 0, delayMaxMs: networkMs } } : {}),
    });
    // A refused session closes the transport, and the agent's side hears of it there.
    this.host.connect(hostSide, { kind: 'agent', agent: id }).catch(() => undefined);
    return agentSide;
  }

  #desk(id: string, turn: Turn, random: Random): Desk {
    return {
      wait: (ms) =>
        new Promise((resolve) => {
          this.clock.after(ms, resolve);
          turn.signal.addEventListener('abort', () => resolve(), { once: true });
        }),
      chance: () => random.next(),
      call: async (name, args) => readOutcome(await callTool(name, args, this.host.toolCaller(id))),
    };
  }

  async #ingest(event: Record<string, unknown>): Promise<void> {
    const [result] = await this.#stage.through(this.host.ingest([event], SURFACE), 0);
    if (result?.status === 'refused') throw new Error(`testHost: ${result.error.message}`);
  }
}

export async function testHost(options: TestHostOptions): Promise<TestHost> {
  const { agents, conversations, limits, owner, settings = {}, seed = 1, startAt = START } = options;
  const stage = new Stage(startAt);
  const { clock, schedule } = stage;
  const problems: string[] = [];
  const shown: VisibleChat = { messages: [], reactions: [] };
  const store = openMemoryStore({ clock, codec: hostStateCodec, schedule });
  const host = await stage.through(
    createHost({
      store,
      clock,
      schedule,
      random: seededRandom(seed * SEED_STEP),
      log: logInto(problems),
      attention: attentionSettingsSchema.parse({
        agents: agents.map((agent) => (typeof agent === 'string' ? { id: agent } : agent)),
        ...(conversations === undefined ? {} : { conversations }),
        ...(limits === undefined ? {} : { limits }),
        ...(owner === undefined ? {} : { owner }),
      }),
      settings: hostSettingsSchema.parse(settings),
      configVersion: 'test',
      surfaces: [internalSurface(INTERNAL_SURFACE), testSurface(SURFACE, shown, clock)],
      findSecrets: () => [],
      rateLimits: NO_INBOUND_LIMITS,
    }),
    0,
  );
  return new TestHost({ host, problems, stage, store, shown, options });
}

const quiet = (): void => undefined;

function logInto(problems: string[]) {
  return {
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (fields: Record<string, unknown>, message: string): void => {
      const { err } = fields as { err?: unknown };
      problems.push(`${message}${err instanceof Error ? `: ${err.stack ?? err.message}` : ''}`);
    },
  };
}
