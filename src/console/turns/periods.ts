// The periods one can look at, each with the grain of its plot.

export interface PeriodChoice {
  id: string;
  title: string;
  ms: number;
  bucket: 'minute' | 'hour' | 'day';
}

export const PERIODS = [
  { id: 'hour', title: 'last hour', ms: 3_600_000, bucket: 'minute' },
  { id: 'day', title: 'last day', ms: 86_400_000, bucket: 'hour' },
  { id: 'week', title: 'last week', ms: 7 * 86_400_000, bucket: 'hour' },
  { id: 'month', title: 'last 30 days', ms: 30 * 86_400_000, bucket: 'day' },
  { id: 'years', title: 'last five years', ms: 5 * 365 * 86_400_000, bucket: 'day' },
] as const satisfies readonly PeriodChoice[];

/** ISO text of when the period begins. */
export function startOf({ ms }: PeriodChoice, now: number): string {
  return new Date(now - ms).toISOString();
}
