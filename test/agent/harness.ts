// A real host in memory with real agents on it, under a virtual clock: what every test of the agent side starts from.
// `pass` moves the clock in small steps and lets the host work in between, so nothing ever sleeps.
import { type AgentConnection, connect, type ConnectOptions } from '../../src/agent/index.ts';
import { attentionSettingsSchema } from '../../src/attention/index.ts';
import { createHost, type Host } from '../../src/host/host.ts';
import { NO_INBOUND_LIMITS } from '../../src/host/security/rate-limit.ts';
import { hostStateCodec } from '../../src/host/kernel/conversation.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { type MemoryStore, openMemoryStore } from '../../src/store/memory/open.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';
import type { Surface } from '../../src/surfaces/surface.ts';
import { memoryPair } from '../../src/transport/memory.ts';
import type { Transport } from '../../src/transport/transport.ts';

export const START = Date.UTC(2026, 5, 2, 9);
const TURNS_OF_THE_LOOP = 12;

export interface Said {
  id?: string;
  text?: string;
  by?: string;
  kind?: 'human' | 'agent';
  at?: number;
  in?: string;
  inKind?: 'channel' | 'dm' | 'thread';
  mentions?: readonly string[];
  more?: Record<string, unknown>;
}

export interface World {
  clock: VirtualClock;
  store: MemoryStore;
  host: Host;
  posted: { agent: string; text: string; replyTo?: string }[];
  /** What the host said for an agent that failed or is not there (trouble-lines.ts). It is not in `posted`. */
  trouble: string[];
  reacted: { agent: string; signal: string; on: string }[];
  typing: string[];
  problems: string[];
  pass(ms: number, stepMs?: number): Promise<void>;
  say(said: Said): Promise<void>;
  agent(id: string, options?: ConnectOptions): AgentConnection;
  /** Loses every connection; agents come back by themselves. */
  cut(): void;
  /** The host's process ends and starts again on what was durable. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface WorldOptions {
  agents?: readonly Record<string, unknown>[];
  attention?: Record<string, unknown>;
  limits?: Record<string, unknown>;
  seed?: number;
}

export async function world(options: WorldOptions = {}): Promise<World> {
  const clock = new VirtualClock(START);
  const random = seededRandom(options.seed ?? 1);
  const problems: string[] = [];
  const posted: World['posted'] = [];
  const trouble: string[] = [];
  const reacted: World['reacted'] = [];
  const typing: string[] = [];
  const agents: AgentConnection[] = [];
  let links: Transport[] = [];
  let count = 0;
  let store = openMemoryStore({ clock, codec: hostStateCodec });
  const problem = (fields: Record<string, unknown>, message: string): void => {
    problems.push(`${message} ${fields['err'] instanceof Error ? fields['err'].stack : ''}`);
  };
  const start = (): Promise<Host> =>
    createHost({
      store,
      clock,
      random,
      log: { debug() {}, info() {}, warn() {}, error: problem },
      attention: attentionSettingsSchema.parse({
        agents: options.agents ?? [{ id: 'lead' }],
        ...options.attention,
      }),
      settings: hostSettingsSchema.parse({ limits: options.limits ?? {} }),
      configVersion: 'v1',
      surfaces: [internalSurface('earshot'), watched({ posted, trouble, reacted, typing })],
      findSecrets: () => [],
      rateLimits: NO_INBOUND_LIMITS,
    });

  const built: World = {
    clock,
    store,
    host: await start(),
    posted,
    trouble,
    reacted,
    typing,
    problems,
    async pass(ms, stepMs = 250) {
      const until = clock.now() + ms;
      await settle();
      while (clock.now() < until) {
        clock.advanceTo(Math.min(until, clock.now() + stepMs));
        await settle();
      }
    },
    async say(said) {
      const results = await built.host.ingest([eventOf(said, clock.now(), ++count)], 'web');
      for (const result of results) if (result.status === 'refused') throw new Error(result.error.message);
      await built.pass(0);
    },
    agent(id, more = {}) {
      const connection = connect({
        agent: id,
        clock,
        random: seededRandom((options.seed ?? 1) + agents.length + 1),
        log: { debug() {}, info() {}, warn() {}, error: problem },
        transport: () => {
          const [hostSide, agentSide] = memoryPair({ clock });
          links.push(agentSide);
          built.host.connect(hostSide, { kind: 'agent', agent: id }).catch(() => undefined);
          return agentSide;
        },
        ...more,
      });
      agents.push(connection);
      return connection;
    },
    cut() {
      const open = links;
      links = [];
      for (const link of open) link.close('lost');
    },
    async restart() {
      const image = store.crash();
      built.cut();
      store = openMemoryStore({ clock, codec: hostStateCodec, image });
      built.store = store;
      built.host = await start();
    },
    async stop() {
      const ended = Promise.all(agents.map((agent) => agent.close()));
      await built.pass(6_000);
      await ended;
      const stopped = built.host.stop();
      await built.pass(1_000);
      await stopped;
    },
  };
  return built;
}

function eventOf(said: Said, now: number, count: number): Record<string, unknown> {
  const { id = `e${count}`, text, by = 'ada', kind = 'human', at = now, mentions = [] } = said;
  return {
    eventId: id,
    at,
    platform: 'web',
    workspaceId: 'w',
    conversation: { id: said.in ?? 'C1', kind: said.inKind ?? 'channel' },
    author: { id: by, kind, displayName: by },
    type: 'message',
    ...(text === undefined ? {} : { text }),
    ...(mentions.length === 0 ? {} : { mentions: mentions.map((agent) => ({ kind: 'agent', id: agent })) }),
    ...said.more,
  };
}

type Seen = Pick<World, 'posted' | 'trouble' | 'reacted' | 'typing'>;

function watched({ posted, trouble, reacted, typing }: Seen): Surface {
  const inner = internalSurface('web');
  return {
    ...inner,
    post(message) {
      const { agent, text, replyTo, idempotencyKey } = message;
      const isTrouble = /\/ack-(?:trouble|gave-up|away):/.test(idempotencyKey);
      if (isTrouble) trouble.push(text);
      else posted.push({ agent, text, ...(replyTo === undefined ? {} : { replyTo: replyTo.eventId }) });
      return inner.post(message);
    },
    react(reaction) {
      reacted.push({ agent: reaction.agent, signal: reaction.signal, on: reaction.target.eventId });
      return inner.react(reaction);
    },
    typing(place, agent, on) {
      if (on) typing.push(`${agent} ${place.conversationId}`);
      return Promise.resolve();
    },
  };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS_OF_THE_LOOP; turn++) await new Promise((resolve) => setImmediate(resolve));
}
