// The lists of GitHub that are read from a time on: comments of a thread, and what has changed in a repository.
import type { z } from 'zod';
import { instantMs } from '../../protocol/log-record.ts';
import type { Called } from '../failure.ts';
import type { GithubApi } from './api.ts';

export interface Listed<T> {
  items: T[];
  /** False: there is more than was read. */
  isWhole: boolean;
}

export interface ListRequest<S extends z.ZodType> {
  route: string;
  args: Record<string, unknown>;
  schema: S;
  /** Epoch ms, inclusive. Undefined: from the beginning. */
  since?: number | undefined;
  pages: number;
  /** Where the list is too old. Only for those with the newest first. */
  isPast?: (item: z.infer<S>) => boolean;
}

const PER_PAGE = 100;

/** Reads a list by the numbers of its pages. */
export async function readList<S extends z.ZodType>(
  api: GithubApi,
  { route, args, schema, since, pages, isPast }: ListRequest<S>,
): Promise<Called<Listed<z.infer<S>>>> {
  const items: z.infer<S>[] = [];
  const from = since === undefined ? {} : { since: secondsOf(since) };
  for (let page = 1; page <= pages; page++) {
    const called = await api.page(route, { ...args, ...from, per_page: PER_PAGE, page });
    if (!called.ok) return called;
    items.push(...readItems(schema, called.value.items));
    const last = items.at(-1);
    const isOver = last !== undefined && isPast?.(last) === true;
    if (isOver || !called.value.hasMore) return { ok: true, value: { items, isWhole: true } };
  }
  return { ok: true, value: { items, isWhole: false } };
}

export interface Changed {
  id: number;
  updated_at: string;
}

/**
 * Reads what has changed, the oldest change first. Every page is asked from the time of the last item on: what changes
 * while the list is read moves to its end, and would push another item over the edge of a numbered page.
 */
export async function readChanged<S extends z.ZodType<Changed>>(
  api: GithubApi,
  { route, args, schema, since, pages }: ListRequest<S> & { since: number },
): Promise<Called<Listed<z.infer<S>>>> {
  const items = new Map<number, z.infer<S>>();
  const listed = (isWhole: boolean): Called<Listed<z.infer<S>>> => ({
    ok: true,
    value: { items: [...items.values()], isWhole },
  });
  let from = secondsOf(since);
  let page = 1;
  for (let read = 1; ; read++) {
    const order = { sort: 'updated', direction: 'asc', since: from };
    const called = await api.page(route, { ...args, ...order, per_page: PER_PAGE, page });
    if (!called.ok) return called;
    const found = readItems(schema, called.value.items);
    for (const item of found) items.set(item.id, item);
    if (!called.value.hasMore) return listed(true);
    const last = found.at(-1);
    const next = last === undefined ? from : secondsOf(instantMs(last.updated_at));
    if (next === from) {
      // More than a page of one second. They can only be read by the numbers of their pages.
      page++;
      continue;
    }
    if (read >= pages) return listed(false);
    [from, page] = [next, 1];
  }
}

/** Items that are not as expected are left out: one odd comment must not hide the others. */
function readItems<S extends z.ZodType>(schema: S, items: readonly unknown[]): z.infer<S>[] {
  return items.flatMap((one) => {
    const parsed = schema.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
}

/** GitHub counts whole seconds. */
export function secondsOf(ms: number): string {
  return new Date(Math.max(0, ms)).toISOString().replace(/\.\d+Z$/, 'Z');
}
