// `earshot mcp --channel`: the same MCP server, woken by the host. It also keeps a session with the host, through which
// deliveries come. The model gets a knock for each and reads the delivery with `chat_wait_events`. When the host is
// gone it waits; nothing is lost, because the host delivers everything unsettled again.
import { readEvent, record, string } from '../agent/read-event.ts';
import { AGENT_LIMITS } from '../agent/limits.ts';
import { AgentSession } from '../agent/session.ts';
import {
  CHANNEL_LIMITS,
  type ChannelDelivery,
  ChannelInbox,
  type ChannelLimits,
} from '../host/mcp/channel-inbox.ts';
import type { ChannelNotice } from '../host/mcp/channel-notice.ts';
import type { HostPort } from '../host/mcp/host-port.ts';
import type { RemoteHost } from '../host/mcp/remote-caller.ts';
import { wireError } from '../protocol/errors.ts';
import { toolSuccess } from '../protocol/tool.ts';
import type { Clock } from '../runtime/clock.ts';
import { systemRandom } from '../runtime/random.ts';
import type { RpcAnswer } from '../transport/requests.ts';
import type { CloseReason, Transport } from '../transport/transport.ts';
import { channelDelivery } from './mcp-delivery.ts';

export interface ChannelOptions {
  agent: string;
  clock: Clock;
  /** Called for every connection. */
  host: () => RemoteHost | undefined;
  open: (host: RemoteHost) => Transport;
  /** The host, for calls and turns. */
  port: HostPort;
  tell: (message: string) => void;
  limits?: Partial<ChannelLimits>;
}

export interface Channel {
  /** What the MCP server asks. Deliveries held here are answered here, the rest by the host. */
  port: HostPort;
  /** Called when the client is ready. Starts the session with the host. */
  start(notify: (notice: ChannelNotice) => void): void;
  close(): void;
}

/** The host joins fragments, so that there is one knock per whole message. */
const CAPABILITIES = {
  delivery: { ack: true, redelivery: true, idempotency: true },
  injection: { immediate: true, buffered: false, notify: true, tool_mailbox: true, digest: true },
  utilities: { progress: false, cancellation: true, logging: false },
  obligations: true,
};
/** A refused token may be replaced. The folder is read again after this time. */
const UNAUTHORIZED_MS = 30_000;
const RETRY_AFTER_MS = 5_000;
const EVENTS_AT_ONCE = 20;

export function createChannel(options: ChannelOptions): Channel {
  const { clock, tell } = options;
  let notify: ((notice: ChannelNotice) => void) | undefined;
  let session: AgentSession | undefined;
  let closed = false;
  /** Reports each loss of the host once, however often it reconnects. */
  let isLost = false;
  const isReady = (): boolean => session?.status === 'ready';

  const inbox = new ChannelInbox({
    clock,
    limits: { ...CHANNEL_LIMITS, ...options.limits },
    notify: (notice) => notify?.(notice),
    canKnock: () => notify !== undefined && isReady(),
    stillAsked: (delivery) => stillAsked(options.port.call, delivery),
    letGo: (eventId) => void endQuietly(session, eventId),
  });

  const connect = (): void => {
    const current = new AgentSession({
      open: () => options.open(found(options.host())),
      clock,
      random: systemRandom,
      limits: AGENT_LIMITS,
      log: {
        debug: () => undefined,
        info: () => undefined,
        warn: (_fields, message) => {
          if (!isLost) tell(`${message}; knocks wait for the host`);
          isLost = true;
        },
        error: (_fields, message) => tell(message),
      },
      agent: options.agent,
      handlers: {
        ping: () => ({ ok: true, result: {} }),
        'chat/deliver': (params) => deliver(inbox, params),
      },
      onNotification: (method, params) => {
        if (method !== 'notifications/cancelled') return;
        const { eventId, reason } = record(params);
        inbox.cancelled(string(eventId) ?? '', string(reason) ?? '');
      },
      hello: () => ({ capabilities: CAPABILITIES, holding: inbox.holding() }),
      onReady: (superseded) => {
        isLost = false;
        inbox.superseded(superseded);
        tell(`knocks for ${options.agent} come from the host`);
        inbox.awake();
      },
    });
    session = current;
    current.start();
    void current.closed.then((reason) => over(reason));
  };
  const over = (reason: CloseReason): void => {
    if (closed) return;
    const said = ENDS[reason];
    if (said !== undefined) tell(said);
    if (reason === 'unauthorized') clock.after(UNAUTHORIZED_MS, () => !closed && connect());
  };

  return {
    port: {
      async call(name, args, request) {
        if (name === 'chat.wait_events' && isReady()) {
          const { limit = EVENTS_AT_ONCE, timeoutMs = 0 } = args as { limit?: number; timeoutMs?: number };
          const events = await inbox.wait(limit, timeoutMs, request.signal);
          return toolSuccess({ events, cursor: String(clock.now()) });
        }
        inbox.calling(name, args);
        const result = await options.port.call(name, args, request);
        inbox.called(name, args, result);
        return result;
      },
      startTurn: (turnId, eventIds, signal) => options.port.startTurn(turnId, eventIds, signal),
      endTurn: (turnId, outcome, signal) => options.port.endTurn(turnId, outcome, signal),
    },
    start(tellClient) {
      const isFirst = notify === undefined;
      notify = tellClient;
      if (isFirst) connect();
      else inbox.awake();
    },
    close() {
      closed = true;
      inbox.close();
      session?.close();
    },
  };
}

const ENDS: Partial<Record<CloseReason, string>> = {
  unauthorized:
    'the host does not take this token for this agent: no knocks until it does; "earshot token create --kind agent" makes one',
  fenced:
    'a newer session of this agent has taken over: the knocks go there. The tools go on working here; restart this one to take them back',
};

function found(host: RemoteHost | undefined): RemoteHost {
  if (host === undefined) throw new Error('no host runs yet');
  return host;
}

function deliver(inbox: ChannelInbox, params: unknown): RpcAnswer {
  const read = readEvent(params);
  if (!read.ok) return { ok: false, error: wireError('invalid_params', { problem: read.problem }) };
  const { eventId } = read.event;
  const outcome = inbox.deliver(channelDelivery(read.event));
  if (outcome === 'full')
    return { ok: false, error: wireError('rate_limited', { retryAfterMs: RETRY_AFTER_MS }) };
  return { ok: true, result: outcome === 'repeat' ? { eventId, duplicate: true } : { eventId } };
}

/** A disposition from the host means that the event was answered, settled or deferred, in whatever way. */
async function stillAsked(call: HostPort['call'], delivery: ChannelDelivery): Promise<boolean> {
  const { eventId, about, target, createdAt } = delivery;
  // A follow-up comes because of the outcome of the first, so it is asked again.
  if (eventId !== about || createdAt === undefined) return true;
  const at = new Date(createdAt).toISOString();
  const request = { id: `knock ${eventId}`, signal: new AbortController().signal };
  const listed = await call('chat.list_events', { target, since: at, until: at }, request);
  const rows = (listed.structuredContent?.['events'] ?? []) as { eventId?: string; disposition?: string }[];
  return rows.find((row) => row.eventId === eventId)?.disposition === undefined;
}

/** Ends a turn that said nothing. An event that only may be answered is settled as ignored. */
async function endQuietly(session: AgentSession | undefined, eventId: string): Promise<void> {
  const turnId = `quiet_${systemRandom.id()}`;
  const started = await session?.call('turn/started', { turnId, eventIds: [eventId] });
  if (started?.ok === true) await session?.call('turn/ended', { turnId, outcome: 'silent' });
}
