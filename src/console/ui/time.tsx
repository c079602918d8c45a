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

/** The time that is left, counting down. */
export function Left({ until }: { until: string }): ReactNode {
  const now = useNow();
  const left = Date.parse(until) - now;
  return (
    <time dateTime={until} title={until}>
      {left <= 0 ? 'over' : `${spanText(left)} left`}
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
