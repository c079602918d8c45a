// What can go wrong with a commit, as plain answers a simulator draws from its seed, once a batch.

/** `kept`: the caller is told that nobody knows, and it did happen. `lost`: told the same, and it did not. */
export type CommitFault = 'none' | 'kept' | 'lost';

export interface MemoryStoreFaults {
  /** Between the commit and the end of its sync, on the store's clock. 0 or absent: at once. */
  syncDelayMs?: () => number;
  commit?: () => CommitFault;
  /** Whether a batch whose sync had not ended is found on the disk after a crash. Absent: it is lost. */
  crashKeepsUnsynced?: () => boolean;
}
