// Everything at once, seeded: fragments, several people and rooms, lost connections, a host that crashes, handlers that
// fail and handlers that are slow. Every word that was said to the agent is answered exactly once.
import { describe, expect, it } from 'vitest';
import type { Turn } from '../../src/agent/index.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { world } from './harness.ts';
import { seeds } from '../long.ts';

const STEPS = 40;
const CASES = seeds(6, 25).map((seed, index): [number, boolean] => [seed, index % 2 === 1]);

describe('under faults', () => {
  it.each(CASES)('seed %i, edits and deletes %s: each word is answered once', async (seed, amends) => {
    const here = await world({ seed });
    const random = seededRandom(seed * 7_919 + 1);
    const chance = (share: number): boolean => random.next() < share;
    const failed = new Set<string>();
    here.agent('lead').onTurn(async (turn: Turn) => {
      const waitMs = Math.floor(random.next() * 4_000);
      await new Promise<void>((resolve, reject) => {
        here.clock.after(waitMs, resolve);
        turn.signal.addEventListener('abort', () => reject(new Error('cancelled')));
      });
      const words = turn.text.match(/w\d+/g) ?? [];
      const key = words.join();
      if (chance(0.15) && !words.some((word) => failed.has(word))) {
        for (const word of words) failed.add(word);
        throw new Error(`no luck with ${key}`);
      }
      return `re ${words.join(' ')}`;
    });
    await here.pass(1_000);
    const said: string[] = [];
    /** Edited or deleted at some point: answered before it, after it in the new words, or not at all. */
    const changed = new Set<string>();
    for (let step = 0; step < STEPS; step++) {
      const word = `w${step}`;
      said.push(word);
      await here.say({
        id: word,
        text: `@lead ${word}`,
        mentions: ['lead'],
        by: `u${step % 3}`,
        in: `C${step % 2}`,
      });
      await here.pass(Math.floor(random.next() * 3_000));
      const earlier = said[Math.floor(random.next() * said.length)] ?? word;
      if (amends && chance(0.3) && !changed.has(earlier)) {
        changed.add(earlier);
        const index = Number(earlier.slice(1));
        const where = { by: `u${index % 3}`, in: `C${index % 2}` };
        const type = chance(0.5) ? 'edit' : 'delete';
        const edited = type === 'edit' ? { text: `@lead w${index}00 really` } : {};
        await here.say({
          ...where,
          ...edited,
          id: `${type}-${step}`,
          more: { type, targetEventId: earlier },
        });
      }
      if (chance(0.1)) here.cut();
      if (chance(0.04)) await here.restart();
    }
    await here.pass(180_000, 500);
    const answered = here.posted.flatMap(({ text }) => text.split(' ').slice(1));
    expect(new Set(answered).size).toBe(answered.length);
    const unchanged = said.filter((word) => !changed.has(word));
    expect(unchanged.filter((word) => !answered.includes(word))).toEqual([]);
    if (!amends) expect(answered.toSorted()).toEqual(said.toSorted());
    expect(await here.store.scan('delivery', 'openByAgent', { eq: ['lead', 1], limit: 10 })).toEqual([]);
    await here.stop();
  });
});
