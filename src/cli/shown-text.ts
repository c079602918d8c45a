// Chat on a terminal: one line, nothing that a terminal would obey, cut to the width.
import { cutToWidth } from '../runtime/terminal.ts';

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

export function shownLine(text: string, columns: number): string {
  const line = text.replace(CONTROL, ' ').trim();
  return Number.isFinite(columns) ? cutToWidth(line, columns) : line;
}
