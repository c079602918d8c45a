// A column of the matrix: one scenario that runs in a room with one client.
import type { Client } from '../client.ts';
import type { Room } from '../room.ts';

export const COLUMN_NAMES = [
  'ask',
  'thanks',
  'other agent',
  'correction',
  'permission yes',
  'permission no',
  'kill and restart',
  'provider error',
  'five-minute outage',
] as const;

export type ColumnName = (typeof COLUMN_NAMES)[number];

export interface Column {
  name: ColumnName;
  /** What holds when the cell holds. */
  promise: string;
  /** Longer than other columns. */
  limitMs?: number;
  /** Why this client cannot, if it is known before. */
  cannot?(client: Client): string | undefined;
  /** Throws what did not hold. What it returns is a remark to a cell that holds. */
  run(room: Room): Promise<string | undefined>;
}

/** What did not hold, in a few words. */
export class Unmet extends Error {}

/** It cannot be tried here. */
export class NotHere extends Error {}

export function hold(isMet: boolean, otherwise: string): void {
  if (!isMet) throw new Unmet(otherwise);
}
