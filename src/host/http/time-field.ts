// A time in a query or body: ISO 8601 or epoch milliseconds.
import { z } from 'zod';

const EXPECTED = 'expected a time such as 2026-06-02T09:00:00Z, or epoch milliseconds';
const LAST_MS = 8_640_000_000_000_000;

export const timeField = z.union([z.string().max(40), z.number()]).transform((given, context) => {
  const isMs = typeof given === 'number' || /^\d{1,16}$/.test(given);
  const ms = isMs ? Number(given) : Date.parse(given);
  if (Number.isFinite(ms) && Math.abs(ms) <= LAST_MS) return Math.floor(ms);
  context.addIssue({ code: 'custom', message: EXPECTED });
  return z.NEVER;
});
