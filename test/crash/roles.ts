// Who takes part in the crash test, and what parent and child say to each other.
import type { CheckpointLimits } from '../../src/store/sqlite/checkpoints.ts';

export const PLATFORM = 'chat';
export const AGENTS = ['ann', 'bob', 'cid'] as const;
export const ROOMS = 6;

export interface StoreSettings {
  walLimits?: CheckpointLimits;
  /** The store answers before the sync. For the control that must lose. */
  unsynced?: true;
}

export type ToChild =
  | ({ type: 'open'; file: string; platformUrl: string } & StoreSettings)
  /** Answered when every delivery has ended and everything said is visible. */
  | { type: 'drain' }
  | { type: 'close' };
