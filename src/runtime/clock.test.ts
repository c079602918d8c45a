// The virtual clock runs what falls due, in order, and never goes back.
import { describe, expect, it } from 'vitest';
import { systemClock, VirtualClock } from './clock.ts';

describe('VirtualClock', () => {
  it('runs callbacks in order of time, then of asking, at their own time', () => {
    const clock = new VirtualClock(100);
    const ran: [string, number][] = [];
    const note = (name: string) => () => ran.push([name, clock.now()]);
    clock.after(20, note('late'));
    clock.after(10, note('first'));
    clock.after(10, note('second'));
    clock.advance(15);
    expect(ran).toEqual([
      ['first', 110],
      ['second', 110],
    ]);
    expect([clock.now(), clock.pending()]).toEqual([115, 1]);
  });

  it('runs what is asked for on the way, and not what was cancelled', () => {
    const clock = new VirtualClock();
    const ran: number[] = [];
    const again = (): void => {
      ran.push(clock.now());
      if (ran.length < 3) clock.after(5, again);
    };
    clock.after(5, again);
    clock.after(6, () => ran.push(-1))();
    clock.advance(100);
    expect(ran).toEqual([5, 10, 15]);
    clock.advanceTo(50);
    expect(clock.now()).toBe(100);
  });
});

it('the system clock can be cancelled, however long the wait', () => {
  const cancel = systemClock.after(2 ** 40, () => expect.fail('ran'));
  cancel();
  expect(systemClock.now()).toBeGreaterThan(0);
});
