// Turns in a lane: in rotation between callers, in order for each, never more than its limits.
import { expect, it } from 'vitest';
import { VirtualClock } from '../../runtime/clock.ts';
import { type Entered, createFairLane } from './fair-lane.ts';

const clock = (): VirtualClock => new VirtualClock(0);

/** Enters, and notes who got a turn, in order. */
function noting(lane: ReturnType<typeof createFairLane>) {
  const turns: string[] = [];
  const ends: (() => void)[] = [];
  const note = (who: string, entered: Entered): void => {
    if (!entered.ok) return;
    turns.push(who);
    ends.push(entered.end);
  };
  return {
    turns,
    enter: (who: string, signal?: AbortSignal): Entered | Promise<Entered> => {
      const entered = lane.enter(who, signal);
      if (!(entered instanceof Promise)) note(who, entered);
      else void entered.then((one) => note(who, one));
      return entered;
    },
    endOne: async (): Promise<void> => {
      ends.shift()?.();
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

it('the fewest running comes first, then who has waited longest; a full queue is refused', async () => {
  const lane = createFairLane({ each: 2, all: 2, waiting: 3 }, { clock: clock() });
  const { turns, enter, endOne } = noting(lane);
  for (let call = 0; call < 5; call++) void enter('a');
  expect(enter('a')).toEqual({ ok: false, retryAfterMs: 1_000 });
  void enter('b');
  void enter('b');
  void enter('c');
  expect(lane.of('a')).toEqual({ running: 2, waiting: 3 });
  for (let turn = 0; turn < 6; turn++) await endOne();
  expect(turns.join('')).toBe('aabacbaa');
  await endOne();
  await endOne();
  expect(lane.callers()).toEqual([]);
});

it('who gives up leaves the queue, and takes no turn', async () => {
  const lane = createFairLane({ each: 1, all: 1, waiting: 9 }, { clock: clock() });
  const { turns, enter, endOne } = noting(lane);
  const gone = new AbortController();
  void enter('a');
  const given = enter('b', gone.signal);
  void enter('c');
  gone.abort();
  expect(await given).toMatchObject({ ok: false });
  await endOne();
  expect(turns).toEqual(['a', 'c']);
});

it('who must rest waits, and holds up nobody else', async () => {
  const time = clock();
  const restMs = (who: string): number => (who === 'a' ? Math.max(0, 500 - time.now()) : 0);
  const lane = createFairLane({ each: 1, all: 1, waiting: 9 }, { clock: time, restMs });
  const { turns, enter, endOne } = noting(lane);
  void enter('a');
  void enter('b');
  await endOne();
  expect(turns).toEqual(['b']);
  time.advanceTo(500);
  await Promise.resolve();
  await Promise.resolve();
  expect(turns).toEqual(['b', 'a']);
});
