// What a soak must keep: what was acknowledged is stored, once and in order, and the stored rows hold together.
import { checkRows } from '../../src/host/check/check-rows.ts';
import { hostStateCodec } from '../../src/host/kernel/conversation.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { summary } from '../measure.ts';
import type { Spoken } from './talk.ts';
import { compareThirds, type Compared, type Slice } from './verdict.ts';

/** How many of the newest acknowledged events are looked for in the log, one by one, at the end. */
const NEWEST = 20_000;
const PROBLEMS_MAX = 20;

/** Acknowledged events of a room of which the order is looked at. Answers may overtake each other a little. */
const PLACES = 16;

interface Kept {
  eventId: string;
  seq: number;
  at: number;
}

interface Placed {
  eventId: string;
  /** As the source numbered it, and as the log did. */
  nth: number;
  seq: number;
}

/** What was sent, answered and delivered. It keeps counts and the newest, so that it does not grow itself. */
export class Ledger {
  sent = 0;
  acknowledged = 0;
  /** The newest, in a ring. */
  readonly newest: Kept[] = [];
  readonly #measured: ReadonlySet<string>;
  readonly #sentAt = new Map<string, number>();
  readonly #places = new Map<string, Placed[]>();
  readonly #problems: string[] = [];
  #arrivedMs: number[] = [];

  /** `measured`: the agents whose deliveries are timed. */
  constructor(measured: readonly string[]) {
    this.#measured = new Set(measured);
  }

  /** Returns the number of the event, in the order of sending. */
  send({ eventId }: Spoken, names: string | undefined): number {
    if (names !== undefined && this.#measured.has(names)) this.#sentAt.set(eventId, performance.now());
    return this.sent++;
  }

  /** `nth` is undefined for one that was refused first and came again: it has lost its place. */
  answered({ eventId, conversation }: Spoken, nth: number | undefined, result: unknown): void {
    const [row] = (result as { events: { status: string; sequence?: number; problem?: string }[] }).events;
    if (row?.status !== 'stored' || row.sequence === undefined)
      return this.#problem(`${eventId} was answered with ${JSON.stringify(row)}`);
    const kept = { eventId, seq: row.sequence, at: performance.now() };
    if (nth !== undefined) this.#inOrder(conversation.id, { eventId, nth, seq: row.sequence });
    this.newest[this.acknowledged++ % NEWEST] = kept;
  }

  /** Events of a room are sent in order, so their places in the log rise, and none is given twice. */
  #inOrder(room: string, kept: Placed): void {
    const others = this.#places.get(room) ?? [];
    for (const { eventId, nth, seq } of others)
      if (nth < kept.nth !== seq < kept.seq || seq === kept.seq)
        this.#problem(`${kept.eventId} is number ${kept.seq} of ${room}, and ${eventId} is ${seq}`);
    this.#places.set(room, [...others.slice(1 - PLACES), kept]);
  }

  failed({ eventId }: Spoken, error: unknown): void {
    this.#problem(`${eventId} was not acknowledged: ${String(error)}`);
  }

  delivered(eventId: string): void {
    const at = this.#sentAt.get(eventId);
    if (at === undefined) return;
    this.#sentAt.delete(eventId);
    this.#arrivedMs.push(performance.now() - at);
  }

  /** What has arrived since the last call. */
  takeArrived(): { values: number[]; p99: number } {
    const values = this.#arrivedMs;
    this.#arrivedMs = [];
    return { values, p99: summary(values).p99 };
  }

  problems(): readonly string[] {
    return this.#problems;
  }

  /** Named an agent on a WebSocket, and never came there. */
  undelivered(): string[] {
    return [...this.#sentAt.keys()];
  }

  #problem(words: string): void {
    if (this.#problems.length < PROBLEMS_MAX) this.#problems.push(words);
  }
}

/** The rules of every store, and the newest events one by one. Those that retention may have removed are left out. */
export async function lookAtStore(file: string, ledger: Ledger, retentionMs: number): Promise<string[]> {
  const store = await openSqliteStore({ file, clock: systemClock, codec: hostStateCodec });
  try {
    const wrong = [...(await store.check()), ...(await checkRows(store))];
    const cutUpTo = performance.now() - retentionMs;
    for (const { eventId, seq, at } of ledger.newest) {
      if (at < cutUpTo + retentionMs / 10) continue;
      if ((await store.get('log', eventId))?.seq !== seq)
        wrong.push(`${eventId} was acknowledged and is lost`);
    }
    return wrong.slice(0, PROBLEMS_MAX);
  } finally {
    await store.close();
  }
}

const NAMES: Readonly<Record<Compared['what'], string>> = {
  p99Ms: 'p99 from event to delivery',
  rss: 'memory of the process',
  heapFloor: 'heap in use',
  externalFloor: 'buffers in use',
  nativeBytes: 'memory besides V8',
  dbUsedBytes: 'database in use',
  dbBytes: 'database file',
  walBytes: 'WAL',
};

export interface Flatness {
  /** What grew, in words. */
  grew: string[];
  /** What the machine, or a short run, did not let be judged. */
  unjudged: string[];
}

/** Prints each comparison. */
export function flatness(slices: readonly Slice[], print: (line: string) => void): Flatness {
  const compared = compareThirds(slices);
  if (compared === undefined) {
    print('too short to say whether it is flat: give at least 3 minutes');
    return { grew: [], unjudged: ['growth'] };
  }
  const lines = compared.map((one) => `${NAMES[one.what]}: ${inWords(one)}`);
  for (const line of lines) print(line);
  return {
    grew: lines.filter((_, index) => compared[index]?.isFlat === false),
    unjudged: compared.filter(({ isFlat }) => isFlat === undefined).map(({ what }) => NAMES[what]),
  };
}

function inWords({ what, first, last, most, isFlat }: Compared): string {
  const shown = (value: number): string =>
    what === 'p99Ms' ? `${value.toFixed(1)} ms` : `${(value / 1_048_576).toFixed(1)} MB`;
  if (isFlat === undefined)
    return what === 'nativeBytes'
      ? 'not judged, this system does not say'
      : 'not judged, the machine was busy with other work';
  const said = isFlat ? 'flat' : `more than ${shown(most)}`;
  if (what === 'dbBytes') return `${shown(last)}, of which ${shown(first)} were in use at the most: ${said}`;
  return `${shown(first)} in the first third, ${shown(last)} in the last: ${said}`;
}
