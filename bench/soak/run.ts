// One soak: starts the host and its agents, lets people talk at a steady rate, reads the host's health slice by slice, and
// judges at the end.
import { join } from 'node:path';
import { seededRandom } from '../../src/runtime/random.ts';
import { atRate, Client } from '../load.ts';
import { Served } from '../measure.ts';
import { lineOf, HEAD, type Minute } from './figures.ts';
import { connectHarnesses, type Harnesses, SDK_AGENTS, SOAK_AGENTS, startWebhook } from './harnesses.ts';
import type { Reading } from './health.ts';
import { nativeBytesOf } from './native-memory.ts';
import { flatness, Ledger, lookAtStore } from './judge.ts';
import { SoakTalk, type Spoken } from './talk.ts';
import type { Slice } from './verdict.ts';

export interface SoakOptions {
  folder: string;
  minutes: number;
  perSecond: number;
  seed: number;
  /** Bytes that the host keeps for good at each event, to see that a leak is seen: in the heap, and outside it. */
  leakBytes?: number;
  nativeLeakBytes?: number;
  print: (line: string) => void;
}

/** How long a slice is, and how many are printed as one line. */
const SLICE_MS = 10_000;
const SLICES_A_LINE = 6;
/** Garbage is collected so seldom that the pauses are far below one event in a hundred. */
const SLICES_A_COLLECTION = 3;
/** A short soak has as many slices. */
const SLICES_MIN = 18;
const RETENTION_MS = { least: 6_000, most: 60_000 } as const;

interface Soak extends SoakOptions {
  server: Served;
  harnesses: Harnesses;
  ledger: Ledger;
  sliceMs: number;
  slices: Slice[];
}

export interface Verdict {
  /** What is wrong, in words. */
  wrong: string[];
  unjudged: string[];
}

export async function runSoak(options: SoakOptions): Promise<Verdict> {
  const totalMs = options.minutes * 60_000;
  const sliceMs = Math.min(SLICE_MS, totalMs / SLICES_MIN);
  const retentionMs = Math.max(RETENTION_MS.least, Math.min(RETENTION_MS.most, totalMs / 5));
  const webhook = await startWebhook();
  const server = await Served.start('./host-server.ts', {
    folder: options.folder,
    agents: SOAK_AGENTS.length,
    extraSyncMs: 0,
    watch: true,
    leakBytes: options.leakBytes ?? 0,
    nativeLeakBytes: options.nativeLeakBytes ?? 0,
    host: {
      webhooks: [webhook.setting],
      limits: { retentionMs, sendsPerMinute: 1_000_000, digestMs: 60_000 },
    },
  });
  const ledger = new Ledger(SDK_AGENTS);
  const harnesses = await connectHarnesses(server.url, (eventId) => ledger.delivered(eventId));
  const soak: Soak = { ...options, server, harnesses, ledger, sliceMs, slices: [] };
  await Promise.all([talk(soak, totalMs), watch(soak, totalMs)]);
  const { left } = await server.ask<{ left: string[] }>({ type: 'settled' });
  const { stored, complaints } = await server.ask<Reading>({ type: 'health' });
  const rows = await server.ask<Record<string, number>>({ type: 'stats' });
  await harnesses.close();
  webhook.close();
  await server.stop();
  options.print(
    `${ledger.sent} sent, ${ledger.acknowledged} acknowledged, ${stored} stored; ` +
      `${harnesses.answered + webhook.count.answered} answers; ${left.length} left open`,
  );
  options.print(
    `rows at the end: ${Object.entries(rows)
      .map(([table, count]) => `${table} ${count}`)
      .join(', ')}`,
  );
  const warmUp = Math.ceil((retentionMs * 1.25) / sliceMs);
  const { grew, unjudged } = flatness(soak.slices.slice(warmUp), options.print);
  const wrong = [
    ...(stored === ledger.acknowledged ? [] : [`${ledger.acknowledged} acknowledged, ${stored} stored`]),
    ...ledger.problems(),
    ...left.slice(0, 5),
    ...harnesses.refused.slice(0, 5),
    ...(complaints === 0 ? [] : [`the host logged ${complaints} errors`]),
    ...(await lookAtStore(join(options.folder, 'host.db'), ledger, retentionMs)),
    ...grew,
  ];
  return { wrong, unjudged };
}

/** A host with too much under way says when to come again. */
async function ingest(source: Client, event: Spoken): Promise<{ result: unknown; isLate: boolean }> {
  for (let isLate = false; ; isLate = true) {
    try {
      return { result: await source.ingest([event]), isLate };
    } catch (error) {
      const { data } = error as { data?: { retryAfterMs?: number } };
      if (data?.retryAfterMs === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, data.retryAfterMs));
    }
  }
}

/** Sends until the time is over, then waits for the last answer. */
async function talk({ perSecond, seed, server, ledger }: Soak, totalMs: number): Promise<void> {
  const source = await Client.surface(server.url);
  const people = new SoakTalk(seededRandom(seed), SOAK_AGENTS);
  const over = performance.now() + totalMs;
  const answers = new Set<Promise<void>>();
  await atRate(perSecond, {
    isOver: () => performance.now() >= over,
    send() {
      const { event, names } = people.next();
      const nth = ledger.send(event, names);
      const answer = ingest(source, event)
        .then(({ result, isLate }) => ledger.answered(event, isLate ? undefined : nth, result))
        .catch((error: unknown) => ledger.failed(event, error))
        .finally(() => answers.delete(answer));
      answers.add(answer);
    },
  });
  await Promise.all(answers);
  source.close();
}

async function watch(soak: Soak, totalMs: number): Promise<void> {
  const { server, ledger, harnesses, sliceMs, slices, print } = soak;
  print(HEAD);
  const started = performance.now();
  let minute: Minute = { fromMs: 0, fromAcknowledged: 0, arrivedMs: [] };
  for (let nth = 1; nth * sliceMs <= totalMs; nth++) {
    const waitMs = Math.max(0, started + nth * sliceMs - performance.now());
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const collect = nth % SLICES_A_COLLECTION === 1;
    const reading = await server.ask<Reading>({ type: 'health', collect });
    const arrivedMs = ledger.takeArrived();
    minute.arrivedMs.push(...arrivedMs.values);
    const nativeBytes = nativeBytesOf(server.pid);
    slices.push({ ...reading, nativeBytes, p99Ms: arrivedMs.p99 });
    if (nth % SLICES_A_LINE !== 0 && (nth + 1) * sliceMs <= totalMs) continue;
    const atMs = performance.now() - started;
    const errors = reading.complaints + harnesses.refused.length + ledger.problems().length;
    print(lineOf(minute, { atMs, acknowledged: ledger.acknowledged, reading, nativeBytes, errors }));
    minute = { fromMs: atMs, fromAcknowledged: ledger.acknowledged, arrivedMs: [] };
  }
}
