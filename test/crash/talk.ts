// People talking, in the parent: events go in over WebSocket for as long as the host lives. What was acknowledged is
// remembered; what was not is sent again in the next life, and now and then something acknowledged is too.
import { systemClock } from '../../src/runtime/clock.ts';
import type { Random } from '../../src/runtime/random.ts';
import type { RequestOutcome } from '../../src/transport/requests.ts';
import { type Peer, createPeer } from '../../src/transport/peer.ts';
import { webSocketClient } from '../../src/transport/websocket-client.ts';
import { AGENTS, PLATFORM, ROOMS } from './roles.ts';

export interface Said {
  eventId: string;
  /** Who it names; undefined: nobody. */
  to: string | undefined;
}
type IngestedRow = { eventId: string; status: string; sequence?: number; problem?: string };

const IN_FLIGHT = 3;
const BATCH_MAX = 6;
const AGAIN_CHANCE = 0.05;
const AMBIENT_CHANCE = 0.25;
const PEOPLE = 5;

export class Talk {
  readonly said = new Map<string, Said & { event: object }>();
  /** eventId → seq, as first acknowledged. */
  readonly acked = new Map<string, number>();
  readonly problems: string[] = [];
  onAcked: () => void = () => {};
  readonly #random: Random;
  readonly #unacked = new Set<string>();
  #peer: Peer | undefined;
  #quiet = false;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Runs until the host is gone or nothing new is to be said. */
  async run(port: number): Promise<void> {
    const peer = createPeer(
      webSocketClient({ url: `ws://127.0.0.1:${port}/c2a`, clock: systemClock, token: PLATFORM }),
      { clock: systemClock },
    );
    this.#peer = peer;
    try {
      await peer.start();
    } catch {
      return; // killed before the handshake was over
    }
    const greeted = await peer.request('initialize', { protocolVersion: '2026-06-02' });
    if (isGone(greeted)) return;
    const again = [...this.#unacked];
    await Promise.all(Array.from({ length: IN_FLIGHT }, () => this.#send(peer, again)));
    peer.close();
  }

  /** From now on only what has not been acknowledged is sent. */
  quiet(): void {
    this.#quiet = true;
  }

  close(): void {
    this.#peer?.close('lost');
  }

  async #send(peer: Peer, again: string[]): Promise<void> {
    while (!peer.isClosed) {
      const count = 1 + Math.floor(this.#random.next() * BATCH_MAX);
      const ids = again.splice(0, count);
      if (!this.#quiet) while (ids.length < count) ids.push(this.#next());
      if (ids.length === 0) return;
      const events = ids.map((eventId) => this.said.get(eventId)?.event);
      const outcome = await peer.request('ingest/events', { events });
      if (isGone(outcome)) return;
      this.#note((outcome.result as { events: IngestedRow[] }).events);
    }
  }

  #note(rows: readonly IngestedRow[]): void {
    for (const { eventId, status, sequence: seq, problem } of rows) {
      const before = this.acked.get(eventId);
      if (seq === undefined) this.problems.push(`${eventId} ${status}: ${problem}`);
      else if (before === undefined) this.acked.set(eventId, seq);
      else if (before !== seq) this.problems.push(`${eventId} was acknowledged as ${before}, then as ${seq}`);
      this.#unacked.delete(eventId);
      this.onAcked();
    }
  }

  #next(): string {
    if (this.#random.next() >= AGAIN_CHANCE) return this.#say();
    const repeated = `e${Math.floor(this.#random.next() * this.said.size)}`;
    return this.acked.has(repeated) ? repeated : this.#say();
  }

  #say(): string {
    const index = this.said.size;
    const eventId = `e${index}`;
    const to =
      this.#random.next() < AMBIENT_CHANCE
        ? undefined
        : AGENTS[Math.floor(this.#random.next() * AGENTS.length)];
    const person = Math.floor(this.#random.next() * PEOPLE);
    const event = {
      eventId,
      at: systemClock.now(),
      platform: PLATFORM,
      workspaceId: 'w',
      conversation: { id: `R${Math.floor(this.#random.next() * ROOMS)}`, kind: 'channel' },
      author: { id: `U${person}`, kind: 'human', displayName: `Person ${person}` },
      type: 'message',
      text: to === undefined ? `lunch was good, number ${index}` : `@${to} can you look at number ${index}?`,
      ...(to === undefined ? {} : { mentions: [{ kind: 'agent', id: to }] }),
    };
    this.said.set(eventId, { eventId, to, event });
    this.#unacked.add(eventId);
    return eventId;
  }
}

/** The host may die at any moment; anything else that keeps it from answering is a fault. */
function isGone(outcome: RequestOutcome): outcome is Exclude<RequestOutcome, { ok: true }> {
  if (outcome.ok || outcome.kind === 'closed') return !outcome.ok;
  throw new Error(`the host did not answer: ${JSON.stringify(outcome)}`);
}
