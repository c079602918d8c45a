// The host: ports in, one running pipeline out. This file only composes; every step is a file of its own. Concrete
// stores, transports and surfaces are chosen by the caller.
import type { AttentionSettings, ObligationOptions } from '../attention/index.ts';
import type { ChatEvent } from '../protocol/chat-event.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import type { Store } from '../store/store.ts';
import type { OutboxRow } from '../store/tables.ts';
import type { Surface } from '../surfaces/surface.ts';
import type { Peer } from '../transport/peer.ts';
import type { Transport } from '../transport/transport.ts';
import type { AgentRecord } from './kernel/agent-record.ts';
import { createAttachmentReader } from './read/attachment-reader.ts';
import { type CancelDeps, cancelTurns } from './turn/stop.ts';
import { type HostContext, type HostLog, type Spans, createBus, createRosters } from './kernel/context.ts';
import { type ConversationState, agentStateKey } from './kernel/conversation.ts';
import { type Courier, createCourier } from './deliver/courier.ts';
import { createEchoes } from './ingest/echo.ts';
import { createGrants } from './ingest/grants.ts';
import { createHistories } from './ingest/history.ts';
import { type Ingest, type IngestDeps, createIngest } from './ingest/ingest.ts';
import { createMembership } from './ingest/membership.ts';
import { INTERNAL_SURFACE, type Places, createPlaces } from './kernel/places.ts';
import { type Poster, createPoster } from './send/post.ts';
import { createOutboundLimit } from './send/outbound-limit.ts';
import { reportProgress } from './turn/progress.ts';
import { type Puller, createPuller } from './deliver/pull.ts';
import { compileSensitive } from './security/sensitive.ts';
import { type SessionDeps, type SessionIdentity, openSession } from './harness/session.ts';
import { showTyping } from './turn/show-typing.ts';
import { createShownAs } from './outbox/shown-as.ts';
import type { HostSettings } from './kernel/settings.ts';
import { type Sweep, createSweep } from './due/sweep.ts';
import type { ToolContext } from './tools/tool-context.ts';
import { createTurns } from './turn/turns.ts';
import { createUpkeep } from './due/upkeep.ts';

export interface HostOptions {
  store: Store;
  clock: Clock;
  random: Random;
  log: HostLog;
  attention: AttentionSettings;
  settings: HostSettings;
  configVersion: string;
  surfaces: readonly Surface[];
  findSecrets: (text: string) => Spans | Promise<Spans>;
  obligationOptions?: ObligationOptions;
}

export interface Host {
  context: HostContext;
  ingest: Ingest;
  courier: Courier;
  poster: Poster;
  puller: Puller;
  places: Places;
  sweep: Sweep;
  /** A harness, or a surface in another process. Resolves when the transport has started. */
  connect(transport: Transport, who: SessionIdentity): Promise<Peer>;
  /** For callers of tools without a session: HTTP and MCP. */
  toolContext(agent: string, signal?: AbortSignal): ToolContext;
  sessionDeps: SessionDeps;
  /** Ends sessions, lets what is under way finish, leaves the rest durable for the next start. */
  stop(): Promise<void>;
}

export async function createHost(options: HostOptions): Promise<Host> {
  const { store, clock, random, log, attention, settings, configVersion, findSecrets } = options;
  const context: HostContext = {
    store,
    clock,
    random,
    log,
    attention,
    settings,
    configVersion,
    findSecrets,
    rosterAt: createRosters(attention),
    bus: createBus(log),
    sensitive: compileSensitive(settings.sensitive),
    obligationOptions: options.obligationOptions ?? {},
  };
  const surfaces = new Map(options.surfaces.map((surface) => [surface.id, surface]));
  const focus = await loadFocus(store, attention);
  const courier = createCourier(context);
  const grants = await createGrants(context);
  const agents = new Set(attention.agents.map(({ id }) => id));
  const places = await createPlaces(store, context.bus, (id) => agents.has(id));
  const shownAs = await createShownAs(store, surfaces.keys());
  const isKnown = (key: string): boolean => places.isKnown(key);
  const ingestDeps: IngestDeps = {
    context,
    rolesOf: (event) => grants.rolesOf(event),
    redeem: (code, event) => grants.redeem(code, event),
    focus: () => (focus.size === 0 ? [] : focusedAt(focus, clock.now())),
    rank: (agent) => courier.rank(agent),
    gates: new Map(),
    histories: createHistories({
      context,
      ingest: () => ingestDeps,
      surface: (id) => surfaces.get(id),
      isKnown,
    }),
    echoes: createEchoes({ context, shownAs, poster: () => poster, isKnown }),
  };
  const ingest = createIngest(ingestDeps);
  const poster: Poster = createPoster({
    ...ingestDeps,
    surface: (id) => surfaces.get(id),
    shownAs,
    stopFirst: (row) => stopFirst({ context, courier, poster }, row),
  });
  const puller = createPuller(context);
  const digests = digestClock(clock, settings.limits.digestMs);
  const sweep = createSweep({
    ...ingestDeps,
    ...digests,
    poster,
    focusUntil: (agent) => focus.get(agent) ?? 0,
    upkeep: createUpkeep(context, () => grants.purge()),
  });
  const tools = {
    context,
    ingest: ingestDeps,
    places,
    poster,
    outbound: createOutboundLimit(settings.limits.sendsPerMinute, clock),
    puller,
    attachments: createAttachmentReader(context, (id) => surfaces.get(id)),
    setFocus: (agent: string, until: number) => void focus.set(agent, until),
  };
  const sessionDeps: SessionDeps = {
    context,
    courier,
    turns: createTurns(ingestDeps),
    ingest,
    tools,
    progress: (agent, params) => reportProgress(ingestDeps, agent, params),
    typing: (agent, params) =>
      showTyping({ context, places, surface: (id) => surfaces.get(id) }, agent, params),
  };
  const peers = new Set<Peer>();
  const heard = createMembership(ingestDeps, async (conversation) => {
    const state = (await store.state(conversation)) as ConversationState | undefined;
    return state === undefined ? undefined : surfaces.get(state.surface);
  });
  context.bus.listen((news) => {
    if (news.type === 'logged') heard(news);
    else if (news.type === 'outbox') poster.post(news.key);
    else if (news.type === 'cancel_turn') {
      cancelTurns({ context, courier, poster }, news).catch((error: unknown) => {
        log.error({ err: error, agent: news.agent }, 'a turn could not be cancelled; it is tried again');
      });
    }
  });
  for (const surface of surfaces.values())
    await surface.start({ ingest: (events) => ingest(events, surface.id) });
  sweep.start();
  return {
    context,
    ingest,
    courier,
    poster,
    puller,
    places,
    sweep,
    sessionDeps,
    async connect(transport, who) {
      const peer = await openSession(sessionDeps, transport, who);
      peers.add(peer);
      void peer.closed.then(() => peers.delete(peer));
      return peer;
    },
    toolContext: (agent, signal) => ({ ...tools, agent, signal }),
    async stop() {
      await sweep.stop();
      for (const peer of peers) peer.close('going_away');
      await Promise.all([...peers].map((peer) => peer.closed));
      await poster.idle();
      for (const surface of surfaces.values()) await surface.stop();
    },
  };
}

const STOPS: Record<string, string> = { 'ack-stop': 'stop', 'ack-leave': 'left' };

async function stopFirst(deps: CancelDeps, row: OutboxRow): Promise<void> {
  const reason = STOPS[row.bodyHash];
  const asked =
    reason === undefined || row.inReplyTo === null
      ? undefined
      : await deps.context.store.get('log', row.inReplyTo);
  if (reason === undefined || asked === undefined) return;
  await cancelTurns(deps, { agent: row.agent, conversation: row.conversation, reason, seq: asked.seq });
}

/** Focus outlives a restart: it is read from each agent's record once, and kept in memory for stamping. */
async function loadFocus(store: Store, attention: AttentionSettings): Promise<Map<string, number>> {
  const focus = new Map<string, number>();
  for (const { id } of attention.agents) {
    const record = (await store.state(agentStateKey(id))) as AgentRecord | undefined;
    if (record !== undefined && record.focusUntil > 0) focus.set(id, record.focusUntil);
  }
  return focus;
}

function focusedAt(focus: ReadonlyMap<string, number>, now: number): { agent: string; until: number }[] {
  return [...focus].filter(([, until]) => until > now).map(([agent, until]) => ({ agent, until }));
}

function digestClock(clock: Clock, everyMs: number) {
  let next = clock.now() + everyMs;
  return {
    nextDigestAt: () => (everyMs === 0 ? undefined : next),
    digestsDone: (at: number) => {
      next = at + everyMs;
    },
  };
}

/** The surface every host has. */
export { INTERNAL_SURFACE };
export type { ChatEvent };
