// The Retry-After header as milliseconds: a number of seconds or a date. Nonsense counts as absent, and an hour is the
// most that a stranger may put us off.
const LONGEST_MS = 3_600_000;

export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : dateMs(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_MS);
}

/** Date.parse alone would take "-1" for a year. */
function dateMs(text: string): number {
  return text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
}
