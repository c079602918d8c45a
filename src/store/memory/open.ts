// A store without a disk, for tests and simulation. It has the queue, the order and the refusals of SQLite, and a crash
// leaves only what was durable. With a virtual clock and seeded faults, a run can be repeated exactly.
import type { Clock } from '../../runtime/clock.ts';
import { nextTurn, type Schedule } from '../../runtime/schedule.ts';
import type { StateCodec, Store } from '../store.ts';
import type { MemoryImage } from './disk.ts';
import { CrashableStore } from './memory-store.ts';

/**
 * What a commit may meet, drawn by a simulator from its seed once a batch. In both cases the caller is told that nobody
 * knows. `kept`: the batch was stored. `lost`: it was not.
 */
export type CommitFault = 'none' | 'kept' | 'lost';

export interface MemoryStoreFaults {
  /** The time between a commit and the end of its sync, on the store's clock. 0 or absent: none. */
  syncDelayMs?: () => number;
  commit?: () => CommitFault;
  /** Whether a crash keeps a batch whose sync had not ended. Absent: it is lost. */
  crashKeepsUnsynced?: () => boolean;
}

export interface MemoryStoreOptions {
  clock: Clock;
  codec: StateCodec;
  faults?: MemoryStoreFaults;
  /** The store opens with this image, for instance the one that a crash left. */
  image?: MemoryImage;
  schedule?: Schedule;
  /** Where a line for the operator goes. */
  log?: (line: string) => void;
}

export interface MemoryStore extends Store {
  /** Simulates a crash: waiting callers are never answered. Returns the durable data, to open a store with. */
  crash(): MemoryImage;
}

export function openMemoryStore(options: MemoryStoreOptions): MemoryStore {
  return new CrashableStore({
    ...options,
    schedule: options.schedule ?? nextTurn,
    faults: options.faults ?? {},
    log: options.log ?? (() => {}),
  });
}
