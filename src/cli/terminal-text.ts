// Text for a terminal: tables with aligned columns, durations, times, and chat lines. Widths are counted in terminal
// cells. The last column of a table is cut to the width of the terminal.
import { displayWidth, cutToWidth } from '../runtime/terminal.ts';
import type { Io } from './io.ts';

const GAP = '  ';
/** The width of every column but the last is at most this. */
const WIDEST = 40;

export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  { paint, columns }: Io,
): string {
  const clean = rows.map((row) => row.map((cell) => shownLine(cell, Number.POSITIVE_INFINITY)));
  const last = heads.length - 1;
  const widths = heads.map((head, at) =>
    at === last
      ? 0
      : Math.min(WIDEST, Math.max(...[head, ...clean.map((row) => row[at] ?? '')].map(displayWidth))),
  );
  const before = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  const room = Math.max(20, columns - before - GAP.length);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) =>
        at === last ? shownLine(cell, room) : padded(shownLine(cell, WIDEST), widths[at] ?? 0),
      )
      .join(GAP)
      .trimEnd();
  return [paint('dim', line(heads)), ...clean.map(line)].map((text) => `${text}\n`).join('');
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** A duration in its largest unit: 45s, 12m, 3h, 2d. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 90) return `${seconds}s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)}m`;
  if (seconds < 36 * 3_600) return `${Math.round(seconds / 3_600)}h`;
  return `${Math.round(seconds / 86_400)}d`;
}

/** The time of day, such as 09:12, or the date if it was not today. */
export function clockText(iso: string, now: number): string {
  const day = new Date(now).toISOString().slice(0, 10);
  return iso.startsWith(day) ? iso.slice(11, 16) : iso.slice(0, 16).replace('T', ' ');
}

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Chat text for a terminal: one line, without control characters, cut to the width. */
export function shownLine(text: string, columns: number): string {
  const line = text.replace(CONTROL, ' ').trim();
  return Number.isFinite(columns) ? cutToWidth(line, columns) : line;
}
