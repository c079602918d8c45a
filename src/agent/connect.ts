// `connect`: ten lines to put an agent in chat. Opens the session, keeps it, and calls the handler once per turn. Loads
// neither a schema library nor a web server: the global WebSocket is the transport, frames are read by hand.
import type { ComposeOptions } from '../compose/index.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import type { CloseReason, Transport } from '../transport/transport.ts';
import { webSocketClient } from '../transport/websocket-client.ts';
import { type AgentLog, consoleLog } from './agent-log.ts';
import { Asks } from './asks.ts';
import { Inbox } from './inbox.ts';
import type { Interrupts, Kit } from './kit.ts';
import { Ledger } from './ledger.ts';
import { AGENT_LIMITS, type AgentLimits } from './limits.ts';
import { webRandom } from './random.ts';
import { Session, type SessionStatus } from './session.ts';
import { createSlots } from './slots.ts';
import { readListing, type ToolListing } from './tools.ts';
import type { TurnHandler } from './turn.ts';

export interface ConnectOptions {
  /** `ws://127.0.0.1:7575/c2a`; http: and https: are taken for ws: and wss:. */
  url?: string | undefined;
  token?: string | undefined;
  /** The agent the token should be for: another one is refused. */
  agent?: string;
  /** Instead of a WebSocket: called for every connection. */
  transport?: () => Transport | Promise<Transport>;
  clock?: Clock;
  random?: Random;
  limits?: Partial<AgentLimits>;
  /** The compose window, if another pace is wanted. */
  compose?: Partial<ComposeOptions>;
  interrupts?: Interrupts;
  /** `take`: what is offered to a role is claimed at once, for agents that have no tools to claim with. */
  offers?: 'ask' | 'take';
  /** Off for agents that remember their conversations: turns then carry only what is new. */
  threadWindow?: boolean;
  /** Whether people see that a turn runs. On by default. */
  typing?: boolean;
  log?: AgentLog;
}

export interface AgentConnection {
  /** Called once per turn, one at a time per conversation. Until it is set, turns wait. */
  onTurn(handler: TurnHandler): AgentConnection;
  /** Cancels what runs, tells the host, closes. What was not answered goes to the agent's next session. */
  close(): Promise<void>;
  /** Resolves when the session is over for good, with the reason. */
  readonly closed: Promise<CloseReason>;
  readonly status: SessionStatus;
  /** Who the host says we are; empty until connected. */
  readonly agent: string;
}

export function connect(options: ConnectOptions): AgentConnection {
  const limits: AgentLimits = { ...AGENT_LIMITS, ...options.limits };
  const { clock = systemClock, random = webRandom, log = consoleLog, interrupts = 'tool_boundary' } = options;
  const handler = Promise.withResolvers<TurnHandler>();
  const tools = Promise.withResolvers<readonly ToolListing[]>();
  const ledger = new Ledger(limits);
  const session: Session = new Session({
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
  const kit: Kit = {
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
    compose: options.compose ?? {},
    handler: handler.promise,
    tools: tools.promise,
    claims: new Map(),
    asks: new Asks(),
    digests: [],
  };
  const inbox = new Inbox(kit, options.offers === 'take');
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

function opener(
  { url, token, transport }: ConnectOptions,
  clock: Clock,
): () => Transport | Promise<Transport> {
  if (transport !== undefined) return transport;
  if (url === undefined) throw new TypeError('connect: give `url`, such as ws://127.0.0.1:7575/c2a');
  return () => webSocketClient({ url, clock, ...(token === undefined ? {} : { token }) });
}

/** We compose, so `buffered`; an interrupt in the middle of a model's work only where the runner can stop it. */
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
