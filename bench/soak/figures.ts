// The lines that a soak prints while it runs.
import { rounded, summary } from '../measure.ts';
import type { Reading } from './health.ts';

/** What has happened since the last line. */
export interface Minute {
  fromMs: number;
  fromAcknowledged: number;
  arrivedMs: number[];
}

export interface Now {
  atMs: number;
  acknowledged: number;
  reading: Reading;
  /** Undefined where it cannot be measured. */
  nativeBytes: number | undefined;
  errors: number;
}

const WIDTHS = [7, 10, 8, 9, 9, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 7, 8] as const;
const COLUMNS = [
  'minute',
  'events',
  'a s',
  'p50 ms',
  'p99 ms',
  'RSS MB',
  'V8 MB',
  'heap MB',
  'ext MB',
  'own MB',
  'WAL MB',
  'DB MB',
  'used MB',
  'lag ms',
  'wait %',
  'open',
  'errors',
] as const;
const MB = 1_048_576;

const row = (cells: readonly string[]): string =>
  cells.map((cell, index) => cell.padStart(WIDTHS[index] ?? 8)).join('');

const mb = (bytes: number): string => (bytes / MB).toFixed(0);

export const HEAD: string = row(COLUMNS);

export function lineOf({ fromMs, fromAcknowledged, arrivedMs }: Minute, now: Now): string {
  const { atMs, acknowledged, reading, nativeBytes = Number.NaN, errors } = now;
  const { p50, p99 } = summary(arrivedMs);
  const events = acknowledged - fromAcknowledged;
  return row([
    (atMs / 60_000).toFixed(1),
    rounded(events),
    rounded(events / ((atMs - fromMs) / 1_000)),
    p50.toFixed(2),
    p99.toFixed(1),
    mb(reading.rss),
    mb(reading.heapTotal),
    mb(reading.heapFloor),
    mb(reading.externalFloor),
    mb(nativeBytes),
    mb(reading.walBytes),
    mb(reading.dbBytes),
    mb(reading.dbUsedBytes),
    reading.lagP99Ms.toFixed(1),
    (100 * reading.waited).toFixed(0),
    String(reading.openDeliveries),
    String(errors),
  ]);
}
