// A harness as a test sees it: one session over the memory pair, everything it was handed, and the calls an agent makes.
// It deduplicates by eventId, as the protocol demands of every harness: `turns` is what its model would be woken for.
import type { FullEnvelope } from '../../src/protocol/envelope.ts';
import type { ToolName } from '../../src/protocol/tool-name.ts';
import type { ProtocolVersion } from '../../src/protocol/vocabulary.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { type Peer, createPeer } from '../../src/transport/peer.ts';
import type { RpcAnswer, RequestOutcome } from '../../src/transport/requests.ts';
import type { CloseReason, Transport } from '../../src/transport/transport.ts';

/** Loose on purpose: the full envelope, or the short event under other versions. */
export type Handed = FullEnvelope & Record<string, unknown>;

export interface HarnessOptions {
  version?: ProtocolVersion;
  /** Missing: everything but interrupt. */
  injection?: Partial<Record<'immediate' | 'buffered' | 'notify' | 'tool_mailbox' | 'digest', boolean>>;
  obligations?: boolean;
  holding?: readonly string[];
  /** 'ack' unless said: 'ignore' never answers, an RpcAnswer is given as it is. */
  onDeliver?: (event: Handed, harness: Harness) => 'ack' | 'ignore' | RpcAnswer | Promise<RpcAnswer>;
  /** False: heartbeats are not answered. */
  beats?: boolean;
}

export type ToolOutcome =
  | { ok: true; result: Record<string, unknown> }
  | { ok: false; error: string; data: Record<string, unknown>; message: string };

export interface Harness {
  agent: string;
  peer: Peer;
  initialized: Record<string, unknown>;
  /** Everything handed over, repeats too. */
  got: Handed[];
  /** Times at which `got` came. */
  at: number[];
  /** The first of each eventId. */
  fresh: Handed[];
  /** Those of `fresh` that start a turn: injected, offers, must_respond knocks. */
  turns: Handed[];
  notes: { method: string; params: Record<string, unknown> }[];
  closed: CloseReason | undefined;
  call(tool: ToolName, args: Record<string, unknown>): Promise<ToolOutcome>;
  request(method: string, params: unknown): Promise<RequestOutcome>;
  start(turnId: string, ...eventIds: string[]): Promise<Record<string, unknown>>;
  end(
    turnId: string,
    outcome: 'answered' | 'silent' | 'cancelled' | 'failed',
  ): Promise<Record<string, unknown>>;
  /** A reply to an event, in its conversation. */
  reply(inReplyTo: string, text: string, more?: Record<string, unknown>): Promise<ToolOutcome>;
  texts(): string[];
  close(): void;
}

export const textOfEvent = (event: Handed): string =>
  typeof event.content === 'string'
    ? event.content
    : (event.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');

export function startsTurn(event: Handed): boolean {
  const mode = event.injection?.mode ?? (event['mode'] as string | undefined) ?? 'buffered';
  const policy = event.attention?.policy ?? (event['policy'] as string);
  const notices = event.attention?.notices ?? (event['notices'] as string[] | undefined) ?? [];
  if (mode === 'immediate' || mode === 'buffered') return true;
  return mode === 'notify' && (policy === 'must_respond' || notices.includes('claim_first'));
}

function resultOf(outcome: RequestOutcome): Record<string, unknown> {
  if (outcome.ok) return outcome.result as Record<string, unknown>;
  return { failed: outcome.kind, ...(outcome.kind === 'error' ? { error: outcome.error } : {}) };
}

export async function connectHarness(
  agent: string,
  clock: Clock,
  [ours, theirs]: [Transport, Transport],
  accept: (transport: Transport) => Promise<unknown>,
  options: HarnessOptions,
): Promise<Harness> {
  const known = new Set<string>();
  const deliver = (params: unknown): RpcAnswer | Promise<RpcAnswer> => {
    const event = params as Handed;
    harness.got.push(event);
    harness.at.push(clock.now());
    const verdict = options.onDeliver?.(event, harness) ?? 'ack';
    if (verdict === 'ignore') return new Promise(() => undefined);
    if (!known.has(event.eventId) && verdict === 'ack') {
      known.add(event.eventId);
      harness.fresh.push(event);
      if (startsTurn(event)) harness.turns.push(event);
    }
    return verdict === 'ack' ? { ok: true, result: {} } : verdict;
  };
  const peer = createPeer(ours, {
    clock,
    handlers: {
      ping: () => (options.beats === false ? new Promise(() => undefined) : { ok: true, result: {} }),
      'chat/deliver': deliver,
    },
    onNotification: (method, params) => {
      harness.notes.push({ method, params: (params ?? {}) as Record<string, unknown> });
    },
    onClose: (reason) => {
      harness.closed = reason;
    },
  });
  const harness: Harness = {
    agent,
    peer,
    initialized: {},
    got: [],
    at: [],
    fresh: [],
    turns: [],
    notes: [],
    closed: undefined,
    async call(name, args) {
      const outcome = await peer.request('tools/call', { name, arguments: args }, { timeoutMs: 3_600_000 });
      if (!outcome.ok) {
        const data = outcome.kind === 'error' ? ((outcome.error.data ?? {}) as Record<string, unknown>) : {};
        const refusal = data['name'];
        const error = outcome.kind === 'error' && typeof refusal === 'string' ? refusal : outcome.kind;
        return { ok: false, error, data, message: '' };
      }
      const result = outcome.result as {
        isError?: boolean;
        structuredContent: Record<string, unknown>;
        content: { text: string }[];
      };
      if (result.isError !== true) return { ok: true, result: result.structuredContent };
      const data = result.structuredContent['data'] as Record<string, unknown>;
      return {
        ok: false,
        error: String(data['name']),
        data,
        message: String(result.structuredContent['message']),
      };
    },
    request: (method, params) => peer.request(method, params as Record<string, unknown>),
    start: async (turnId, ...eventIds) => resultOf(await peer.request('turn/started', { turnId, eventIds })),
    end: async (turnId, outcome) => resultOf(await peer.request('turn/ended', { turnId, outcome })),
    reply(inReplyTo, text, more = {}) {
      const about = harness.got.find(({ eventId }) => eventId === inReplyTo);
      const { kind = 'channel', id = 'C1', threadId } = about?.conversation ?? {};
      return harness.call('chat.send_message', {
        target: `${kind}:${threadId ?? id}`,
        text,
        inReplyTo,
        visibility: kind === 'dm' || kind === 'thread' ? kind : 'channel',
        directedness: 'to_other',
        idempotencyKey: `${inReplyTo}:${text}`.slice(0, 300),
        ...more,
      });
    },
    texts: () => harness.fresh.map(textOfEvent),
    close: () => peer.close('normal'),
  };
  await Promise.all([accept(theirs), peer.start()]);
  const { version = '2026-06-02', holding, obligations } = options;
  const injection = {
    immediate: true,
    buffered: true,
    notify: true,
    tool_mailbox: true,
    digest: true,
    ...options.injection,
  };
  const outcome = await peer.request('initialize', {
    protocolVersion: version,
    capabilities: { injection, ...(obligations === undefined ? {} : { obligations }) },
    ...(holding === undefined ? {} : { holding: [...holding] }),
  });
  harness.initialized = resultOf(outcome);
  return harness;
}
