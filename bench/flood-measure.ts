// Measures one way of misbehaving on a fresh host. Quiet and flooded slices take turns, so that whatever else the
// machine does falls on both. A figure is the median of the calmer half of its slices: those in which host and client
// waited least for a processor that others had. Memory is compared with the first quiet slice, before
// anybody has misbehaved: what a flood leaves behind must not count as quiet.
import { type ChildProcess, fork } from 'node:child_process';
import { FloodHost } from './flood-host.ts';
import type { Probed } from './flood-probe.ts';
import { Good, rest, type Slice } from './flood-good.ts';
import type { Way } from './flood-ways.ts';
import { median, withFolder } from './measure.ts';

export interface Plan {
  sliceMs: number;
  rounds: number;
  seed: number;
  attachmentsUrl: string;
}

export interface Figures {
  /** Medians of the slices, from sending to delivery. */
  p50: number;
  p99: number;
  /** Resident memory at its highest, and what is in use after a collection of all garbage. */
  rssMb: number;
  liveMb: number;
  missing: number;
  /** The host's event loop and main thread, median of the slices. */
  lagP99Ms: number;
  busy: number;
  /** For how much of the calmer slices host and client waited for a processor. */
  waited: number;
}

export interface Row {
  way: string;
  who: Way['who'];
  quiet: Figures;
  flood: Figures;
  /** Each slice, in the order of the rounds. */
  slices: Record<'quiet' | 'flood', { p99: number; waited: number }[]>;
  p99Ratio: number;
  rssRatio: number;
  liveRatio: number;
  answers: Record<string, number>;
  ok: boolean;
}

export const LIMITS = { p99: 10, memory: 1.5 } as const;
const WARM_MS = 6_000;
/** After a flood, before the next quiet slice. */
const SETTLE_MS = 1_000;

type Measured = Slice & Probed;

export function measureWay(way: Way, plan: Plan): Promise<Row> {
  return withFolder(async (folder) => {
    const host = await FloodHost.start(folder, plan.attachmentsUrl);
    try {
      return await byTurns(way, plan, host);
    } finally {
      await host.kill();
    }
  });
}

async function byTurns(way: Way, { sliceMs, rounds, seed }: Plan, host: FloodHost): Promise<Row> {
  const good = await Good.connect(host);
  const eventId = good.send(0, { attachments: [{ id: 'F1', kind: 'file', name: 'log.txt' }] });
  const answers: Record<string, number> = {};
  const quiet: Measured[] = [];
  const flood: Measured[] = [];
  await good.slice(WARM_MS, host);
  await host.probe();
  for (let round = 0; round < rounds; round++) {
    const attacker = await Attacker.ready();
    quiet.push(await measured(good, sliceMs, host));
    attacker.begin({ way: way.name, seed: seed + round, url: host.url, tokens: host.tokens, eventId });
    // It is asked for the memory in use while the attacker is still there.
    flood.push(await measured(good, sliceMs, host));
    for (const [what, count] of Object.entries(await attacker.end()))
      answers[what] = (answers[what] ?? 0) + count;
    await rest(SETTLE_MS);
  }
  good.close();
  return rowOf(way, host.isUp, quiet, flood, answers);
}

async function measured(good: Good, ms: number, host: FloodHost): Promise<Measured> {
  const slice = await good.slice(ms, host);
  return { ...slice, ...(await host.probe()) };
}

function rowOf(
  { name: way, who }: Way,
  isUp: boolean,
  quietSlices: readonly Measured[],
  floodSlices: readonly Measured[],
  answers: Record<string, number>,
): Row {
  const quiet = figuresOf(quietSlices, quietSlices.slice(0, 1));
  const flood = figuresOf(floodSlices, floodSlices);
  const p99Ratio = flood.p99 / quiet.p99;
  const rssRatio = flood.rssMb / quiet.rssMb;
  const liveRatio = flood.liveMb / quiet.liveMb;
  const ok =
    isUp &&
    flood.missing === 0 &&
    p99Ratio < LIMITS.p99 &&
    rssRatio < LIMITS.memory &&
    liveRatio < LIMITS.memory;
  const each = (slices: readonly Measured[]) => slices.map(({ p99, waited }) => ({ p99, waited }));
  const slices = { quiet: each(quietSlices), flood: each(floodSlices) };
  return { way, who, quiet, flood, slices, p99Ratio, rssRatio, liveRatio, answers, ok };
}

function figuresOf(slices: readonly Measured[], forMemory: readonly Measured[]): Figures {
  const calmer = slices.toSorted((a, b) => a.waited - b.waited).slice(0, Math.ceil(slices.length / 2));
  const middle = (of: (slice: Measured) => number): number => median(calmer.map(of));
  return {
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    lagP99Ms: middle(({ lagP99Ms }) => lagP99Ms),
    busy: middle(({ busy }) => busy),
    waited: middle(({ waited }) => waited),
    rssMb: Math.max(...forMemory.map(({ rssMb }) => rssMb)),
    liveMb: Math.max(...forMemory.map(({ liveMb }) => liveMb)),
    missing: slices.reduce((sum, { missing }) => sum + missing, 0),
  };
}

/** The one who misbehaves, in a process of its own that has started before it begins. */
class Attacker {
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async ready(): Promise<Attacker> {
    const child = fork(new URL('./flood-attack.ts', import.meta.url));
    await new Promise((resolve) => void child.once('message', resolve));
    return new Attacker(child);
  }

  begin(attack: object): void {
    this.#child.send({ ...attack, attachmentId: 'F1' });
  }

  async end(): Promise<Record<string, number>> {
    const counts = new Promise<Record<string, number>>((resolve) => {
      this.#child.once('message', (message) => resolve(message as Record<string, number>));
      this.#child.once('exit', () => resolve({}));
    });
    this.#child.send('stop');
    const result = await counts;
    this.#child.kill('SIGKILL');
    return result;
  }
}
