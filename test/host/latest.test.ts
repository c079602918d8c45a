// What is remembered of how people write is bounded (kernel/rhythms.ts). Which of it is forgotten is what a list in order of
// use would say.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Latest } from '../../src/host/kernel/rhythms.ts';
import { cases } from '../long.ts';

const act = fc.tuple(fc.constantFrom('set', 'used', 'each'), fc.integer({ min: 0, max: 9 }));

describe('a bounded memory', () => {
  it('forgets what was set or used the longest ago', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(act, { maxLength: 60 }), (limit, acts) => {
        const latest = new Latest<number>(limit);
        const listed = new Map<string, number>();
        for (const [what, key] of acts) {
          if (what === 'each') {
            latest.each((value) => value + 1);
            for (const [each, value] of listed) listed.set(each, value + 1);
            continue;
          }
          const name = String(key);
          const value = what === 'set' ? key : (listed.get(name) ?? key);
          if (what === 'set') latest.change(name, () => key);
          else expect(latest.used(name, () => key)).toBe(value);
          listed.delete(name);
          listed.set(name, value);
          const [oldest = ''] = listed.keys();
          if (listed.size > limit) listed.delete(oldest);
        }
        expect(latest.size).toBe(listed.size);
        for (let key = 0; key < 10; key++) expect(latest.get(String(key))).toBe(listed.get(String(key)));
      }),
      { numRuns: cases(500, 20_000) },
    );
  });
});
