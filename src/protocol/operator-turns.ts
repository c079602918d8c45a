// What the operator API answers about single turns, as types only.
import type { TurnUsage } from './usage.ts';

/** One turn about a message. `endedAt` and what follows are missing while it runs. */
export interface ShownTurn {
  turnId: string;
  startedAt: string;
  endedAt?: string;
  failed?: boolean;
  /** Why it ended as it did. */
  words?: string;
  error?: string;
  /** What it has cost. */
  usage?: TurnUsage;
}
