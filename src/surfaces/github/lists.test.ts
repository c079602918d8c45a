// A list that changes while it is read: whatever was there from the beginning to the end is read.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { GithubApi, Page } from './api.ts';
import { type Changed, readChanged, secondsOf } from './lists.ts';

const PER_PAGE = 100;
const schema = z.object({ id: z.int(), updated_at: z.string() });

/** A list as GitHub keeps it: by the time of the last change, then by id. `before` is called before every answer. */
function listOf(seconds: readonly number[], before: (items: Changed[]) => void): GithubApi {
  const items = seconds.map((second, id) => ({ id, updated_at: secondsOf(second * 1_000) }));
  return {
    page(_route: string, { since, page }: Record<string, unknown>) {
      before(items);
      const all = items
        .filter((one) => one.updated_at >= String(since))
        .toSorted((a, b) => a.updated_at.localeCompare(b.updated_at) || a.id - b.id);
      const end = Number(page) * PER_PAGE;
      const value: Page = { items: all.slice(end - PER_PAGE, end), hasMore: all.length > end };
      return Promise.resolve({ ok: true, value });
    },
  } as GithubApi;
}

async function readAll(api: GithubApi, pages: number): Promise<number[]> {
  const ids = new Set<number>();
  for (let since = 0, rounds = 0; ; rounds++) {
    expect(rounds).toBeLessThan(50);
    const listed = await readChanged(api, { route: 'GET /list', args: {}, schema, since, pages });
    if (!listed.ok) throw new Error(listed.failure.error);
    for (const { id } of listed.value.items) ids.add(id);
    if (listed.value.isWhole) return [...ids].toSorted((a, b) => a - b);
    since = Date.parse(listed.value.items.at(-1)?.updated_at ?? '');
  }
}

const somePages = fc.integer({ min: 1, max: 4 });
const secondsWith = (counts: readonly number[]): number[] =>
  counts.flatMap((count, second) => Array<number>(count).fill(second + 1));

it('every item is read, whatever changes meanwhile', async () => {
  const rooms = fc.record({
    /** How many changed in each second. */
    counts: fc.array(fc.integer({ min: 0, max: PER_PAGE - 1 }), { minLength: 1, maxLength: 12 }),
    pages: somePages,
    /** What changes before each answer. */
    changes: fc.array(fc.nat(1_200), { maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(rooms, async ({ counts, pages, changes }) => {
      const seconds = secondsWith(counts);
      const left = [...changes];
      const api = listOf(seconds, (items) => {
        const changed = items[left.pop() ?? items.length];
        if (changed !== undefined) changed.updated_at = secondsOf((100 - left.length) * 1_000);
      });
      expect(await readAll(api, pages)).toEqual(seconds.map((_, id) => id));
    }),
    { numRuns: 200 },
  );
});

it('every item is read, however many changed in one second', async () => {
  const counts = fc.array(fc.integer({ min: 0, max: 450 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(counts, somePages, async (many, pages) => {
      const seconds = secondsWith(many);
      const api = listOf(seconds, () => undefined);
      expect(await readAll(api, pages)).toEqual(seconds.map((_, id) => id));
    }),
    { numRuns: 50 },
  );
});
