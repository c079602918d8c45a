// A lane alone: what becomes of a delivery whose handing over fails on our side.
import { expect, it } from 'vitest';
import { VirtualClock } from '../../src/runtime/clock.ts';
import type { DeliveryRow } from '../../src/store/tables.ts';
import { Lane, type LaneDeps, type LaneItem } from '../../src/host/deliver/lane.ts';

function item(key: string, conversation: string): LaneItem {
  return { delivery: { key, conversation, attempt: 1 } as DeliveryRow, event: {} as LaneItem['event'] };
}

function setUp(hand: LaneDeps['hand']) {
  const clock = new VirtualClock(0);
  const refused: [key: string, why: string, attempt: number][] = [];
  const accepted: string[] = [];
  const lane = new Lane({
    windowDeliveries: 64,
    handAttempts: 3,
    handsAgain: true,
    hand,
    accepted: ({ delivery }) => void accepted.push(delivery.key),
    refused: ({ delivery: { key, attempt } }, why) => void refused.push([key, why, attempt]),
    left: () => undefined,
    backoffMs: () => 10,
    after: (ms, run) => clock.after(ms, run),
  });
  lane.open();
  return { clock, lane, refused, accepted };
}

it.each([
  [
    'throws',
    () => {
      throw new Error('it has no decision');
    },
  ],
  ['rejects', () => Promise.reject(new Error('it has no decision'))],
])('what %s is tried again and then a dead letter that says why, and holds nobody up', async (_, fail) => {
  const { clock, lane, refused, accepted } = setUp(({ delivery }) =>
    delivery.key === 'bad' ? fail() : { type: 'accepted' },
  );
  lane.add(item('bad', 'a'));
  lane.add(item('behind', 'a'));
  lane.add(item('elsewhere', 'b'));
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(10);
  }
  expect(refused).toEqual([['bad', 'it has no decision', 3]]);
  expect(accepted.toSorted()).toEqual(['behind', 'elsewhere']);
  expect(lane.load).toBe(0);
});
