// Measures one decision: `attend` with trace, per (event, agent), in an invented room with the traffic of a team chat.
// Absolute times depend on the machine. The two ratios must not: many conversations cost as much as few, and the
// millionth event costs as much as the thousandth. Prints a table, or one JSON object with --json.
import {
  type AttentionState,
  type Roster,
  SCORER_VERSION,
  attend,
  attentionSettingsSchema,
  emptyState,
  encodeState,
  rosterFor,
} from '../src/attention/index.ts';
import type { MessageEvent } from '../src/protocol/chat-event.ts';
import { PAUSE_MS, PLACE, POOL, answered, settingsWith } from './attend-rooms.ts';
import { median } from './measure.ts';

interface Run {
  agents: number;
  usPerEvent: number;
  usPerDecision: number;
}

function rosterOf(agents: number): Roster {
  return rosterFor(attentionSettingsSchema.parse(settingsWith(agents)), PLACE);
}

const SCORED = { scorer: SCORER_VERSION };

/** A number of conversations, each with the state folded so far. */
class Rooms {
  readonly #roster: Roster;
  readonly #states: AttentionState[];
  readonly #facts: { scorer?: number };
  readonly #pool: readonly MessageEvent[];
  #next = 0;

  /** `facts`: as every record has them. Without a version of the scorer it has no part. */
  constructor(
    agents: number,
    conversations: number,
    facts: { scorer?: number } = SCORED,
    pool: readonly MessageEvent[] = POOL,
  ) {
    this.#facts = facts;
    this.#pool = pool;
    this.#roster = rosterOf(agents);
    this.#states = Array.from({ length: conversations }, () => emptyState());
  }

  fold(events: number): { usPerEvent: number; usPerDecision: number } {
    let decisions = 0;
    const started = performance.now();
    for (let index = 0; index < events; index++, this.#next++) {
      const at = this.#next % this.#states.length;
      // An answer follows its question in the same conversation.
      const line = this.#pool === POOL ? this.#next : Math.floor(this.#next / this.#states.length);
      const event = this.#pool[line % this.#pool.length];
      const state = this.#states[at];
      if (event === undefined || state === undefined) continue;
      const facts = this.#facts;
      const record = { kind: 'event' as const, seq: state.seq + 1, at: state.at + PAUSE_MS, event, facts };
      const attended = attend(state, record, this.#roster);
      this.#states[at] = attended.state;
      decisions += attended.decisions.length;
    }
    const us = (performance.now() - started) * 1_000;
    return { usPerEvent: us / events, usPerDecision: us / decisions };
  }
}

function runOf(agents: number): Run {
  const events = agents === 100 ? 5_000 : 50_000;
  const tries = [1, 2, 3].map(() => new Rooms(agents, 10).fold(events));
  const [best] = tries.toSorted((a, b) => a.usPerEvent - b.usPerEvent);
  return {
    agents,
    usPerEvent: best?.usPerEvent ?? Number.NaN,
    usPerDecision: best?.usPerDecision ?? Number.NaN,
  };
}

const SLICE_EVENTS = 20_000;
const SLICES = 15;

/** The cost of one relative to the other, measured by turns: the median of the ratios of neighbouring slices. */
function ratioOf(one: Rooms, other: Rooms, events = SLICE_EVENTS): number {
  const ratios = Array.from({ length: SLICES }, () => {
    const under = other.fold(events).usPerEvent;
    return one.fold(events).usPerEvent / under;
  });
  return median(ratios);
}

/** A fold that already has this many events behind it. */
function after(events: number, agents: number, conversations: number): Rooms {
  const rooms = new Rooms(agents, conversations);
  rooms.fold(events);
  return rooms;
}

function main(): void {
  after(50_000, 3, 10); // warm up
  const runs = [1, 3, 10, 100].map(runOf);
  const conversationsRatio = ratioOf(after(100_000, 3, 10_000), after(100_000, 3, 10));
  // Measuring adds events to both. The short one still has at most a tenth of the long one's.
  const historyRatio = ratioOf(after(1_000_000, 3, 1), after(1_000, 3, 1));
  const scorerRatios = [1, 100].map((agents) => {
    const events = agents === 100 ? 2_000 : SLICE_EVENTS;
    const ratio = (pool: readonly MessageEvent[]): number =>
      ratioOf(new Rooms(agents, 10, SCORED, pool), new Rooms(agents, 10, {}, pool), events);
    return { agents, ratio: ratio(POOL), answering: ratio(answered(agents)) };
  });
  let state = emptyState();
  for (const [index, event] of POOL.entries()) {
    state = attend(
      state,
      { kind: 'event', seq: index + 1, at: state.at + PAUSE_MS, event, facts: SCORED },
      rosterOf(3),
    ).state;
  }
  const result = {
    kind: 'bench/attend',
    runs,
    conversationsRatio,
    historyRatio,
    scorerRatios,
    stateBytes: Buffer.byteLength(encodeState(state)),
  };
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify(result));
    return;
  }
  console.log('attend, with trace');
  for (const run of runs) {
    const cells = [
      `${run.agents} agents`,
      `${run.usPerEvent.toFixed(2)} µs/event`,
      `${run.usPerDecision.toFixed(2)} µs/decision`,
    ];
    console.log(`  ${cells.map((cell) => cell.padStart(18)).join('')}   (budget 5 µs/decision)`);
  }
  console.log(`  10,000 conversations : 10       ${result.conversationsRatio.toFixed(2)}   (at most 1.3)`);
  console.log(`  1,000,000 events : 1,000        ${result.historyRatio.toFixed(2)}   (at most 1.3)`);
  for (const { agents, ratio, answering } of scorerRatios) {
    const what = `with scorer : without, ${agents} agents`.padEnd(32);
    console.log(`  ${what}${ratio.toFixed(2)}   (at most 2), ${answering.toFixed(2)} where they answer`);
  }
  console.log(`  stored state                    ${result.stateBytes} bytes (at most 1,536)`);
}

main();
