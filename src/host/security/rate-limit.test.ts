import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../runtime/clock.ts';
import { createRateLimiter, DEFAULT_LIMITS } from './rate-limit.ts';

const limit = { perMinute: 60, burst: 3, maxKeys: 2 };

describe('a rate limiter', () => {
  it('lets a burst pass, then one per interval, and says how long to wait', () => {
    const clock = new VirtualClock();
    const limiter = createRateLimiter(limit, clock);
    expect([1, 2, 3].map(() => limiter.take('a').ok)).toEqual([true, true, true]);
    expect(limiter.take('a')).toEqual({ ok: false, retryAfterMs: 1_000 });
    clock.advance(400);
    expect(limiter.take('a')).toEqual({ ok: false, retryAfterMs: 600 });
    clock.advance(600);
    expect(limiter.take('a')).toEqual({ ok: true });
    expect(limiter.take('b')).toEqual({ ok: true });
  });
  it('a refusal costs nothing', () => {
    const clock = new VirtualClock();
    const limiter = createRateLimiter(limit, clock);
    limiter.take('a', 3);
    for (let i = 0; i < 100; i++) limiter.take('a');
    clock.advance(1_000);
    expect(limiter.take('a').ok).toBe(true);
  });
  it('lets a batch larger than the burst pass from full, and makes it wait after', () => {
    const clock = new VirtualClock();
    const limiter = createRateLimiter(limit, clock);
    expect(limiter.take('a', 10)).toEqual({ ok: true });
    expect(limiter.take('a')).toEqual({ ok: false, retryAfterMs: 8_000 });
    expect(limiter.take('a', 10)).toEqual({ ok: false, retryAfterMs: 10_000 });
  });
  it('keeps so many keys, forgetting the one unused for longest', () => {
    const clock = new VirtualClock();
    const limiter = createRateLimiter(limit, clock);
    limiter.take('a', 3);
    limiter.take('b', 3);
    limiter.take('a');
    limiter.take('c');
    expect(limiter.size()).toBe(2);
    expect(limiter.take('a').ok).toBe(false);
    expect(limiter.take('b').ok).toBe(true);
  });
  it('is not confused by a clock set back', () => {
    let now = 10_000;
    const limiter = createRateLimiter(limit, { now: () => now, after: () => () => {} });
    limiter.take('a', 3);
    now = 0;
    expect(limiter.take('a').ok).toBe(false);
    now = 1_000;
    expect(limiter.take('a').ok).toBe(true);
  });
  it('is divided by the hosts that share it, as many as there are just now', () => {
    const clock = new VirtualClock();
    let hosts = 2;
    const two = [1, 2].map(() =>
      createRateLimiter({ perMinute: 60, burst: 4, maxKeys: 2 }, clock, () => hosts),
    );
    const passed = (limiter: (typeof two)[number] | undefined): number => {
      let count = 0;
      while (limiter?.take('a').ok === true) count++;
      return count;
    };
    expect(two.map(passed)).toEqual([2, 2]);
    clock.advance(4_000);
    expect(two.map(passed)).toEqual([2, 2]);
    hosts = 1;
    clock.advance(4_000);
    expect(passed(two[0])).toBe(4);
  });
  it('never lets more than the burst and the rate through, and the wait it names is enough', () => {
    fc.assert(
      fc.property(
        fc.record({ perMinute: fc.integer({ min: 1, max: 6_000 }), burst: fc.integer({ min: 1, max: 50 }) }),
        fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 100 }),
        (rate, gaps) => {
          const clock = new VirtualClock();
          const limiter = createRateLimiter({ ...rate, maxKeys: 1 }, clock);
          let passed = 0;
          for (const gap of gaps) {
            clock.advance(gap);
            if (limiter.take('k').ok) passed++;
            expect(passed).toBeLessThanOrEqual(rate.burst + (clock.now() * rate.perMinute) / 60_000 + 1e-6);
          }
          const refused = limiter.take('k');
          if (!refused.ok) {
            clock.advance(refused.retryAfterMs);
            expect(limiter.take('k').ok).toBe(true);
          }
        },
      ),
    );
  });
});

it('the default limits let the burst of issue 3 through: 2,000 messages from 8 senders', () => {
  const clock = new VirtualClock();
  const perAuthor = createRateLimiter(DEFAULT_LIMITS.inboundPerAuthor, clock);
  const perSurface = createRateLimiter(DEFAULT_LIMITS.inboundPerSurface, clock);
  const all = Array.from(
    { length: 2_000 },
    (_, i) => perAuthor.take(`u${i % 8}`).ok && perSurface.take('t').ok,
  );
  expect(all).not.toContain(false);
});
