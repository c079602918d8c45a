// Who takes part in the crash test, and what parent and child say to each other.

export const PLATFORM = 'chat';
export const AGENTS = ['ann', 'bob', 'cid'] as const;
export const ROOMS = 6;

export type ToChild =
  | { type: 'open'; file: string; platformUrl: string }
  /** Answered when every delivery has ended and everything said is visible. */
  | { type: 'drain' }
  | { type: 'close' };
