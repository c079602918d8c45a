// The well-behaved ones of the floods: a source that sends at a steady rate and four agents that acknowledge. One slice
// says how long their events took, and how much memory the host had meanwhile.
import { AGENTS, type FloodHost, GOOD_SOURCE } from './flood-host.ts';
import { Client } from './load.ts';
import { summary, waitedMs } from './measure.ts';

export const PER_SECOND = 100;
/** A delivery that has not come by then counts with this time. */
const LOST_MS = 10_000;
const LOOK_EVERY_MS = 50;

export interface Slice {
  p50: number;
  p99: number;
  /** The highest of the slice. */
  rssMb: number;
  missing: number;
  /** For how much of the slice the host, or this client, waited for a processor that others had. */
  waited: number;
}

export const rest = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

export class Good {
  readonly #surface: Client;
  readonly #harnesses: Client[];
  readonly #sentAt = new Map<string, number>();
  #ms: number[] = [];
  #run = 0;

  constructor(surface: Client, harnesses: Client[]) {
    this.#surface = surface;
    this.#harnesses = harnesses;
    for (const harness of harnesses) {
      harness.onDeliver = (eventId) => {
        const at = this.#sentAt.get(eventId);
        if (this.#sentAt.delete(eventId) && at !== undefined) this.#ms.push(performance.now() - at);
      };
    }
  }

  static async connect({ url, tokens }: FloodHost): Promise<Good> {
    const at = `${url.replace('http', 'ws')}/c2a`;
    const harnesses = await Promise.all(AGENTS.map((id) => Client.harness(at, tokens.agents[id] ?? '')));
    const surface = await Client.connect(at, tokens.source);
    await surface.request('initialize', { protocolVersion: '2026-06-02' });
    return new Good(surface, harnesses);
  }

  /** Every event names one of the well-behaved agents. */
  send(index: number, more: object = {}): string {
    const agent = AGENTS[index % AGENTS.length] ?? '';
    const event = {
      eventId: `run-${this.#run}-${index}`,
      at: Date.now(),
      platform: GOOD_SOURCE,
      workspaceId: 'w',
      conversation: { id: `C${index % 20}`, kind: 'channel' },
      author: { id: `U${index % 24}`, kind: 'human', displayName: `Person ${index % 24}` },
      type: 'message',
      text: `@${agent} can you check whether the deploy is blocked? the second run passed on my machine`,
      mentions: [{ kind: 'agent', id: agent }],
      ...more,
    };
    this.#sentAt.set(event.eventId, performance.now());
    void this.#surface.ingest([event as never]).catch(() => {});
    return event.eventId;
  }

  /** The same rate for the same time, whatever comes back. Ends when every event has arrived or counts as lost. */
  async slice(ms: number, host: FloodHost): Promise<Slice> {
    this.#run++;
    this.#ms = [];
    this.#sentAt.clear();
    let rssMb = 0;
    let lookAt = 0;
    let sent = 0;
    const waitedBefore = host.waitedMs() + waitedMs(process.pid);
    const started = performance.now();
    while (performance.now() - started < ms) {
      const due = Math.floor(((performance.now() - started) * PER_SECOND) / 1_000);
      for (; sent < due; sent++) this.send(sent);
      if (host.isUp && performance.now() >= lookAt) {
        rssMb = Math.max(rssMb, host.rssMb());
        lookAt = performance.now() + LOOK_EVERY_MS;
      }
      await rest(2);
    }
    const waited = (host.waitedMs() + waitedMs(process.pid) - waitedBefore) / (performance.now() - started);
    for (let late = 0; this.#sentAt.size > 0 && late < LOST_MS && host.isUp; late += 20) await rest(20);
    const missing = this.#sentAt.size;
    const { p50, p99 } = summary([...this.#ms, ...Array.from({ length: missing }, () => LOST_MS)]);
    return { p50, p99, rssMb, missing, waited };
  }

  close(): void {
    this.#surface.close();
    for (const harness of this.#harnesses) harness.close();
  }
}
