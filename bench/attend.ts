// Measures one decision: `attend` with trace, per (event, agent), in an invented room with the traffic of a team chat.
// Absolute times depend on the machine. The two ratios must not: many conversations cost as much as few, and the
// millionth event costs as much as the thousandth. Prints a table, or one JSON object with --json.
import {
  type AttentionState,
  type Roster,
  attend,
  attentionSettingsSchema,
  emptyState,
  encodeState,
  rosterFor,
} from '../src/attention/index.ts';
import type { MessageEvent } from '../src/protocol/chat-event.ts';
import { median } from './measure.ts';

const PEOPLE = 12;
const LINES = [
  'morning, anybody seen the flaky login test again?',
  '@agent-0 can you check whether the deploy is blocked?',
  'the second run passed on my machine',
  'thanks!',
  'Jane, could you have a look at the billing export when you are back?',
  'ok',
  'still failing for me, the token seems to expire after ten minutes or so and then every request is a 401',
  'lunch?',
  'agent-1 what did we decide about the retry limit?',
  'fyi staging is down for ten minutes',
];

interface Run {
  agents: number;
  usPerEvent: number;
  usPerDecision: number;
}

function rosterOf(agents: number): Roster {
  const settings = attentionSettingsSchema.parse({
    agents: Array.from({ length: agents }, (_, index) => ({ id: `agent-${index}`, roles: ['helpers'] })),
  });
  return rosterFor(settings, {
    platform: 'bench',
    workspaceId: 'w',
    conversation: { id: 'c', kind: 'channel' },
  });
}

/** Deterministic, and made beforehand, so that only the fold is timed. */
function messages(count: number): MessageEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    eventId: `e${index}`,
    at: 1_750_000_000_000 + index * 7_000,
    platform: 'bench',
    workspaceId: 'w',
    conversation: { id: 'c', kind: 'channel' },
    author: { id: `U${(index * 7) % PEOPLE}`, kind: 'human', displayName: `Person ${(index * 7) % PEOPLE}` },
    type: 'message',
    text: LINES[index % LINES.length] ?? '',
  }));
}

const POOL = messages(1_000);

/** A number of conversations, each with the state folded so far. */
class Rooms {
  readonly #roster: Roster;
  readonly #states: AttentionState[];
  #next = 0;

  constructor(agents: number, conversations: number) {
    this.#roster = rosterOf(agents);
    this.#states = Array.from({ length: conversations }, () => emptyState());
  }

  fold(events: number): { usPerEvent: number; usPerDecision: number } {
    let decisions = 0;
    const started = performance.now();
    for (let index = 0; index < events; index++, this.#next++) {
      const event = POOL[this.#next % POOL.length];
      const at = this.#next % this.#states.length;
      const state = this.#states[at];
      if (event === undefined || state === undefined) continue;
      const record = { kind: 'event' as const, seq: state.seq + 1, at: state.at + 7_000, event, facts: {} };
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
function ratioOf(one: Rooms, other: Rooms): number {
  const ratios = Array.from({ length: SLICES }, () => {
    const under = other.fold(SLICE_EVENTS).usPerEvent;
    return one.fold(SLICE_EVENTS).usPerEvent / under;
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
  let state = emptyState();
  for (const [index, event] of POOL.entries()) {
    state = attend(
      state,
      { kind: 'event', seq: index + 1, at: state.at + 7_000, event, facts: {} },
      rosterOf(3),
    ).state;
  }
  const result = {
    kind: 'bench/attend',
    runs,
    conversationsRatio,
    historyRatio,
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
  console.log(`  stored state                    ${result.stateBytes} bytes (at most 4,096)`);
}

main();
