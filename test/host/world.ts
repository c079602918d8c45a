// The world the host's tests run in: the real host on the memory store, a stepped clock, seeded chance, a scripted
// surface and harnesses over the memory pair. Nothing sleeps and nothing asks the machine for the time.
import { type ObligationOptions, attentionSettingsSchema } from '../../src/attention/index.ts';
import type { AttentionSettingsInput } from '../../src/attention/index.ts';
import type { Spans } from '../../src/host/security/redact.ts';
import type { HostLog } from '../../src/host/kernel/change.ts';
import { ALONE, createChanges } from '../../src/host/kernel/changes.ts';
import { createHostStateCodec } from '../../src/host/attend/rebuild-state.ts';
import { type Host, createHost } from '../../src/host/host.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import type { OpinionModel } from '../../src/host/opinion/second-opinion.ts';
import { NO_INBOUND_LIMITS } from '../../src/host/security/rate-limit.ts';
import type { ChatEvent } from '../../src/protocol/chat-event.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import type { Schedule } from '../../src/runtime/schedule.ts';
import type { MemoryImage } from '../../src/store/memory/disk.ts';
import type { MemoryStoreFaults } from '../../src/store/memory/open.ts';
import { type MemoryStore, openMemoryStore } from '../../src/store/memory/open.ts';
import type { DeliveryRow, InboxRow, LogRow, OutboxRow } from '../../src/store/tables.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';
import type { IngestResult, Surface, SurfaceAccount } from '../../src/surfaces/surface.ts';
import { memoryPair } from '../../src/transport/memory.ts';
import { type Platform, fakeSurface, newPlatform } from './fake-surface.ts';
import { type Harness, type HarnessOptions, connectHarness } from './harness.ts';
import { type Life, SteppedClock, lifeOf } from './stepped-clock.ts';

const ignore = (): void => undefined;

export const START = Date.parse('2026-06-02T09:00:00Z');

export interface WorldOptions {
  agents?: AttentionSettingsInput['agents'];
  attention?: Omit<AttentionSettingsInput, 'agents'>;
  settings?: Parameters<typeof hostSettingsSchema.parse>[0];
  seed?: number;
  /** Where the clock starts: START unless said. */
  startAt?: number;
  obligations?: ObligationOptions;
  findSecrets?: (text: string) => Spans;
  faults?: MemoryStoreFaults;
  /** Who is asked for a second opinion. */
  opinionModel?: OpinionModel;
  /** Changes what the surface can do or how it behaves. */
  surface?: (surface: Surface) => Surface;
  /** Further surfaces, each with the platform of its name. */
  others?: readonly string[];
  /** Who the surface says we are. */
  accounts?: readonly SurfaceAccount[];
  /** This world's host shares the store and the clock of another world. */
  beside?: World;
  /** Another world will share this one's store. */
  shared?: true;
  /** Stands between that host and the store. */
  between?: (store: MemoryStore) => MemoryStore;
  /** Another store than memory; what it has under way is tracked, so that the world waits for it. */
  openStore?: (ports: StorePorts) => Promise<MemoryStore>;
}

export interface StorePorts {
  clock: Clock;
  schedule: Schedule;
  track: <R>(work: Promise<R>) => Promise<R>;
}

export interface Line {
  id?: string;
  in?: string;
  kind?: 'channel' | 'dm' | 'thread' | 'system' | 'tool';
  parent?: string;
  by?: string;
  byKind?: 'human' | 'agent' | 'system';
  more?: Record<string, unknown>;
}

export class World {
  readonly clock: SteppedClock;
  readonly platform: Platform = newPlatform();
  readonly harnesses: Harness[] = [];
  readonly errors: { fields: Record<string, unknown>; message: string }[] = [];
  /** What the store has told the operator. */
  readonly storeLines: string[] = [];
  host!: Host;
  store!: MemoryStore;
  #options: WorldOptions;
  #life!: Life;
  #lives = 0;
  readonly #busy: { waiting: number };
  #events = 0;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.platform.accounts = options.accounts ?? [];
    this.clock = options.beside?.clock ?? new SteppedClock(options.startAt ?? START);
    this.#busy = options.beside === undefined ? { waiting: 0 } : options.beside.#busy;
  }

  async open(image?: MemoryImage): Promise<this> {
    const { agents = [{ id: 'lead' }], attention = {}, settings = {}, seed = 1 } = this.#options;
    this.#life = lifeOf(this.clock);
    const clock = this.#life;
    const schedule: Schedule = (run) => {
      this.#busy.waiting++;
      setImmediate(() => {
        this.#busy.waiting--;
        run();
      });
    };
    const settled = attentionSettingsSchema.parse({ ...attention, agents });
    const { openStore, surface: changed = (surface: Surface): Surface => surface } = this.#options;
    if (this.#options.beside !== undefined) {
      const { beside, between = (store: MemoryStore): MemoryStore => store } = this.#options;
      this.store = between(beside.store);
    } else if (openStore !== undefined) {
      this.store = await openStore({ clock, schedule, track: (work) => this.#track(work) });
    } else {
      this.store = openMemoryStore({
        clock,
        codec: createHostStateCodec(settled, this.#options.obligations),
        schedule,
        log: (line) => void this.storeLines.push(line),
        ...(image === undefined ? {} : { image }),
        ...(this.#options.faults === undefined ? {} : { faults: this.#options.faults }),
      });
    }
    const isShared = this.#options.shared === true || this.#options.beside !== undefined;
    const changes = isShared ? await createChanges({ store: this.store, clock, log: this.#log() }) : ALONE;
    this.host = await createHost({
      changes,
      store: this.store,
      clock,
      schedule,
      log: this.#log(),
      random: seededRandom(seed + 1_000 * this.#lives),
      attention: settled,
      settings: hostSettingsSchema.parse(settings),
      configVersion: 'test',
      surfaces: [
        internalSurface('earshot'),
        changed(fakeSurface('web', this.platform, clock)),
        ...(this.#options.others ?? []).map((id) => internalSurface(id)),
      ],
      findSecrets: this.#options.findSecrets ?? (() => []),
      rateLimits: NO_INBOUND_LIMITS,
      obligationOptions: this.#options.obligations ?? {},
      ...(this.#options.opinionModel !== undefined && { opinionModel: this.#options.opinionModel }),
    });
    return this;
  }

  async #track<R>(work: Promise<R>): Promise<R> {
    this.#busy.waiting++;
    try {
      return await work;
    } finally {
      this.#busy.waiting--;
    }
  }

  #log(): HostLog {
    const life = ++this.#lives;
    return {
      debug: ignore,
      info: ignore,
      warn: ignore,
      // What a host says after it was killed concerns nobody.
      error: (fields, message) => void (life === this.#lives && this.errors.push({ fields, message })),
    };
  }

  /** Until nothing is left to do without time passing. */
  async drain(): Promise<void> {
    for (let quiet = 0; quiet < 2; ) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.#busy.waiting > 0 ? 0 : quiet + 1;
    }
  }

  /** Steps from due time to due time; a host that cannot get past a millisecond is a failure, not a hang. */
  async advance(ms: number): Promise<void> {
    const until = this.clock.now() + ms;
    await this.drain();
    for (let steps = 0; ; steps++) {
      const next = this.clock.nextAt();
      if (next === undefined || next > until) break;
      if (steps > 5_000 + ms / 2) throw new Error(`the clock spins: ${steps} steps, at ${next}`);
      this.clock.stepTo(next);
      await this.drain();
    }
    this.clock.stepTo(until);
    await this.drain();
  }

  async harness(agent: string, options: HarnessOptions = {}): Promise<Harness> {
    const pair = memoryPair({ clock: this.clock });
    const accept = (transport: (typeof pair)[1]): Promise<unknown> =>
      this.host.connect(transport, { kind: 'agent', agent });
    const harness = await connectHarness(agent, this.clock, pair, accept, options);
    this.harnesses.push(harness);
    await this.advance(0);
    return harness;
  }

  event(text: string, line: Line = {}): Record<string, unknown> {
    const { id = `e${++this.#events}`, in: where = 'C1', kind = 'channel', by = 'ada' } = line;
    return {
      eventId: id,
      at: this.clock.now(),
      platform: 'web',
      workspaceId: 'w',
      conversation: {
        id: where,
        kind,
        ...(line.parent === undefined ? {} : { parentId: line.parent }),
      },
      author: { id: by, kind: line.byKind ?? 'human', displayName: by },
      type: 'message',
      text,
      ...line.more,
    };
  }

  async ingest(...events: Record<string, unknown>[]): Promise<IngestResult[]> {
    const results = await this.host.ingest(events, 'web');
    await this.advance(0);
    return results;
  }

  /** Says it and lets everything happen that needs no time; answers the event's id. */
  async say(text: string, line: Line = {}): Promise<string> {
    const event = this.event(text, line);
    const [result] = await this.ingest(event);
    if (result?.status === 'refused') throw new Error(result.error.message);
    return event['eventId'] as string;
  }

  async edit(target: string, text: string, line: Line = {}): Promise<string> {
    return this.#about(target, { ...this.event(text, line), type: 'edit', targetEventId: target });
  }

  async remove(target: string, line: Line = {}): Promise<string> {
    const { text: _, ...event } = this.event('', line);
    return this.#about(target, { ...event, type: 'delete', targetEventId: target });
  }

  async react(target: string, signal: string, line: Line = {}): Promise<string> {
    const { text: _, ...event } = this.event('', line);
    return this.#about(target, { ...event, type: 'reaction', targetEventId: target, signal, ...line.more });
  }

  async typing(typing: boolean, line: Line = {}): Promise<void> {
    const { text: _, ...event } = this.event('', line);
    await this.ingest({ ...event, type: 'typing', typing });
  }

  async #about(_target: string, event: Record<string, unknown>): Promise<string> {
    const [result] = await this.ingest(event);
    if (result?.status === 'refused') throw new Error(result.error.message);
    return event['eventId'] as string;
  }

  delivery(eventId: string, agent = 'lead'): Promise<DeliveryRow | undefined> {
    return this.store.get('delivery', `${eventId}:agent_${agent}`);
  }

  /** How a delivery ended: `disposition` or `disposition(why)`; its state while it is open. */
  async ended(eventId: string, agent = 'lead'): Promise<string> {
    const row = await this.delivery(eventId, agent);
    if (row === undefined) return 'none';
    if (row.open === 1) return row.disposition === null ? row.state : `${row.state}:${row.disposition}`;
    return row.why === null ? `${row.disposition}` : `${row.disposition}(${row.why})`;
  }

  async deliveries(agent = 'lead'): Promise<DeliveryRow[]> {
    return this.store.scan('delivery', 'byAgent', { eq: [agent], limit: 10_000 });
  }

  async inbox(): Promise<InboxRow[]> {
    return this.store.scan('inbox', 'byOpen', { eq: [1], limit: 1_000 });
  }

  async outbox(agent = 'lead', conversation = 'c/web/w/C1'): Promise<OutboxRow[]> {
    return this.store.scan('outbox', 'byAgentConversation', { eq: [agent, conversation], limit: 1_000 });
  }

  async logged(type?: ChatEvent['type']): Promise<LogRow[]> {
    const rows = await this.store.scan('log', 'byPosition', { limit: 100_000 });
    return type === undefined ? rows : rows.filter((row) => row.type === type);
  }

  /** What people have read, in order. */
  texts(): string[] {
    return this.platform.seen.map(({ text }) => text);
  }

  /** In order, and opened again from what is stored. */
  async restart(gapMs = 0): Promise<void> {
    const stopped = this.host.stop();
    await this.advance(0);
    await stopped;
    await this.#again(gapMs);
  }

  /** As by kill -9: nobody who waits is ever answered. `change`: what happened to the disk meanwhile. */
  async crash(gapMs = 0, change?: (image: MemoryImage) => MemoryImage): Promise<void> {
    await this.#again(gapMs, change);
  }

  async #again(gapMs: number, change = (image: MemoryImage): MemoryImage => image): Promise<void> {
    this.#life.end();
    this.#lives++;
    const image = this.store.crash();
    for (const harness of this.harnesses) harness.peer.close('lost');
    await this.drain();
    if (gapMs > 0) await this.advance(gapMs);
    await this.open(change(image));
    await this.advance(0);
  }

  /** Everything that must hold at the end of any test. */
  async sound(): Promise<string[]> {
    const problems = [...(await this.store.check())];
    for (const { message, fields } of this.errors) {
      problems.push(`logged error: ${message} ${(fields['err'] as Error | undefined)?.stack ?? ''}`);
    }
    return problems;
  }
}

export function world(options: WorldOptions = {}): Promise<World> {
  return new World(options).open();
}
