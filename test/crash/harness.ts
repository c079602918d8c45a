// An agent's harness, in the parent: it outlives the host. It acknowledges, answers each event once under a key of its
// own, drops repeats by eventId, and after a crash takes up what it still holds or, having forgotten, what comes again.
import { systemClock } from '../../src/runtime/clock.ts';
import type { RpcAnswer } from '../../src/transport/requests.ts';
import { type Peer, createPeer } from '../../src/transport/peer.ts';
import { webSocketClient } from '../../src/transport/websocket-client.ts';

export interface WireEvent {
  eventId: string;
  conversation: { id: string; kind: string; threadId?: string };
  content?: unknown;
  attention: { policy: string };
  reliability: { attempt: number };
}

const OK: RpcAnswer = { ok: true, result: {} };

export interface HarnessOptions {
  /** Default: the agent's name. */
  token?: () => string;
  /** What it answers. Always the same to the same event. */
  text?: (event: WireEvent) => string;
}

export class Harness {
  readonly agent: string;
  /** Acknowledged and not known to be answered. */
  readonly holding = new Map<string, WireEvent>();
  readonly answered = new Set<string>();
  /** Tool calls that were refused, by event. */
  readonly refusals: string[] = [];
  redelivered = 0;
  /** A delivery has come in and is not acknowledged. */
  onDelivered: () => void = () => {};
  onAnswered: () => void = () => {};
  #peer: Peer | undefined;
  #turns = 0;

  readonly #options: HarnessOptions;

  constructor(agent: string, options: HarnessOptions = {}) {
    this.agent = agent;
    this.#options = options;
  }

  /** Resolves false when the host went away meanwhile. */
  async connect(url: string, remembers: boolean): Promise<boolean> {
    if (!remembers) this.holding.clear();
    const held = [...this.holding.values()];
    const token = this.#options.token?.() ?? this.agent;
    const peer = createPeer(webSocketClient({ url, clock: systemClock, token }), {
      clock: systemClock,
      handlers: { ping: () => OK, 'chat/deliver': (params) => this.#take(peer, params as WireEvent) },
    });
    this.#peer = peer;
    try {
      await peer.start();
    } catch {
      return false; // killed before the handshake was over
    }
    const outcome = await peer.request('initialize', {
      protocolVersion: '2026-06-02',
      capabilities: {
        injection: { immediate: true, buffered: true, notify: true, tool_mailbox: true, digest: true },
      },
      holding: held.map(({ eventId }) => eventId),
    });
    if (!outcome.ok) return false;
    const gone = new Set((outcome.result as { superseded?: string[] }).superseded);
    for (const event of held) {
      // No longer open: it was answered, and only the news of it was lost.
      if (gone.has(event.eventId)) this.#done(event);
      else void this.#work(peer, event);
    }
    return true;
  }

  close(): void {
    this.#peer?.close('lost');
  }

  #take(peer: Peer, event: WireEvent): RpcAnswer {
    if (event.reliability.attempt > 1) this.redelivered++;
    this.onDelivered();
    if (!this.holding.has(event.eventId)) {
      this.holding.set(event.eventId, event);
      void this.#work(peer, event);
    }
    return OK;
  }

  #work(peer: Peer, event: WireEvent): Promise<void> {
    return event.attention.policy === 'must_respond' ? this.#answer(peer, event) : this.#pass(peer, event);
  }

  /** Nothing to say: a turn that ends in silence. */
  async #pass(peer: Peer, event: WireEvent): Promise<void> {
    const turnId = `${this.agent}-${++this.#turns}`;
    await peer.request('turn/started', { turnId, eventIds: [event.eventId] });
    const ended = await peer.request('turn/ended', { turnId, outcome: 'silent' });
    if (ended.ok) this.#done(event);
  }

  async #answer(peer: Peer, event: WireEvent): Promise<void> {
    const { id, kind, threadId } = event.conversation;
    const place = threadId === undefined ? kind : 'thread';
    const outcome = await peer.request('tools/call', {
      name: 'chat.send_message',
      arguments: {
        target: `${place}:${threadId ?? id}`,
        text: this.#options.text?.(event) ?? `The answer to ${event.eventId} is known.`,
        inReplyTo: event.eventId,
        visibility: place,
        directedness: 'to_me',
        idempotencyKey: `answer-${event.eventId}`,
      },
    });
    if (!outcome.ok) return; // the host is gone: what is held is taken up by the next connection
    const result = outcome.result as { isError?: boolean; structuredContent?: unknown };
    if (result.isError === true)
      this.refusals.push(`${event.eventId}: ${JSON.stringify(result.structuredContent)}`);
    this.#done(event);
  }

  #done({ eventId }: WireEvent): void {
    this.holding.delete(eventId);
    this.answered.add(eventId);
    this.onAnswered();
  }
}
