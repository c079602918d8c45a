// Times for people: the time of day for today, the date before that, and how long until something is due.
import { type ReactNode, useEffect, useState } from 'react';

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});
const DAY = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
});

export function shortTime(at: number, now: number): string {
  const same = new Date(at).toDateString() === new Date(now).toDateString();
  return (same ? CLOCK : DAY).format(at);
}

export function Time({ at }: { at: string | number }): ReactNode {
  const ms = typeof at === 'number' ? at : Date.parse(at);
  const iso = new Date(ms).toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {shortTime(ms, Date.now())}
    </time>
  );
}

/** The time of day alone. The day stands between the rows. */
export function Clock({ at }: { at: string }): ReactNode {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {CLOCK.format(new Date(at))}
    </time>
  );
}

const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', month: 'long', day: 'numeric' });
const WITH_YEAR = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'long', day: 'numeric' });

/** "Today", "Tuesday, June 2", or with the year when it is another one. */
export function dayOf(at: string): string {
  const [date, now] = [new Date(at), new Date()];
  if (date.toDateString() === now.toDateString()) return 'Today';
  return (date.getFullYear() === now.getFullYear() ? WEEKDAY : WITH_YEAR).format(date);
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `4 min`, `2 h`: the largest unit that fits. */
export function spanText(ms: number): string {
  for (const [unit, size] of UNITS) if (ms >= size) return `${Math.floor(ms / size)} ${unit}`;
  return '0 s';
}

export function Ago({ at }: { at: string }): ReactNode {
  const now = useNow();
  return (
    <time dateTime={at} title={at}>
      {spanText(Math.max(0, now - Date.parse(at)))} ago
    </time>
  );
}

/** How long something has gone on, counting. */
export function Passed({ since }: { since: string }): ReactNode {
  const now = useNow();
  return (
    <time dateTime={since} title={since}>
      {spanText(Math.max(0, now - Date.parse(since)))}
    </time>
  );
}

/** The time that is left, counting down. */
export function Left({ until, past = 'over' }: { until: string; past?: string }): ReactNode {
  const now = useNow();
  const left = Date.parse(until) - now;
  return (
    <time dateTime={until} title={until}>
      {left <= 0 ? past : `${spanText(left)} left`}
    </time>
  );
}

const TICK_MS = 1_000;

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
