// The terminal: colours, one progress line for somebody who watches, and widths. Colours follow NO_COLOR and
// FORCE_COLOR (no-color.org). Without a terminal the output is plain text.
import type { Clock } from './clock.ts';

export type Colour = 'green' | 'red' | 'magenta' | 'yellow' | 'dim' | 'bold';
export type Paint = (colour: Colour, text: string) => string;

const CODES: Record<Colour, readonly [on: number, off: number]> = {
  green: [32, 39],
  red: [31, 39],
  magenta: [35, 39],
  yellow: [33, 39],
  dim: [2, 22],
  bold: [1, 22],
};

export function painter(colours: boolean): Paint {
  if (!colours) return (_, text) => text;
  return (colour, text) => `\u001B[${CODES[colour][0]}m${text}\u001B[${CODES[colour][1]}m`;
}

export interface TerminalStream {
  isTTY?: boolean;
  columns?: number;
}

export function wantsColours(
  stream: TerminalStream,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '' && env.FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** Columns to write in. Some pseudo-terminals say 0; below 40 nothing useful fits, so lines may wrap there. */
export function columnsOf(stream: TerminalStream, otherwise: number): number {
  const { columns = 0 } = stream;
  return columns === 0 ? otherwise : Math.max(40, columns);
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WIDE =
  /^[\u1100-\u115F\u2E80-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Cut to so many columns, with an ellipsis; never inside a character. */
export function cutToWidth(text: string, columns: number): string {
  if (text.length <= columns && displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    width += WIDE.test(segment) ? 2 : 1;
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

export interface ProgressLine {
  /** Shown at most ten times a second, and not in the first second. */
  show(text: () => string): void;
  clear(): void;
}

const FIRST_MS = 1_000;
const EVERY_MS = 100;

export function progressLine(
  stream: TerminalStream & { write(text: string): unknown },
  clock: Pick<Clock, 'now'>,
): ProgressLine {
  if (stream.isTTY !== true) return { show: () => {}, clear: () => {} };
  let next = clock.now() + FIRST_MS;
  let shown = false;
  return {
    show(text) {
      const now = clock.now();
      if (now < next) return;
      next = now + EVERY_MS;
      shown = true;
      stream.write(`\r\u001B[2K${cutToWidth(text(), columnsOf(stream, 80) - 1)}`);
    },
    clear() {
      if (!shown) return;
      shown = false;
      stream.write('\r\u001B[2K');
    },
  };
}
