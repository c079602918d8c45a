// One simulated world: the real host on a store that can be crashed, real agents, scripted platforms, one clock and one
// plan. It plays the plan (chaos), then takes every fault away and waits until nothing is left to do (heal).
import type { AttentionSettings } from '../../src/attention/index.ts';
import { createHostStateCodec } from '../../src/host/attend/rebuild-state.ts';
import { createHost, type Host } from '../../src/host/host.ts';
import { createRedactor } from '../../src/host/security/redact.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { type CommitFault, type MemoryStore, openMemoryStore } from '../../src/store/memory/open.ts';
import type { MemoryImage } from '../../src/store/memory/disk.ts';
import { StoreError } from '../../src/store/store.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';
import { type Life, SteppedClock, lifeOf } from '../host/stepped-clock.ts';
import { ActiveFaults } from './active-faults.ts';
import { SimAgent } from './agents.ts';
import { type Draw, drawFrom } from './draw.ts';
import type { CrashMoment, Fault } from './faults.ts';
import { handedIn } from './handed.ts';
import type { LinkPorts } from './link.ts';
import { People, SECRET } from './people.ts';
import { chatSurface, deskSurface, type PlatformPorts, type Shown, SimPlatform } from './platform.ts';
import type { Plan } from './plan.ts';
import { pullOutbox } from './pull.ts';
import { lookAtRows } from './rows-now.ts';
import { SimPuller } from './puller.ts';
import { Seen } from './seen.ts';
import { withSlowReads } from './slow-reads.ts';
import { attentionOf, OBLIGATIONS, settingsOf } from './settings.ts';
import { Trace } from './trace.ts';

export const START = Date.parse('2026-06-02T09:00:00Z');
/** A host that cannot be opened is tried again after this, as a supervisor would. */
const REOPEN_MS = 1_000;
const PULL_MS = 900;
/** A run that never gets past one millisecond has failed. It must not hang. */
const STEPS_AT_ONE_TIME = 3_000;
const TURNS_AT_ONE_TIME = 20_000;
const DELAY_MS = 1_500;
/** How often the rows are looked at while things go wrong. */
const LOOKS_IN_CHAOS = 3;
const PROBES = 9_000;
/** By then an agent has noticed that its connection is half open. */
const PROBE_AFTER_MS = 100_000;
const PROBE_EVERY_MS = 2_500;

/** An agent, however it reaches the host. */
export interface WorldAgent {
  readonly id: string;
  start(): void;
  /** As by kill -9. */
  die(): void;
  /** Its connection stays half open. */
  mute(): void;
  cut(): void;
  /** A supervisor starts an agent that has given up, and none that runs. */
  revive(): void;
}

export class SimWorld {
  readonly plan: Plan;
  readonly draw: Draw;
  readonly clock = new SteppedClock(START);
  readonly trace: Trace;
  readonly platform = new SimPlatform();
  readonly seen = new Seen();
  readonly people: People;
  readonly agents: readonly WorldAgent[];
  readonly attention: AttentionSettings;
  host: Host | undefined;
  store: MemoryStore | undefined;
  isHealed = false;
  readonly probes: { agent: string; word: string; room: string }[] = [];
  isProbing = false;
  isProbed = false;
  /** How far the host's clock is off. */
  #offMs = 0;
  #life: Life & { alive: boolean } = deadLife();
  #lives = 0;
  #waiting = 0;
  #frames = 0;
  #links = 0;
  #armed: { moment: CrashMoment; left: number; fault: Extract<Fault, { type: 'crash' }> }[] = [];
  #keepsUnsynced = false;
  readonly #faults: ActiveFaults;

  constructor(plan: Plan) {
    this.plan = plan;
    this.draw = drawFrom(plan.seed);
    this.trace = new Trace(() => this.sinceStart());
    this.people = new People(this);
    this.attention = attentionOf(plan.cast);
    this.#faults = new ActiveFaults(plan, this.draw, () => this.sinceStart());
    this.agents = plan.cast.agents.map((id) =>
      id === plan.cast.puller ? new SimPuller(id, this) : new SimAgent(id, this),
    );
  }

  sinceStart(): number {
    return this.clock.now() - START;
  }

  async open(image?: MemoryImage): Promise<void> {
    const ending = lifeOf(this.clock);
    const life = {
      alive: true,
      now: () => this.clock.now() + this.#offMs,
      elapsed: () => this.clock.elapsed(),
      after: (ms: number, run: () => void) => ending.after(ms, run),
      end: () => {
        life.alive = false;
        ending.end();
      },
    };
    this.#life = life;
    this.#lives++;
    const store = openMemoryStore({
      clock: life,
      codec: createHostStateCodec(this.attention, OBLIGATIONS),
      schedule: (run) => this.#schedule(run),
      faults: {
        syncDelayMs: () => this.#faults.syncMs(this.seen.commits),
        commit: () => this.#commit(life),
        crashKeepsUnsynced: () => this.#keepsUnsynced,
      },
      ...(image === undefined ? {} : { image }),
    });
    this.store = store;
    try {
      const host = await createHost({
        store: withSlowReads(store, life, () => this.#faults.readMs()),
        clock: life,
        schedule: (run) => this.#schedule(run),
        random: seededRandom(this.plan.seed + 1_000 * this.#lives),
        log: this.#log(life),
        attention: this.attention,
        settings: settingsOf(this.plan.cast),
        configVersion: 'sim',
        surfaces: this.#surfaces(life),
        findSecrets: this.plan.cast.secrets === true ? createRedactor().findSecrets : () => [],
        obligationOptions: OBLIGATIONS,
      });
      if (!life.alive) return;
      this.host = host;
      this.trace.note('the host is up');
    } catch (error) {
      if (!life.alive) return;
      this.trace.note(`the host did not start: ${String(error)}`);
      if (this.isHealed) this.seen.problem(`the host did not start: ${String(error)}`);
      this.kill(REOPEN_MS);
    }
  }

  /** As by kill -9: nobody who waits is answered, and only what was durable is left. */
  kill(downMs: number): void {
    if (!this.#life.alive || this.store === undefined) return;
    this.trace.note('the host dies');
    this.#life.end();
    this.host = undefined;
    const image = this.store.crash();
    for (const agent of this.agents) agent.cut();
    this.clock.after(downMs, () => void this.open(image));
  }

  /** Until nothing is left to do without time passing. */
  async drain(): Promise<void> {
    for (let quiet = 0, turns = 0; quiet < 2; turns++) {
      if (turns > TURNS_AT_ONE_TIME) throw new Error(`it never rests at ${this.sinceStart()} ms`);
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.#waiting > 0 ? 0 : quiet + 1;
    }
  }

  async advanceTo(until: number): Promise<void> {
    await this.drain();
    for (let here = 0, last = 0; ; ) {
      const next = this.clock.nextAt();
      if (next === undefined || next > until) break;
      here = next === last ? here + 1 : 0;
      last = next;
      if (here > STEPS_AT_ONE_TIME) throw new Error(`the clock cannot get past ${next - START} ms`);
      this.clock.stepTo(next);
      await this.drain();
    }
    this.clock.stepTo(until);
    await this.drain();
  }

  /** Chaos: everything of the plan happens at its time. */
  async play(): Promise<void> {
    const { steps, faults, chaosMs } = this.plan;
    const at = (ms: number, run: () => void): void => void this.clock.after(ms, run);
    await this.during(this.open());
    for (const agent of this.agents) agent.start();
    for (const step of steps) at(step.at, () => this.people.do(step));
    for (const fault of faults) this.#begin(fault, at);
    if (this.plan.cast.pulls) at(PULL_MS, () => this.#pull());
    for (let look = 1; look <= LOOKS_IN_CHAOS; look++) {
      await this.advanceTo(START + Math.ceil((chaosMs * look) / LOOKS_IN_CHAOS));
      await lookAtRows(this);
    }
    this.isHealed = true;
    this.#faults.heal();
    this.#armed = [];
    this.trace.note('healed');
    for (const agent of this.agents) agent.revive();
    at(REOPEN_MS * 5, () => {
      for (const agent of this.agents) agent.revive();
    });
  }

  /** Asks every agent, and in every room, one after the other. All of it must be answered. */
  probe(): void {
    this.isProbing = true;
    const rooms = this.plan.cast.rooms.filter(({ kind }) => kind === 'channel');
    const asks = this.plan.cast.agents.map((agent, index) => ({ room: rooms[index % rooms.length], agent }));
    for (const [index, { room, agent }] of asks.entries()) {
      if (room === undefined) continue;
      const id = PROBES + index;
      this.probes.push({ agent, word: `w${id}`, room: room.id });
      this.clock.after(PROBE_AFTER_MS + index * PROBE_EVERY_MS, () => {
        this.people.do({ id, at: 0, type: 'say', by: 'zoe', room: room.id, calls: agent, asks: true });
        this.isProbed = index === asks.length - 1;
      });
    }
  }

  /** Waits for work. A read waits for the sync that is under way, so time passes. */
  async during<T>(work: Promise<T>): Promise<T> {
    const state = { isOver: false };
    const ended = work.finally(() => {
      state.isOver = true;
    });
    ended.catch(() => undefined);
    while (!state.isOver) await this.advanceTo(this.clock.now() + 1);
    return ended;
  }

  /** The world ends. Nothing of it may go on in the next. */
  close(): void {
    this.#life.end();
    for (const agent of this.agents) agent.die();
  }

  linkPorts(agent: string): LinkPorts {
    const link = ++this.#links;
    return {
      clock: this.clock,
      fate: (to, frame) => {
        this.#frames++;
        this.trace.note(`${to === 'host' ? `${agent} →` : `→ ${agent}`} ${frame}`);
        if (to === 'agent') this.#given(agent, link, frame);
        this.#count('frame');
        return this.#faults.frame(this.#frames);
      },
      delayMs: () => Math.ceil(this.draw('delay', this.#frames) * DELAY_MS),
    };
  }

  /** The times of the host's clock that went back in all: so much longer may everything take. */
  backMs(): number {
    return this.plan.faults.reduce(
      (sum, fault) => (fault.type === 'clock' && fault.byMs < 0 ? sum - fault.byMs : sum),
      0,
    );
  }

  #begin(fault: Fault, at: (ms: number, run: () => void) => void): void {
    const agent = 'agent' in fault ? this.agents.find(({ id }) => id === fault.agent) : undefined;
    switch (fault.type) {
      case 'crash':
        return at(fault.at, () => {
          this.#keepsUnsynced = fault.keepsUnsynced;
          if (fault.moment === 'time') this.kill(fault.downMs);
          else this.#armed.push({ moment: fault.moment, left: fault.nth, fault });
        });
      case 'clock':
        return at(fault.at, () => {
          this.#offMs += fault.byMs;
        });
      case 'half_open':
        return at(fault.at, () => agent?.mute());
      case 'harness_dies':
        return at(fault.at, () => {
          agent?.die();
          at(fault.downMs, () => agent?.revive());
        });
      case 'twin':
        return at(fault.at, () => agent?.start());
      case 'flood':
        return at(fault.at, () => this.#flood(fault));
      case 'frames':
      case 'store':
      case 'posts':
      case 'reads':
      case 'webhooks':
      case 'echoes':
      case 'turns_fail':
        return; // looked at whenever one of these happens
    }
  }

  #flood({ room, by, count }: Extract<Fault, { type: 'flood' }>): void {
    const id = 10_000 + Math.floor(this.draw('flood', room, by) * 10_000) * 100;
    for (let i = 0; i < count; i++)
      this.people.do({
        id: id + i,
        at: 0,
        type: 'say',
        by,
        room,
        asks: i % 10 === 0,
        calls: pickAgent(this.plan, i),
      });
  }

  #schedule(run: () => void): void {
    this.#waiting++;
    setImmediate(() => {
      this.#waiting--;
      run();
    });
  }

  #commit(life: { alive: boolean }): CommitFault {
    const count = ++this.seen.commits;
    if (!life.alive) return 'lost';
    if (this.#count('before_commit')) return 'lost';
    const fault = this.#faults.commit(count);
    // After a failed sync nobody knows what is stored: the process ends, and a supervisor starts it again.
    if (fault === 'kept') queueMicrotask(() => this.kill(REOPEN_MS));
    if (fault !== undefined) return fault === 'kept' ? 'kept' : 'lost';
    const after = this.#armed.find(({ moment }) => moment === 'after_commit');
    if (after !== undefined && --after.left === 0) {
      this.#armed = this.#armed.filter((armed) => armed !== after);
      // The commit is applied before this runs, and nobody has been told.
      queueMicrotask(() => this.kill(after.fault.downMs));
    }
    this.trace.note(`commit ${count}`);
    return 'none';
  }

  /** Counts one of these. True when the host has just died of it. */
  #count(moment: Exclude<CrashMoment, 'time' | 'after_commit'>): boolean {
    const armed = this.#armed.find((one) => one.moment === moment);
    if (armed === undefined || --armed.left > 0) return false;
    this.#armed = this.#armed.filter((one) => one !== armed);
    if (moment === 'frame') queueMicrotask(() => this.kill(armed.fault.downMs));
    else this.kill(armed.fault.downMs);
    return moment === 'before_commit';
  }

  #surfaces(life: { alive: boolean }) {
    const ports: PlatformPorts = {
      clock: this.clock,
      isAlive: () => life.alive,
      fault: (key) => this.#faults.post(key),
      onShown: (shown) => this.#shown(shown),
      note: (what) => this.trace.note(what),
      filesApart: this.plan.seed % 2 === 0,
      problem: (what) => this.seen.problem(what),
    };
    return [
      internalSurface('earshot'),
      chatSurface(this.platform, ports),
      deskSurface(this.platform, ports, this.plan.cast.pulls),
    ];
  }

  #shown(shown: Shown): void {
    this.trace.note(`shown ${shown.key} in ${shown.room}`);
    for (const { times } of this.#faults.of('echoes')) {
      for (let time = 0; time < times; time++) {
        this.clock.after(Math.floor(this.draw('echo', shown.key, time) * 2_000), () =>
          this.#echo(shown, time),
        );
      }
    }
    this.#count('shown');
  }

  #echo({ key, agent, room, text, platform }: Shown, time: number): void {
    const place = this.plan.cast.rooms.find(({ id }) => id === room);
    if (place === undefined || key.includes('#')) return;
    const platformId = this.platform.find(key) ?? '';
    const event = {
      eventId: `echo${time}-${platformId}`,
      at: this.clock.now(),
      platform,
      workspaceId: 'w',
      conversation: { id: room, kind: place.kind },
      author: { id: agent, kind: 'agent' },
      type: 'message',
      text,
      ...(time === 0 ? { echoOf: key } : { platformId }),
    };
    void this.host?.ingest([event], platform);
  }

  #pull(): void {
    this.clock.after(PULL_MS, () => this.#pull());
    const { host } = this;
    if (host === undefined) return;
    const ports = { clock: this.clock, onShown: (shown: Shown) => this.#shown(shown) };
    pullOutbox(host, this.platform, ports, () => this.host === host).catch((error: unknown) =>
      this.trace.note(`pull failed: ${String(error)}`),
    );
  }

  /** Looks at a frame to an agent: what is handed over in it, and that it has no secret. */
  #given(agent: string, link: number, frame: string): void {
    if (this.plan.cast.secrets === true && frame.includes(SECRET))
      this.seen.problem(`${agent} was given a secret`);
    for (const handed of handedIn(frame, agent === this.plan.cast.puller))
      this.seen.handed.push({ agent, link, ...handed });
  }

  #log(life: { alive: boolean }) {
    return {
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: (fields: Record<string, unknown>, message: string): void => {
        if (!life.alive) return;
        const { err } = fields as { err?: unknown };
        this.trace.note(`error: ${message} ${String(err)}`);
        // A store that fails is a fault of the plan. Everything else is one of the host.
        if (err instanceof StoreError && err.kind !== 'unit') return;
        this.seen.problem(`the host logged: ${message} ${err instanceof Error ? causeOf(err) : ''}`);
      },
    };
  }
}

const quiet = (): void => undefined;

function causeOf(error: Error): string {
  return error.cause instanceof Error ? causeOf(error.cause) : (error.stack ?? error.message);
}

function deadLife(): Life & { alive: boolean } {
  return { now: () => 0, after: () => () => undefined, end: () => undefined, alive: false };
}

function pickAgent({ cast }: Plan, index: number): string {
  return cast.agents[index % cast.agents.length] ?? 'lead';
}
