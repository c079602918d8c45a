// The lists of GitHub that were read from a time on: comments of a thread, and what has changed in a repository.
import type { z } from 'zod';
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

/** Items that are not as expected are left out: one odd comment must not hide the others. */
export async function readList<S extends z.ZodType>(
  api: GithubApi,
  { route, args, schema, since, pages, isPast }: ListRequest<S>,
): Promise<Called<Listed<z.infer<S>>>> {
  const items: z.infer<S>[] = [];
  for (let page = 1; page <= pages; page++) {
    const called = await api.page(route, {
      ...args,
      per_page: PER_PAGE,
      page,
      ...(since !== undefined && { since: secondsOf(since) }),
    });
    if (!called.ok) return called;
    items.push(
      ...called.value.items.flatMap((one) => {
        const parsed = schema.safeParse(one);
        return parsed.success ? [parsed.data] : [];
      }),
    );
    const last = items.at(-1);
    const isOver = last !== undefined && isPast?.(last) === true;
    if (isOver || !called.value.hasMore) return { ok: true, value: { items, isWhole: true } };
  }
  return { ok: true, value: { items, isWhole: false } };
}

/** GitHub counts whole seconds. */
export function secondsOf(ms: number): string {
  return new Date(Math.max(0, ms)).toISOString().replace(/\.\d+Z$/, 'Z');
}
