// The host: builds one running pipeline from the given ports. This file only composes the steps, from the bottom of the
// pipeline to its top; each step is a folder. The caller chooses the store, the transports and the surfaces.
import type { ObligationOptions } from '../attention/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { nextTurn, type Schedule } from '../runtime/schedule.ts';
import type { Store } from '../store/store.ts';
import type { Surface } from '../surfaces/surface.ts';
import type { Peer } from '../transport/peer.ts';
import type { Transport } from '../transport/transport.ts';
import { splitObligations } from './attend/split-obligations.ts';
import { type Courier, createCourier } from './deliver/courier.ts';
import { startAwayLines } from './deliver/away-lines.ts';
import { followOthers } from './deliver/elsewhere.ts';
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
import { mustRest, type Refusal } from './ingest/door.ts';
import { matchAmendment } from './ingest/own-amendments.ts';
import { createEchoes } from './ingest/own-posts.ts';
import { createGrants } from './security/pairing.ts';
import { createHistories, startMembership } from './ingest/ask-surface.ts';
import { type Ingest, createIngest } from './ingest/ingest.ts';
import { createQuestions } from './kernel/questions.ts';
import { createAccounts } from './kernel/accounts.ts';
import { createAuditTrail } from './kernel/audit.ts';
import { createBudgets } from './kernel/budget.ts';
import { createApply, type HostLog, createBus } from './kernel/change.ts';
import { ALONE, type Changes } from './kernel/changes.ts';
import { createLogTail } from './kernel/log-tail.ts';
import { type ContextSwitch, type HostContext, createContext } from './kernel/context.ts';
import { type GivenSettings, compileSettings } from './kernel/in-force.ts';
import { INTERNAL_SURFACE, type Places, createPlaces } from './kernel/conversation.ts';
import { SWEEP_LEASE } from './kernel/leases.ts';
import type { HostSettings } from './kernel/settings.ts';
import { createFocus } from './kernel/focus.ts';
import { createSpeakers } from './kernel/speakers.ts';
import { mendSends } from './outbox/mend.ts';
import { messageBodyOf } from './outbox/outbox-row.ts';
import { createOpinionQuota, type OpinionQuota } from './opinion/quota.ts';
import { type OpinionModel, startSecondOpinions } from './opinion/second-opinion.ts';
import { createPostsUnderWay } from './outbox/posts-under-way.ts';
import { createShownAs } from './outbox/on-platform.ts';
import { createAttachmentReader } from './read/attachment-reader.ts';
import { createParticipants, type ParticipantsOf } from './read/participants.ts';
import { createReadTexts } from './read/read-texts.ts';
import { type Agreements, BASE_AGREEMENT, createAgreements } from './session/agreements.ts';
import { createDirectory } from './session/directory.ts';
import { createInboundLimits, createOutboundLimit, type InboundRates } from './security/rate-limit.ts';
import { createAgentGate } from './security/agent-gate.ts';
import type { Spans } from './security/redact.ts';
import { createShares, LANE_LIMITS, type ShareOptions } from './security/shares.ts';
import { type Poster, createPoster } from './send/post.ts';
import { createQuestionEnds } from './send/question-ends.ts';
import { createSurfaceActs } from './operator/surface-acts.ts';
import { type HostSurfaces, hostSurfaces } from './surfaces/host-surfaces.ts';
import { startSurfaces } from './surfaces/start-surfaces.ts';
import { createSurfaceStates } from './surfaces/surface-health.ts';
import { startLostQuestions } from './tools/lost-questions.ts';
import type { ToolCaller, ToolDeps } from './tools/tool-context.ts';
import { createGrowing, type Growing } from './turn/growing.ts';
import { type GrowingHint, shareGrowing } from './turn/growing-elsewhere.ts';
import { createPrompts, type Prompts } from './turn/prompts.ts';
import { createProgress } from './turn/progress.ts';
import { createTurns } from './turn/turns.ts';
import { showTyping } from './turn/typing.ts';
import { createWorking, type Working, type WorkingSign } from './turn/working.ts';
import { stopTurns } from './turn/stop.ts';
import { sendAway } from './send-away.ts';
import {
  type ChangeSettings,
  createSettingsChanges,
  type FollowSettings,
  noteStart,
} from './change-settings.ts';
import type { VersionOrigin } from './kernel/settings-row.ts';
import { isWebKey } from './web-chat/places.ts';

export interface HostOptions extends GivenSettings {
  store: Store;
  clock: Clock;
  random: Random;
  log: HostLog;
  surfaces: readonly Surface[];
  findSecrets: (text: string) => Spans;
  obligationOptions?: ObligationOptions;
  /** Where the settings come from. They are then stored as a version, if they are not the newest already. */
  origin?: Omit<VersionOrigin, 'words'>;
  /** How much may come in. Generous when left out. */
  rateLimits?: Partial<InboundRates>;
  /** How much each caller may use. The usual limits when left out. */
  shares?: ShareOptions;
  /** What other hosts of the store change. Left out by a host that is alone on its store. */
  changes?: Changes;
  /** Asked where attention is unsure, if the settings say so. */
  opinionModel?: OpinionModel;
  /** Long work waits here for its next turn. Node's event loop when left out. */
  schedule?: Schedule;
}

export interface Host {
  context: HostContext;
  ingest: Ingest;
  /** Why a source's next batch would be refused, whatever is in it. */
  mustRest(source: string): Refusal | undefined;
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
  /** Who is in a conversation, for an agent that takes part in it. */
  participants: ParticipantsOf;
  /** What the models of turns read. */
  prompts: Prompts;
  /** What they have written so far. */
  growing: Growing;
  /** What second opinions have been asked for, and what came of it. */
  opinions: Pick<OpinionQuota, 'counts' | 'health'>;
  sessionDeps: SessionDeps;
  /** Puts other settings in force. Nothing is lost, and nothing is decided by half of them. */
  changeSettings: ChangeSettings;
  /** Takes settings that another host of the store has put in force. */
  followSettings: FollowSettings;
  /** Ends every session and waits for running posts. Everything else is in the store for the next start. */
  stop(): Promise<void>;
}

export async function createHost(options: HostOptions): Promise<Host> {
  const bus = createBus(options.log);
  const apply = createApply(options.store, bus);
  const { changes = ALONE } = options;
  const agreements = await createAgreements(
    { store: options.store, apply, changes },
    options.attention.agents,
  );
  const { glyphsOf } = agreements;
  const { store: stored, random, clock: time, log } = options;
  const questions = await createQuestions({ store: stored, apply, changes, random, clock: time, log });
  const inForce = contextOf(options, { bus, apply, glyphsOf, changes, questions });
  const { context } = inForce;
  const { store, clock, attention } = context;
  await splitObligations(context);
  if (options.origin !== undefined) await noteStart(context, options.origin);
  const surfaces = new Map(options.surfaces.map((surface) => [surface.id, surface]));
  const surface = (id: string): Surface | undefined => surfaces.get(id);
  const places = await createPlaces(context, (id) => context.agentIds.has(id));
  const isKnown = (key: string): boolean => places.isKnown(key);
  const focus = await createFocus(context, attention.agents);
  const budgets = await createBudgets(store, attention, clock, changes);
  const grants = await createGrants(context);
  const posts = createPostsUnderWay(context);
  const shownAs = await createShownAs(context, surfaces.keys(), (id) => context.accounts.doorsOf(id));
  const typing = createTypingSigns(context);
  const directory = createDirectory(context);
  const courier = createCourier(context, typing, (agent) => directory.elsewhere(agent));
  const presence = createPresence(context, (agent) => courier.connected(agent));
  const opinions = createOpinionQuota(context, options.opinionModel !== undefined);
  const committer = createCommitter({
    context,
    opinions,
    grants,
    focus: () => focus.at(clock.now()),
    budgets,
    rank: (agent) => courier.rank(agent),
  });
  const echoDeps = { context, committer, shownAs, posts, isKnown };
  const echoes = createEchoes(echoDeps);
  const histories = createHistories({ context, committer, echoes, surface, isKnown });
  const inbound = createInboundLimits(options.rateLimits ?? {}, clock, () => store.nodes.count());
  const ingest = createIngest({
    context,
    limits: inbound,
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
    ...digestClock(clock, () => context.settings.limits.digestMs),
    focusUntil: (agent) => focus.until(agent),
    upkeep: createUpkeep(context, { purge: () => grants.purge(), prompts }),
  });
  const trail = createAuditTrail(context);
  const participants = createParticipants(context);
  const texts = createReadTexts(context);
  const growing = shareGrowing(createGrowing({ context, places, surface, texts, shows: isWebKey }), context);
  const tools: ToolDeps = {
    context,
    committer,
    places,
    posts,
    growing,
    outbound: createOutboundLimit(() => context.settings.limits.sendsPerMinute, clock),
    puller,
    participants,
    prompts,
    attachments: createAttachmentReader(context, surface),
    texts,
    surface,
    trail,
    setFocus: (agent, until) => focus.set(agent, until),
    called: (agent) => presence.called(agent),
  };
  const sessionDeps: SessionDeps = {
    context,
    courier,
    turns: createTurns({ context, committer, budgets, participants, prompts, growing }),
    ingest,
    tools,
    progress: createProgress({ context, committer }),
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
  const takenOver = (taken: Surface): Promise<unknown> => {
    questionEnds.catchUp();
    return mendSends(context, [taken]);
  };
  const running = await startSurfaces({ context, ingest, states, act, takenOver }, surfaces.values());
  await questionEnds.start();
  const endClockJumps = startClockJumps(context);
  await mendDeliveries(context);
  if (store.nodes.id === undefined) await mendSends(context, surfaces.values());
  await store.nodes.want(SWEEP_LEASE, { gained: () => sweep.start(), lost: () => sweep.stop() });
  await startEarlyRetries(context);
  const endAwayLines = await startAwayLines({ context, presence });
  const endLostQuestions = startLostQuestions(context);
  const knows = [budgets, agreements, focus];
  const settingsChanges = createSettingsChanges({ ...inForce, courier, knows });
  const { opinionModel } = options;
  const endOpinions = startSecondOpinions({ context, committer, quota: opinions }, opinionModel);
  const peers = new Set<Peer>();
  const endFollowing = followOthers({
    context,
    courier,
    directory,
    posts,
    pulling: () => puller.waiting(),
    surfaces: [...surfaces.keys()],
    post: (key) => poster.post(key),
    wakeSweep: (at) => sweep.wake(at),
    decided: (approval) => questionEnds.show(approval),
    shows: {
      working: (sign) => working.heard(sign as WorkingSign),
      growing: (hint) => growing.heard(hint as GrowingHint),
    },
    closeSessions: () => {
      for (const peer of peers) peer.close('going_away');
    },
  });
  return {
    context,
    ingest,
    mustRest: (source) => mustRest(inbound, source),
    committer,
    courier,
    poster,
    puller,
    places,
    presence,
    working,
    sweep,
    participants,
    prompts,
    growing,
    opinions,
    sessionDeps,
    changeSettings: settingsChanges.change,
    followSettings: settingsChanges.follow,
    async connect(transport, who) {
      const peer = await openSession(sessionDeps, transport, who);
      peers.add(peer);
      void peer.closed.then(() => peers.delete(peer));
      return peer;
    },
    agreements,
    surfaces: hostSurfaces(surfaces, states, store.nodes, act),
    toolCaller: (agent, signal) => ({ ...tools, agent, agreement: BASE_AGREEMENT, signal }),
    async stop() {
      await endOpinions();
      endAwayLines();
      endLostQuestions();
      endClockJumps();
      working.stop();
      await sweep.stop();
      await store.nodes.giveUp(SWEEP_LEASE);
      await sendAway(context, peers);
      await poster.idle();
      await questionEnds.stop();
      await trail.flush();
      await prompts.flush();
      await running.stop();
      endFollowing();
    },
  };
}

function contextOf(
  options: HostOptions,
  given: Pick<HostContext, 'bus' | 'apply' | 'glyphsOf' | 'changes' | 'questions'>,
): ContextSwitch {
  const { store, clock: wall, random, log, attention, findSecrets, schedule = nextTurn } = options;
  const accounts = createAccounts(attention.agents.map(({ id }) => id));
  const { bus, changes } = given;
  const parts = {
    store,
    clock: store.clock,
    wall,
    random,
    schedule,
    log,
    findSecrets,
    gate: createAgentGate(findSecrets),
    shares: createShares(
      { clock: store.clock, log, schedule },
      sharesOf(options, () => made.context.settings),
    ),
    accounts,
    speakers: createSpeakers(options.surfaces, (id) => accounts.doorsOf(id)),
    ...given,
    tail: createLogTail({ store, bus, clock: store.clock, log, changes }),
    sharedIds: new Set<string>(),
    filesToCome: new Map(),
    obligationOptions: options.obligationOptions ?? {},
  };
  const made = createContext(parts, compileSettings(options));
  return made;
}

/** `settings`: those in force. They may be replaced while the host runs. */
function sharesOf({ shares }: HostOptions, settings: () => HostSettings): ShareOptions {
  const { each, waiting } = LANE_LIMITS.file;
  const file = {
    each,
    waiting,
    get all() {
      return settings().limits.attachmentsAtOnce;
    },
  };
  return { ...shares, lanes: { file, ...shares?.lanes } };
}

function digestClock(clock: Clock, everyMs: () => number) {
  let last = clock.now();
  return {
    nextDigestAt: () => (everyMs() === 0 ? undefined : last + everyMs()),
    digestsDone: (at: number) => {
      last = at;
    },
  };
}

export { INTERNAL_SURFACE };
