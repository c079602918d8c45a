// What `attend` costs beside another checkout of this project: `node bench/attend-beside.ts FOLDER [--labelled FILE]`. Both run
// in this process, by turns, over the same rooms: those of bench/attend.ts, the same with agents that answer, and labelled
// ones (docs/scoring.md). What counts is CPU time, not the clock, and the median of the ratios of neighbours.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import type * as attention from '../src/attention/index.ts';
import { type AttentionState, type Roster, SCORER_VERSION } from '../src/attention/index.ts';
import type { MessageEvent } from '../src/protocol/chat-event.ts';
import { type AddresseeRow, PLAYED, eventsOf, playersIn, roomsOf } from '../scripts/labelled-rooms.ts';
import { PAUSE_MS, PLACE, POOL, answered, settingsWith } from './attend-rooms.ts';
import { loopUs, median, percentile } from './measure.ts';

type Engine = Pick<typeof attention, 'attend' | 'attentionSettingsSchema' | 'emptyState' | 'rosterFor'>;

/** Rooms that are folded again and again, one after the other. */
interface Rooms {
  name: string;
  settings: object;
  lines: readonly (readonly MessageEvent[])[];
  /** The time since the line before, where the lines do not tell their own. */
  pauseMs?: number;
  slice: number;
}

/** As every record has them. A checkout of before does not read them. */
const FACTS = { scorer: SCORER_VERSION };

/** One checkout in some rooms. */
class Side {
  readonly #engine: Engine;
  readonly #roster: Roster;
  readonly #rooms: Rooms;
  #state: AttentionState;
  #room = 0;
  #line = 0;

  constructor(engine: Engine, rooms: Rooms) {
    this.#engine = engine;
    this.#rooms = rooms;
    this.#roster = engine.rosterFor(engine.attentionSettingsSchema.parse(rooms.settings), PLACE);
    this.#state = engine.emptyState();
  }

  /** CPU time of an event. */
  async slice(): Promise<number> {
    // The collector ends its work between tasks: without any, what it has begun would slow all that comes after.
    await setImmediate();
    const { slice } = this.#rooms;
    const before = loopUs();
    for (let done = 0; done < slice; done++) this.#next();
    return (loopUs() - before) / slice;
  }

  #next(): void {
    const { lines, pauseMs } = this.#rooms;
    const event = lines[this.#room]?.[this.#line++];
    if (event === undefined) {
      this.#room = (this.#room + 1) % lines.length;
      this.#line = 0;
      if (pauseMs === undefined) this.#state = this.#engine.emptyState();
      return;
    }
    const { seq, at } = this.#state;
    const now = pauseMs === undefined ? Number(event.at) : at + pauseMs;
    const record = { kind: 'event' as const, seq: seq + 1, at: now, event, facts: FACTS };
    this.#state = this.#engine.attend(this.#state, record, this.#roster).state;
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    slices: { type: 'string', default: '31' },
    labelled: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('attend-beside: give the folder of the other checkout, with its dependencies installed');
  process.exit(2);
}

const engineIn = async (checkout: string): Promise<Engine> =>
  (await import(pathToFileURL(join(checkout, 'src/attention/index.ts')).href)) as Engine;

/** Long enough that a turn of the scheduler is a small part of it. */
const EVENTS = 8_000;
const EVENTS_OF_MANY = 1_500;

function invented(agents: number, answering: boolean): Rooms {
  return {
    name: `${agents} agents, ${answering ? 'who answer' : 'who say nothing'}`,
    settings: settingsWith(agents),
    lines: [answering ? answered(agents) : POOL],
    pauseMs: PAUSE_MS,
    slice: agents === 100 ? EVENTS_OF_MANY : EVENTS,
  };
}

/** The first of the participants plays the agent. */
function labelled(file: string): Rooms {
  const rows = readFileSync(file, 'utf8').trim().split('\n');
  const rooms = roomsOf(rows.map((row) => JSON.parse(row) as AddresseeRow));
  const lines = rooms.flatMap((room) => {
    const [me] = playersIn(room);
    return me === undefined ? [] : [eventsOf(room, me)];
  });
  return { name: 'labelled rooms', settings: { agents: [{ id: PLAYED }] }, lines, slice: EVENTS };
}

interface Measured {
  rooms: string;
  theirUs: number;
  ourUs: number;
  ratio: number;
  spread: readonly [number, number];
}

async function measured(theirs: Side, ours: Side, name: string): Promise<Measured> {
  for (const side of [theirs, ours, theirs, ours]) await side.slice(); // warm up
  const [their, our, ratios]: [number[], number[], number[]] = [[], [], []];
  let before = await theirs.slice();
  for (let slice = 0; slice < Number(values.slices); slice++) {
    const mine = await ours.slice();
    const after = await theirs.slice();
    their.push(after);
    our.push(mine);
    ratios.push(mine / ((before + after) / 2));
    before = after;
  }
  const sorted = ratios.toSorted((a, b) => a - b);
  return {
    rooms: name,
    theirUs: median(their),
    ourUs: median(our),
    ratio: median(ratios),
    spread: [percentile(sorted, 0.25), percentile(sorted, 0.75)],
  };
}

const theirEngine = await engineIn(resolve(folder));
const ourEngine = await engineIn(join(import.meta.dirname, '..'));
const all = [
  ...[1, 3, 100].map((agents) => invented(agents, false)),
  ...(values.labelled === undefined ? [] : [labelled(values.labelled)]),
  ...[1, 3, 100].map((agents) => invented(agents, true)),
];
const results: Measured[] = [];
for (const rooms of all) {
  results.push(await measured(new Side(theirEngine, rooms), new Side(ourEngine, rooms), rooms.name));
}
if (values.json) console.log(JSON.stringify({ kind: 'bench/attend-beside', results }));
else {
  console.log('attend, CPU time of an event'.padEnd(32) + 'theirs      ours        ratio');
  for (const { rooms, theirUs, ourUs, ratio, spread } of results) {
    const [low, high] = spread.map((at) => at.toFixed(2));
    const times = [theirUs, ourUs].map((us) => `${us.toFixed(2)} µs`.padEnd(12)).join('');
    console.log(`  ${rooms.padEnd(30)}${times}${ratio.toFixed(2)}  (${low} to ${high})`);
  }
}
