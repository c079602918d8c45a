// A session: one connection of one agent, or of a surface in another process, over one transport. It begins with
// `initialize`; after that the host sends deliveries and the agent calls tools. The newest session of an agent fences
// the older ones by its epoch. A session that misses its heartbeats is closed.
import { printableLine } from '../../protocol/identity.ts';
import { isRetryable, type WireError, wireError } from '../../protocol/errors.ts';
import { type Agreement, DEFAULT_HOST_OFFER, negotiate } from '../../protocol/initialize.ts';
import { METHODS } from '../../protocol/methods.ts';
import { readParams } from '../../protocol/read-params.ts';
import { WIRE_LIMITS } from '../../protocol/wire-fields.ts';
import type { Cancel } from '../../runtime/clock.ts';
import { VERSION } from '../../runtime/manifest.ts';
import type { IngestResult } from '../../surfaces/surface.ts';
import type { RequestOutcome, RpcAnswer, RpcHandler, RpcHandlers } from '../../transport/requests.ts';
import { type Peer, createPeer } from '../../transport/peer.ts';
import type { Transport } from '../../transport/transport.ts';
import type { Courier } from '../deliver/courier.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { agentIdentity, type HostContext } from '../kernel/context.ts';
import type { AgentGate } from '../security/agent-gate.ts';
import type { LaneName } from '../security/shares.ts';
import { BASE_AGREEMENT } from '../session/agreements.ts';
import { type Link, type LinkAnswer, takeOver } from '../session/session-row.ts';
import { callTool, listTools } from '../tools/call.ts';
import type { ToolDeps } from '../tools/tool-context.ts';
import type { TurnSession } from '../turn/lost-turns.ts';
import type { Turns } from '../turn/turns.ts';
import { inLane, notificationInLane, ok, refused, refusedByStore, withinRate } from './share.ts';

export interface SessionDeps extends MethodDeps {
  context: HostContext;
  courier: Courier;
  ingest: Ingest;
  /** A session of the agent has been negotiated. */
  agreed(agent: string, agreement: Agreement): Promise<void>;
}

export type SessionIdentity = { kind: 'agent'; agent: string } | { kind: 'surface'; surface: string };

function callerOfSession(who: SessionIdentity): string {
  return who.kind === 'agent' ? `agent:${who.agent}` : `surface:${who.surface}`;
}

export async function openSession(
  deps: SessionDeps,
  transport: Transport,
  who: SessionIdentity,
): Promise<Peer> {
  const session = new Session(deps, transport, who);
  await session.peer.start();
  return session.peer;
}

class Session {
  readonly peer: Peer;
  readonly #deps: SessionDeps;
  readonly #who: SessionIdentity;
  /** Whose share it uses. */
  readonly #caller: string;
  #agreement: Agreement | undefined;
  #link: Link | undefined;
  #turns: TurnSession | undefined;
  #began = false;
  #missed = 0;
  #nextBeat: Cancel | undefined;

  constructor(deps: SessionDeps, transport: Transport, who: SessionIdentity) {
    this.#deps = deps;
    this.#who = who;
    this.#caller = callerOfSession(who);
    const disconnected = deps.context.shares.connected(this.#caller, () => transport.buffered);
    this.peer = createPeer(transport, {
      clock: deps.context.clock,
      handlers: this.#handlers(),
      answerTo: refusedByStore,
      onNotification: (method, params) => this.#notified(method, params),
      onClose: () => {
        disconnected();
        this.#nextBeat?.();
        if (this.#link !== undefined) deps.courier.detach(this.#link);
      },
      onError: (error) => deps.context.log.warn({ err: error, ...who }, 'a frame could not be handled'),
    });
  }

  #handlers(): RpcHandlers {
    const initialize: RpcHandler = (params) => this.#initialize(params);
    if (this.#who.kind === 'surface') {
      const { surface } = this.#who;
      return { ...notForSurfaces(), initialize, 'ingest/events': (params) => this.#ingest(params, surface) };
    }
    const agreed = (): Agreement => this.#agreement ?? BASE_AGREEMENT;
    const { ping, ...methods } = agentMethods(this.#deps, this.#who.agent, agreed, () => this.#turns);
    const guarded = Object.entries(methods).map(([name, run]) => [name, this.#initialized(run)] as const);
    return {
      ...Object.fromEntries(guarded),
      ...(ping === undefined ? {} : { ping }),
      initialize: gated(this.#deps.context.gate, initialize),
      'ingest/events': () => refused(wireError('forbidden', { permission: 'events:write' })),
    };
  }

  /** A notification has no answer. A harness that agreed to `logging` hears what became of one that was refused. */
  async #notified(method: string, params: unknown): Promise<void> {
    if (this.#who.kind !== 'agent') return;
    const { agent } = this.#who;
    const agreement = this.#agreement ?? BASE_AGREEMENT;
    const error = await agentNotification(this.#deps, agent, agreement, method, params);
    if (error === undefined) return;
    // What is beyond the agent's share is logged once a minute (security/shares.ts).
    if (error.data.name !== 'rate_limited')
      this.#deps.context.log.info({ agent, method, problem: error.message }, 'a notification was refused');
    if (!agreement.capabilities.utilities.logging) return;
    const said = { level: 'warning', logger: method, message: error.message, data: error.data };
    this.peer.notify('notifications/message', this.#deps.context.gate.out(said));
  }

  #initialized(run: RpcHandler): RpcHandler {
    return (params, call) =>
      this.#agreement === undefined ? refused(wireError('not_initialized')) : run(params, call);
  }

  #ingest(params: unknown, surface: string): RpcAnswer | Promise<RpcAnswer> {
    if (this.#agreement === undefined) return refused(wireError('not_initialized'));
    const events: unknown =
      typeof params === 'object' && params !== null && 'events' in params ? params.events : undefined;
    if (!Array.isArray(events) || events.length === 0)
      return refused(wireError('invalid_params', { problem: 'events: expected a list of events' }));
    if (events.length > WIRE_LIMITS.batchEvents)
      return refused(wireError('too_large', { limit: WIRE_LIMITS.batchEvents, unit: 'events' }));
    const { ingest, context } = this.#deps;
    return inLane(context.shares, this.#caller, 'ingest', () => ingest(events, surface).then(ingestAnswer));
  }

  async #initialize(params: unknown): Promise<RpcAnswer> {
    if (this.#began)
      return refused(wireError('invalid_request', { problem: 'this session is initialized already' }));
    const read = readParams(METHODS.initialize.params, params);
    if (!read.ok) return refused(read.error);
    const negotiated = negotiate(read.value, DEFAULT_HOST_OFFER);
    if (!negotiated.ok) return refused(negotiated.error);
    const { agreement } = negotiated;
    const taken = this.#deps.context.shares.take(this.#caller, 'sessions');
    if (!taken.ok) return refused(wireError('rate_limited', { retryAfterMs: taken.retryAfterMs }));
    this.#began = true;
    const serverInfo = { name: 'earshot', version: VERSION };
    if (this.#who.kind === 'surface') {
      this.#agreement = agreement;
      return ok({ ...agreement, serverInfo });
    }
    const { agent } = this.#who;
    // A node that was stopped finds connections whose harness has long gone elsewhere. It must not take the session back.
    if (!this.#deps.context.store.nodes.isAwake()) {
      this.peer.close('going_away');
      return refused(wireError('unavailable', { what: 'The host' }));
    }
    const held = read.value.holding ?? [];
    const opened = await takeOver(this.#deps.context, agent, agreement, held, () => this.peer.isClosed);
    if (opened === undefined) return refused(wireError('unavailable', { what: 'The session' }));
    const { epoch, superseded } = opened;
    const ended = new Set(superseded);
    const holding = new Set(held.filter((eventId) => !ended.has(eventId)));
    const link = this.#linkTo(agent, epoch, agreement);
    this.#link = link;
    this.#turns = { epoch, begun: new Set() };
    this.#agreement = agreement;
    await this.#deps.agreed(agent, agreement);
    // The session starts after the answer is sent, because the first delivery must not arrive before it.
    this.#deps.context.clock.after(0, () => {
      if (this.peer.isClosed) return;
      this.#deps.courier.attach(link, holding).catch((error: unknown) => {
        this.#deps.context.log.error({ err: error, agent }, 'a session could not be opened');
        this.peer.close('going_away');
      });
      this.#beat();
    });
    return ok({
      ...agreement,
      serverInfo,
      agent: `agent:${agent}`,
      identity: agentIdentity(this.#deps.context, agent),
      sessionId: `${agent}.${epoch}`,
      heartbeatMs: this.#deps.context.settings.limits.heartbeatMs,
      superseded,
    });
  }

  #linkTo(agent: string, epoch: number, agreement: Agreement): Link {
    const { peer } = this;
    const { gate } = this.#deps.context;
    return {
      agent,
      epoch,
      agreement,
      request: (method, params, options) =>
        peer.request(method, gate.out(params) as Record<string, unknown>, options).then(answerOf),
      notify: (method, params) => peer.notify(method, gate.out(params) as Record<string, unknown>),
      close: (reason) => peer.close(reason),
    };
  }

  #beat(): void {
    const { clock, settings, log } = this.#deps.context;
    const { heartbeatMs, heartbeatsMissed } = settings.limits;
    if (this.peer.isClosed) return;
    void this.peer.request('ping', {}, { timeoutMs: heartbeatMs }).then((outcome) => {
      this.#missed = outcome.ok || outcome.kind === 'error' ? 0 : this.#missed + 1;
      // A missed heartbeat has already waited its whole time, so the next one follows at once.
      if (this.#missed < heartbeatsMissed) {
        if (this.peer.isClosed) return;
        this.#nextBeat = clock.after(this.#missed > 0 ? 0 : heartbeatMs, () => this.#beat());
        return;
      }
      log.warn({ ...this.#who }, 'heartbeats missed; the session is closed');
      this.peer.close('lost');
    });
  }
}

const AGENTS_ONLY = ['tools/list', 'tools/call', 'turn/started', 'turn/growing', 'turn/ended'] as const;

const refuseSurface = (): RpcAnswer => refused(wireError('forbidden', { permission: 'agent:connect' }));

/** A surface in another process may only ping and ingest. The methods of agents are refused. */
function notForSurfaces(): RpcHandlers {
  return { ping: () => ok({}), ...Object.fromEntries(AGENTS_ONLY.map((name) => [name, refuseSurface])) };
}

const STATUS = { accepted: 'stored', repeat: 'duplicate', refused: 'refused' } as const;

function ingestAnswer(results: readonly IngestResult[]): RpcAnswer {
  return ok({ events: results.map(wireResultOf) });
}

function wireResultOf(result: IngestResult) {
  const { eventId, status } = result;
  const shown = { eventId: eventId === '' ? '?' : eventId, status: STATUS[status] };
  if (result.status !== 'refused') {
    const { seq: sequence, sourceId } = result;
    return { ...shown, ...(sourceId === undefined ? {} : { sourceId }), sequence };
  }
  const { code, message, retryAfterMs } = result.error;
  const problem = printableLine(message, WIRE_LIMITS.lineChars);
  return { ...shown, problem, code, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function answerOf(outcome: RequestOutcome): LinkAnswer {
  if (outcome.ok) return { type: 'result', result: outcome.result };
  switch (outcome.kind) {
    case 'error':
    case 'not_sent': {
      const { error } = outcome;
      const retryAfterMs = retryAfterOf(error.data);
      return { type: 'error', message: error.message, retryable: isRetryable(error), retryAfterMs };
    }
    case 'timeout':
    case 'cancelled':
      return { type: 'timeout' };
    case 'closed':
      return { type: 'closed' };
  }
}

function retryAfterOf(data: unknown): number | undefined {
  const { retryAfterMs } = (data ?? {}) as { retryAfterMs?: unknown };
  return typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? retryAfterMs : undefined;
}

// The methods that an agent's harness may call. A session (WebSocket, stdio, memory) and single HTTP requests use the
// same handlers. They differ only in `initialize` and in how deliveries arrive.

export interface MethodDeps {
  turns: Turns;
  tools: ToolDeps;
  /** An agent reports progress. Resolves with what is wrong with the report, if something is. */
  progress(agent: string, params: unknown): Promise<WireError | undefined>;
  /** An agent is at work. The surface shows it. */
  typing(agent: string, params: unknown): Promise<void>;
}

/** What the harness asks and what it is answered passes the gate. */
export function gated(gate: AgentGate, run: RpcHandler): RpcHandler {
  return async (params, call) => gate.out(await run(gate.in(params), call));
}

/** What these answer is the same for everybody, and nobody has written in it. */
const UNGATED: ReadonlySet<string> = new Set(['ping', 'tools/list']);

/** `agreed`: what the caller has agreed to by now, over its own way. `session`: its session, if it calls over one. */
export function agentMethods(
  deps: MethodDeps,
  agent: string,
  agreed: () => Agreement,
  session: () => TurnSession | undefined = () => undefined,
): RpcHandlers {
  const { gate } = deps.tools.context;
  const all = Object.entries(openMethods(deps, agent, agreed, session));
  return Object.fromEntries(all.map(([name, run]) => [name, UNGATED.has(name) ? run : gated(gate, run)]));
}

function openMethods(
  deps: MethodDeps,
  agent: string,
  agreed: () => Agreement,
  session: () => TurnSession | undefined,
): Record<string, RpcHandler> {
  const { turns, tools } = deps;
  const { shares } = tools.context;
  const reporting = (run: () => Promise<RpcAnswer>): Promise<RpcAnswer> =>
    withinRate(shares, `agent:${agent}`, 'turns', () => inLane(shares, `agent:${agent}`, 'turn', run));
  return {
    // Sent with an id, the notification is a request, and its answer says what became of it.
    async 'notifications/progress'(params) {
      const error = await agentNotification(deps, agent, agreed(), 'notifications/progress', params);
      return error === undefined ? ok({}) : refused(error);
    },
    ping: () => ok({}),
    'tools/list': () => ok({ tools: listTools(agreed()) }),
    async 'tools/call'(params, { signal }) {
      const read = readParams(METHODS['tools/call'].params, params);
      if (!read.ok) return read;
      const { name, arguments: args } = read.value;
      const caller = { ...tools, agent, agreement: agreed(), signal, session: session() };
      return ok(await callTool(name, args, caller));
    },
    async 'turn/started'(params) {
      const read = readParams(METHODS['turn/started'].params, params);
      if (!read.ok) return read;
      const { turnId, eventIds } = read.value;
      const { capabilities } = agreed();
      const composed = !capabilities.injection.buffered;
      return reporting(async () => {
        const { streams, ...told } = await turns.start(agent, turnId, eventIds, composed, session());
        return ok({ ...told, ...(streams && capabilities.streaming === true && { streams }) });
      });
    },
    async 'turn/growing'(params) {
      const read = readParams(METHODS['turn/growing'].params, params);
      if (!read.ok) return read;
      if (agreed().capabilities.streaming !== true)
        return refused(wireError('not_negotiated', { what: 'streaming' }));
      return inLane(shares, `agent:${agent}`, 'turn', async () =>
        ok(await tools.growing.grow(agent, read.value)),
      );
    },
    async 'turn/ended'(params) {
      const read = readParams(METHODS['turn/ended'].params, params);
      if (!read.ok) return read;
      const { turnId, outcome, usage, error, retryable } = read.value;
      return reporting(async () =>
        ok(await turns.end(agent, turnId, outcome, { usage, error, retryable }, session())),
      );
    },
  };
}

/** Notifications that an agent's harness may send. Resolves with the reason why one is refused. */
export async function agentNotification(
  deps: MethodDeps,
  agent: string,
  { capabilities }: Agreement,
  method: string,
  params: unknown,
): Promise<WireError | undefined> {
  if (method === 'notifications/progress' && !capabilities.utilities.progress)
    return wireError('not_negotiated', { what: 'progress' });
  if (method === 'notifications/progress') return deps.progress(agent, params);
  const taking = (lane: LaneName, run: () => Promise<WireError | undefined>) =>
    notificationInLane(deps.tools.context.shares, `agent:${agent}`, lane, run);
  if (method === 'notifications/prompt')
    return taking('prompt', () => deps.tools.prompts.told(agent, params));
  if (method === 'notifications/typing')
    return taking('typing', () => deps.typing(agent, params).then(() => undefined));
  return undefined;
}
