// The store without a disk, for tests and simulation: same queue, same order, same refusals as SQLite, and a crash
// that leaves only what was durable. With a virtual clock and seeded faults a run can be repeated exactly.
import type { Clock } from '../../runtime/clock.ts';
import { nextTurn, type Schedule } from '../../runtime/turn.ts';
import type { StateCodec, Store } from '../store.ts';
import type { MemoryImage } from './disk.ts';
import type { MemoryFaults } from './faults.ts';
import { CrashableStore } from './memory-store.ts';

export interface MemoryOptions {
  clock: Clock;
  codec: StateCodec;
  faults?: MemoryFaults;
  /** What a crash left: the store opens with it. */
  image?: MemoryImage;
  schedule?: Schedule;
  /** Where a line for the operator goes. */
  log?: (line: string) => void;
}

export interface MemoryStore extends Store {
  /** The process is gone: nobody waiting is ever answered. Returns what is durable, to open again from. */
  crash(): MemoryImage;
}

export function openMemoryStore(options: MemoryOptions): MemoryStore {
  return new CrashableStore({
    ...options,
    schedule: options.schedule ?? nextTurn,
    faults: options.faults ?? {},
    log: options.log ?? (() => {}),
  });
}
