// `connect` puts an agent in chat in ten lines. It opens the session, keeps it open, and calls the handler once per
// turn. It loads no schema library and no web server: it uses the global WebSocket and reads frames by hand.
import type { ComposeOptions } from '../compose/index.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import type { CloseReason, Transport } from '../transport/transport.ts';
import { endpointOf } from '../transport/endpoint.ts';
import { webSocketClient } from '../transport/websocket-client.ts';
import { type AgentLog, consoleLog, type Interrupts, type AgentDeps, webRandom } from './agent-deps.ts';
import { Asks } from './asks.ts';
import { DeliveryRouter } from './delivery-router.ts';
import { Ledger } from './ledger.ts';
import { AGENT_LIMITS, type AgentLimits } from './limits.ts';
import { AgentSession, type SessionStatus } from './session.ts';
import { readListing, type ListedTool } from './tools.ts';
import type { TurnHandler } from './turn.ts';
import { createSlots } from './working.ts';

export interface ConnectOptions {
  /**
   * For example `http://127.0.0.1:7575`; `ws:` and the path `/c2a` may be written too. If left out: EARSHOT_URL, else the
   * host that runs in this folder (`.earshot`), wherever it listens.
   */
  url?: string | undefined;
  /** If left out: EARSHOT_TOKEN, else the token that the host in this folder made for `agent`. */
  token?: string | undefined;
  /** The agent that the token must belong to. A token of another agent is refused. */
  agent?: string;
  /** Makes the transport of each connection, instead of a WebSocket. */
  transport?: () => Transport | Promise<Transport>;
  clock?: Clock;
  random?: Random;
  limits?: Partial<AgentLimits>;
  /** Changes the compose window. */
  compose?: Partial<ComposeOptions>;
  interrupts?: Interrupts;
  /** `take`: claims every offer to a role at once. For agents that have no tools to claim with. */
  offers?: 'ask' | 'take';
  /** False for agents that remember their conversations. Their turns then carry only what is new. */
  threadWindow?: boolean;
  /** False for a model that cannot call the chat tools. Its prompt then names none. Default: true. */
  modelTools?: boolean;
  /** False: the host is not told what the model reads, so operators cannot look at it. Default: true. */
  tellPrompts?: boolean;
  /** Whether people see that a turn is running. Default: true. */
  typing?: boolean;
  log?: AgentLog;
}

export interface AgentConnection {
  /** The handler is called once per turn, one turn at a time per conversation. Turns wait until it is set. */
  onTurn(handler: TurnHandler): AgentConnection;
  /** Cancels running turns, tells the host, and closes. The agent's next session gets what was not answered. */
  close(): Promise<void>;
  /** Resolves with the reason when the session is over for good. */
  readonly closed: Promise<CloseReason>;
  readonly status: SessionStatus;
  /** The agent id that the host reports. Empty until connected. */
  readonly agent: string;
}

export function connect(options: ConnectOptions = {}): AgentConnection {
  const limits: AgentLimits = { ...AGENT_LIMITS, ...options.limits };
  const { clock = systemClock, random = webRandom, log = consoleLog, interrupts = 'tool_boundary' } = options;
  const handler = Promise.withResolvers<TurnHandler>();
  const tools = Promise.withResolvers<readonly ListedTool[]>();
  const ledger = new Ledger(limits);
  const session: AgentSession = new AgentSession({
    open: opener(options, clock),
    clock,
    random,
    limits,
    log,
    agent: options.agent,
    handlers: {
      ping: () => ({ ok: true, result: {} }),
      'chat/deliver': (params) => inbox.deliver(params),
    },
    onNotification: (method, params) => {
      if (method === 'notifications/cancelled') inbox.cancelled(params);
      else if (method === 'notifications/typing') inbox.typing(params);
    },
    hello: () => ({ capabilities: capabilities(interrupts), holding: ledger.holding() }),
    onReady: (superseded) => {
      inbox.superseded(superseded);
      void session
        .call('tools/list', {})
        .then((answer) => tools.resolve(answer.ok ? readListing(answer.result) : []));
    },
  });
  const shared: AgentDeps = {
    clock,
    random,
    limits,
    log,
    session,
    ledger,
    slots: createSlots(limits.concurrentTurns),
    interrupts,
    typing: options.typing ?? true,
    threadWindow: options.threadWindow ?? true,
    modelTools: options.modelTools ?? true,
    tellPrompts: options.tellPrompts ?? true,
    compose: options.compose ?? {},
    handler: handler.promise,
    tools: tools.promise,
    asks: new Asks(),
    digests: [],
  };
  const inbox = new DeliveryRouter(shared, options.offers === 'take');
  session.start();
  const connection: AgentConnection = {
    onTurn(given) {
      handler.resolve(given);
      return connection;
    },
    async close() {
      if (session.status === 'ready') await within(clock, limits.cancelGraceMs, inbox.stop('closing'));
      session.close();
    },
    closed: session.closed,
    get status() {
      return session.status;
    },
    get agent() {
      return session.agent;
    },
  };
  return connection;
}

/** Looks anew for every connection: a host that restarts may listen somewhere else. */
function opener(
  { url, token, agent, transport }: ConnectOptions,
  clock: Clock,
): () => Transport | Promise<Transport> {
  if (transport !== undefined) return transport;
  if (url !== undefined && token !== undefined) {
    const address = endpointOf(url);
    return () => webSocketClient({ url: address, clock, token });
  }
  return async () => {
    const { findLocalHost } = await import('../runtime/local-host.ts');
    const way = await findLocalHost({ url, token, agent });
    return webSocketClient({ url: endpointOf(way.url), clock, token: way.token });
  };
}

/** `interrupt` is offered only if the runner can stop a model in the middle of its work. */
function capabilities(interrupts: Interrupts): object {
  return {
    delivery: { ack: true, redelivery: true, idempotency: true },
    injection: {
      immediate: true,
      buffered: true,
      notify: true,
      tool_mailbox: true,
      digest: true,
      interrupt: interrupts === 'anytime',
    },
    chatTools: {
      readThread: true,
      sendMessage: true,
      react: true,
      reactionSignals: true,
      claim: true,
      defer: true,
      resolve: true,
    },
    utilities: { progress: true, cancellation: true, logging: false },
    obligations: true,
    streaming: true,
  };
}

/** Waits for it, at most so long. The timer goes with the wait: it must not hold the process. */
async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  try {
    await Promise.race([work, late]);
  } finally {
    cancel();
  }
}
