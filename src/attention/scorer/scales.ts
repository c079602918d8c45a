// How features tell distances: lines ago, and times against the room's pace.
import type { Line } from '../state.ts';
import { eighths } from './memory.ts';

/** Lines ago, for what is not among the remembered lines. */
export const NEVER = 40;
/** Times are told relative to the room's pace, in eighths of powers of two. */
export const LONG_AGO = 120;

/** A time against the room's pace: 0 is the pace, 8 twice as long. */
export function relative(ms: number, pace: number): number {
  return Math.max(-40, Math.min(LONG_AGO - 1, eighths(ms) - pace));
}

export function has({ form }: Line, bit: number): 0 | 1 {
  return (form & bit) === 0 ? 0 : 1;
}
