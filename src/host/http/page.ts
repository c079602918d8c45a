// Pages: a limit and an opaque cursor, the same on every list. A cursor is a position of the store's, which only grows.
import { z } from 'zod';

const digits = z.string().regex(/^\d{1,15}$/, 'expected the nextCursor of the page before');

export const PAGE_MAX = 200;
export const limitField = z.coerce.number<string>().int().min(1).max(PAGE_MAX).default(50);
export const pageQuery = z.object({
  limit: limitField,
  cursor: digits.transform(Number).default(0),
});

/** What a page answers with besides its rows. */
export function nextCursor(rows: readonly { position: number }[], limit: number): { nextCursor?: string } {
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? {} : { nextCursor: String(last.position) };
}
