import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from './clock.ts';
import { steadyClock, watchClock } from './steady-clock.ts';

const HOUR = 3_600_000;
const START = 1_000 * HOUR;

describe('the steady clock', () => {
  it('is the wall clock as long as nobody sets that', () => {
    const wall = new VirtualClock(START);
    const steady = steadyClock(wall);
    const fired: number[] = [];
    steady.after(500, () => fired.push(steady.now()));
    wall.advance(10_000);
    expect([steady.now(), steady.aheadMs(), fired]).toEqual([START + 10_000, 0, [START + 500]]);
    expect(steady.jumps()).toEqual({ forward: 0, back: 0, last: undefined });
  });

  it('runs at half speed after the wall clock was set back, and is on it again after twice the jump', () => {
    const wall = new VirtualClock(START);
    const steady = steadyClock(wall);
    wall.jump(-HOUR);
    expect([steady.now(), steady.aheadMs()]).toEqual([START, HOUR]);
    wall.advance(HOUR);
    expect([steady.now(), steady.aheadMs()]).toEqual([START + HOUR / 2, HOUR / 2]);
    wall.advance(HOUR);
    expect([steady.now(), steady.aheadMs()]).toEqual([wall.now(), 0]);
  });

  it('follows the wall clock forward at once', () => {
    const wall = new VirtualClock(START);
    const steady = steadyClock(wall);
    wall.jump(24 * HOUR);
    expect([steady.now(), steady.aheadMs()]).toEqual([START + 24 * HOUR, 0]);
  });

  it('starts at the mark when the wall clock is behind it, and tells that as a jump', async () => {
    const steady = steadyClock(new VirtualClock(START), START + 2 * HOUR);
    const told: number[] = [];
    steady.onJump((ms) => told.push(ms));
    await Promise.resolve();
    expect([steady.now(), told, steady.jumps().back]).toEqual([START + 2 * HOUR, [-2 * HOUR], 1]);
  });

  it.each([
    ['set back before', (wall: VirtualClock) => wall.jump(-HOUR), () => undefined],
    ['set back while it waits', () => undefined, (wall: VirtualClock) => wall.jump(-HOUR)],
  ])('a wait takes at most twice as long (%s)', (_, before, during) => {
    const wall = new VirtualClock(START);
    const steady = steadyClock(wall);
    before(wall);
    const since = steady.now();
    let passed: number | undefined;
    steady.after(60_000, () => (passed = wall.elapsed() - START));
    wall.advance(1);
    during(wall);
    wall.advance(120_000);
    expect(passed).toBeGreaterThan(60_000);
    expect(passed).toBeLessThanOrEqual(120_000);
    expect(steady.now() - since).toBeGreaterThanOrEqual(60_000);
  });

  it('tells of a jump while nothing else asks the time', async () => {
    const wall = new VirtualClock(START);
    const steady = steadyClock(wall);
    const told: number[] = [];
    steady.onJump((ms) => told.push(ms));
    const end = watchClock(steady, wall, 5_000);
    wall.jump(-HOUR);
    wall.advance(5_000);
    wall.jump(3 * HOUR);
    wall.advance(5_000);
    await Promise.resolve();
    expect(told).toEqual([-HOUR, 3 * HOUR]);
    end();
    expect(wall.pending()).toBe(0);
  });

  it('notices a jump by exactly what has passed as soon as the wall clock moves on', () => {
    const wall = new VirtualClock(START);
    const steady = steadyClock(wall);
    wall.advance(HOUR);
    wall.jump(-HOUR);
    expect(steady.now()).toBe(START);
    wall.advance(2);
    expect([steady.now(), steady.jumps().back]).toEqual([START + HOUR / 2 + 1, 1]);
  });

  it('never goes back and is never slower than half, whatever is set', () => {
    const step = fc.record({ jump: fc.integer({ min: -HOUR, max: HOUR }), ms: fc.nat(HOUR) });
    fc.assert(
      fc.property(fc.array(step), fc.boolean(), (steps, keepsElapsed) => {
        const wall = new VirtualClock(START);
        const steady = steadyClock(
          keepsElapsed ? wall : { now: () => wall.now(), after: () => () => undefined },
        );
        let before = steady.now();
        for (const { jump, ms } of steps) {
          wall.jump(jump);
          const set = steady.now();
          wall.advance(ms);
          const now = steady.now();
          expect(set).toBeGreaterThanOrEqual(before);
          expect(now - set).toBeGreaterThanOrEqual(Math.floor(ms / 2) - 1);
          expect(now).toBeGreaterThanOrEqual(wall.now());
          before = now;
        }
      }),
    );
  });
});
