// The host: builds one running pipeline from the given ports. This file only composes the steps, from the bottom of the
// pipeline to its top; each step is a folder. The caller chooses the store, the transports and the surfaces.
import type { AttentionSettings, ObligationOptions } from '../attention/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import type { Store } from '../store/store.ts';
import type { Surface, SurfaceAnswer, SurfacePlace, SurfaceRequest } from '../surfaces/surface.ts';
import type { Peer } from '../transport/peer.ts';
import type { Transport } from '../transport/transport.ts';
import { type Courier, createCourier } from './deliver/courier.ts';
import { startAwayLines } from './deliver/away-lines.ts';
import { type Presence, createPresence } from './deliver/presence.ts';
import { type Puller, createPuller } from './deliver/pull.ts';
import { createTypingSigns } from './deliver/pull-windows.ts';
import { mendDeliveries } from './delivery/mend.ts';
import { startClockJumps } from './due/clock-jumps.ts';
import { startEarlyRetries } from './due/early-retry.ts';
import { type Sweep, createSweep } from './due/sweep.ts';
import { createUpkeep } from './due/upkeep.ts';
import { type SessionDeps, type SessionIdentity, openSession } from './harness/session.ts';
import { type Committer, createCommitter } from './ingest/committer.ts';
import { matchAmendment } from './ingest/own-amendments.ts';
import { createEchoes } from './ingest/own-posts.ts';
import { createGrants } from './security/pairing.ts';
import { createHistories, startMembership } from './ingest/ask-surface.ts';
import { type Ingest, createIngest } from './ingest/ingest.ts';
import { createQuestions } from './kernel/questions.ts';
import { createAccounts } from './kernel/accounts.ts';
import { readAgentRecord } from './kernel/agent-record.ts';
import { createAuditTrail } from './kernel/audit.ts';
import { createBudgets } from './kernel/budget.ts';
import { createApply, type HostLog, createBus } from './kernel/change.ts';
import { type HostContext, type StoreReader, createRosters } from './kernel/context.ts';
import { INTERNAL_SURFACE, type Places, createPlaces } from './kernel/conversation.ts';
import type { HostSettings } from './kernel/settings.ts';
import { createSpeakers } from './kernel/speakers.ts';
import { mendSends } from './outbox/mend.ts';
import { messageBodyOf } from './outbox/outbox-row.ts';
import { createPostsUnderWay } from './outbox/posts-under-way.ts';
import { createShownAs } from './outbox/on-platform.ts';
import { createAttachmentReader } from './read/attachment-reader.ts';
import { createParticipants } from './read/participants.ts';
import { createReadTexts } from './read/read-texts.ts';
import { type Agreements, BASE_AGREEMENT, createAgreements } from './session/agreements.ts';
import { compileSensitive } from './security/sensitive.ts';
import { createInboundLimits, createOutboundLimit, type InboundRates } from './security/rate-limit.ts';
import { createAgentGate } from './security/agent-gate.ts';
import type { Spans } from './security/redact.ts';
import { type Poster, createPoster } from './send/post.ts';
import { createQuestionEnds } from './send/question-ends.ts';
import { createSurfaceActs } from './operator/surface-acts.ts';
import { startSurfaces } from './surfaces/start-surfaces.ts';
import { type SurfaceStates, createSurfaceStates } from './surfaces/surface-health.ts';
import type { ToolCaller, ToolDeps } from './tools/tool-context.ts';
import { createPrompts, type Prompts } from './turn/prompts.ts';
import { reportProgress } from './turn/progress.ts';
import { createTurns } from './turn/turns.ts';
import { showTyping } from './turn/typing.ts';
import { createWorking, type Working } from './turn/working.ts';
import { stopTurns } from './turn/stop.ts';

export interface HostOptions {
  store: Store;
  clock: Clock;
  random: Random;
  log: HostLog;
  attention: AttentionSettings;
  settings: HostSettings;
  configVersion: string;
  surfaces: readonly Surface[];
  findSecrets: (text: string) => Spans;
  obligationOptions?: ObligationOptions;
  /** How much may come in. Generous when left out. */
  rateLimits?: Partial<InboundRates>;
}

export interface Host {
  context: HostContext;
  ingest: Ingest;
  committer: Committer;
  courier: Courier;
  poster: Poster;
  puller: Puller;
  places: Places;
  presence: Presence;
  /** Who is at work, and what people see of it. */
  working: Working;
  sweep: Sweep;
  /** Connects a harness, or a surface in another process. Resolves when the transport has started. */
  connect(transport: Transport, who: SessionIdentity): Promise<Peer>;
  /** For tool calls of callers that negotiate nothing: MCP, and answers of webhooks. */
  toolCaller(agent: string, signal?: AbortSignal): ToolCaller;
  /** What agents agreed to over HTTP, where a call has no session. */
  agreements: Agreements;
  surfaces: HostSurfaces;
  /** What the models of turns read. */
  prompts: Prompts;
  sessionDeps: SessionDeps;
  /** Ends every session and waits for running posts. Everything else is in the store for the next start. */
  stop(): Promise<void>;
}

/** The surfaces, as operators and platforms reach them. */
export interface HostSurfaces {
  /** How each one is. */
  all: SurfaceStates['all'];
  /** Undefined when there is no such surface, or it takes no requests. */
  request(id: string, request: SurfaceRequest): Promise<SurfaceAnswer | undefined>;
  /** The message behind a link of a platform. */
  fromLink(link: string): { surface: string; place: SurfacePlace; platformId: string } | undefined;
}

export async function createHost(options: HostOptions): Promise<Host> {
  const bus = createBus(options.log);
  const apply = createApply(options.store, bus);
  const agreements = await createAgreements({ store: options.store, apply }, options.attention.agents);
  const { glyphsOf } = agreements;
  const context = contextOf(options, { bus, apply, glyphsOf });
  const { store, clock, attention, settings } = context;
  const surfaces = new Map(options.surfaces.map((surface) => [surface.id, surface]));
  const surface = (id: string): Surface | undefined => surfaces.get(id);
  const agents = new Set(attention.agents.map(({ id }) => id));
  const places = await createPlaces(store, bus, (id) => agents.has(id));
  const isKnown = (key: string): boolean => places.isKnown(key);
  const focus = await loadFocus(store, attention);
  const budgets = await createBudgets(store, attention, clock);
  const grants = await createGrants(context);
  const posts = createPostsUnderWay(context);
  const shownAs = await createShownAs(store, surfaces.keys(), (id) => context.accounts.doorsOf(id));
  const typing = createTypingSigns(context);
  const courier = createCourier(context, typing);
  const presence = createPresence(context, (agent) => courier.connected(agent));
  const committer = createCommitter({
    context,
    grants,
    focus: () => (focus.size === 0 ? [] : focusedAt(focus, clock.now())),
    budgets,
    rank: (agent) => courier.rank(agent),
  });
  const echoDeps = { context, committer, shownAs, posts, isKnown };
  const echoes = createEchoes(echoDeps);
  const histories = createHistories({ context, committer, echoes, surface, isKnown });
  const ingest = createIngest({
    context,
    limits: createInboundLimits(options.rateLimits ?? {}, clock),
    committer,
    echoes,
    matchAmendment: (event, from) => matchAmendment(echoDeps, event, from),
    histories,
    shownAs,
  });
  const poster = createPoster({
    context,
    committer,
    shownAs,
    posts,
    surface,
    stop: (row, reason) => stopTurns({ context, courier }, row, reason),
  });
  const prompts = createPrompts(context);
  const working = createWorking(context, surface);
  const puller = createPuller(context, typing, working);
  const sweep = createSweep({
    context,
    committer,
    poster,
    posts,
    ...digestClock(clock, settings.limits.digestMs),
    focusUntil: (agent) => focus.get(agent) ?? 0,
    upkeep: createUpkeep(context, { purge: () => grants.purge(), prompts }),
  });
  const trail = createAuditTrail(context);
  const participants = createParticipants(context);
  const tools: ToolDeps = {
    context,
    committer,
    places,
    posts,
    outbound: createOutboundLimit(settings.limits.sendsPerMinute, clock),
    puller,
    participants,
    prompts,
    attachments: createAttachmentReader(context, surface),
    texts: createReadTexts(context),
    surface,
    trail,
    setFocus: (agent, until) => void focus.set(agent, until),
    called: (agent) => presence.called(agent),
  };
  const sessionDeps: SessionDeps = {
    context,
    courier,
    turns: createTurns({ context, committer, budgets, participants, prompts }),
    ingest,
    tools,
    progress: (agent, params) => reportProgress({ context, committer }, agent, params),
    agreed: (agent, agreement) => agreements.note(agent, agreement, 'session'),
    typing: (agent, params) => showTyping({ context, places, surface, shown: working.shown }, agent, params),
  };
  startMembership({ context, committer, surface });
  const questionEnds = createQuestionEnds({ context, surface });
  bus.listen((news) => {
    if (news.type === 'outbox') poster.post(news.key);
    else if (news.type === 'inbox') questionEnds.inboxChanged(news.key);
    else if (news.type === 'outbox_done') {
      // It may have been decided before the question was visible.
      const { approval } = messageBodyOf(news.row);
      if (approval !== undefined) questionEnds.show(approval);
    }
  });
  const states = createSurfaceStates(context, surfaces.values());
  const act = createSurfaceActs({ context, committer, grants, surface, questionEnds });
  await startSurfaces({ context, ingest, states, act }, surfaces.values());
  await questionEnds.start();
  const endClockJumps = startClockJumps(context);
  await mendDeliveries(context);
  await mendSends(context, surfaces.values());
  sweep.start();
  await startEarlyRetries(context);
  const endAwayLines = await startAwayLines({ context, presence });
  const peers = new Set<Peer>();
  return {
    context,
    ingest,
    committer,
    courier,
    poster,
    puller,
    places,
    presence,
    working,
    sweep,
    prompts,
    sessionDeps,
    async connect(transport, who) {
      const peer = await openSession(sessionDeps, transport, who);
      peers.add(peer);
      void peer.closed.then(() => peers.delete(peer));
      return peer;
    },
    agreements,
    surfaces: hostSurfaces(surfaces, states),
    toolCaller: (agent, signal) => ({ ...tools, agent, agreement: BASE_AGREEMENT, signal }),
    async stop() {
      endAwayLines();
      endClockJumps();
      working.stop();
      await sweep.stop();
      for (const peer of peers) peer.close('going_away');
      await Promise.all([...peers].map((peer) => peer.closed));
      await poster.idle();
      await questionEnds.stop();
      await trail.flush();
      await prompts.flush();
      for (const one of surfaces.values()) await one.stop();
    },
  };
}

function hostSurfaces(surfaces: ReadonlyMap<string, Surface>, states: SurfaceStates): HostSurfaces {
  return {
    all: () => states.all(),
    request: async (id, request) => surfaces.get(id)?.request?.(request),
    fromLink(link) {
      for (const surface of surfaces.values()) {
        const found = surface.fromLink?.(link);
        if (found !== undefined) return { surface: surface.id, ...found };
      }
      return undefined;
    },
  };
}

function contextOf(
  options: HostOptions,
  { bus, apply, glyphsOf }: Pick<HostContext, 'bus' | 'apply' | 'glyphsOf'>,
): HostContext {
  const { store, clock: wall, random, log, attention, settings, configVersion, findSecrets } = options;
  const accounts = createAccounts(attention.agents.map(({ id }) => id));
  return {
    store,
    apply,
    glyphsOf,
    clock: store.clock,
    wall,
    random,
    log,
    attention,
    settings,
    configVersion,
    findSecrets,
    gate: createAgentGate(findSecrets),
    rosterAt: createRosters(attention),
    accounts,
    speakers: createSpeakers(options.surfaces, (id) => accounts.doorsOf(id)),
    questions: createQuestions(),
    bus,
    sharedIds: new Set(),
    sensitive: compileSensitive(settings.sensitive),
    obligationOptions: options.obligationOptions ?? {},
  };
}

/** Focus survives a restart. It is read from each agent's record once and then kept in memory. */
async function loadFocus(store: StoreReader, attention: AttentionSettings): Promise<Map<string, number>> {
  const focus = new Map<string, number>();
  for (const { id } of attention.agents) {
    const { focusUntil } = await readAgentRecord(store, id);
    if (focusUntil > 0) focus.set(id, focusUntil);
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

export { INTERNAL_SURFACE };
