// Keeps the WAL short without stopping anybody. The worker moves its pages into the file (PASSIVE) while batches go on.
// Then the writer runs one short PASSIVE between two batches, for the pages that came meanwhile. The next batch starts
// the WAL from its beginning only when no page is left; without the second step that never happens under steady load
// (measured). Beyond WAL_BYTES_MAX the writer cuts the WAL itself, and everybody waits.
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * A page that is written many times is moved once, so a longer WAL is cheaper. A restart reads this much in a moment.
 */
export const CHECKPOINT_BYTES = 64 * 1_048_576;
export const WAL_BYTES_MAX = 512 * 1_048_576;
/** When a long read prevented a cut, the writer tries again after the WAL has grown by this much. */
const CUT_AGAIN_BYTES = 64 * 1_048_576;

export interface CheckpointLimits {
  checkpointBytes: number;
  walBytesMax: number;
}

export class Checkpoints {
  readonly #state: StatementSync;
  readonly #passive: StatementSync;
  readonly #truncate: StatementSync;
  readonly #pageBytes: number;
  readonly #background: () => Promise<unknown>;
  readonly #log: (line: string) => void;
  readonly #limits: CheckpointLimits;
  #phase: 'idle' | 'running' | 'finish' = 'idle';
  #cutAt: number;

  constructor(
    db: DatabaseSync,
    background: () => Promise<unknown>,
    log: (line: string) => void,
    limits: CheckpointLimits = { checkpointBytes: CHECKPOINT_BYTES, walBytesMax: WAL_BYTES_MAX },
  ) {
    this.#state = db.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#passive = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    this.#truncate = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#pageBytes = Number(db.prepare('PRAGMA page_size').get()?.page_size);
    this.#background = background;
    this.#log = log;
    this.#limits = limits;
    this.#cutAt = limits.walBytesMax;
  }

  /** Called between two batches, when the last one is durable. */
  betweenBatches(): void {
    if (this.#phase === 'finish') {
      this.#passive.get();
      this.#phase = 'idle';
    }
    const { walBytes, leftBytes } = this.measure();
    if (walBytes >= this.#cutAt) this.#cut(walBytes);
    else if (this.#phase === 'idle' && leftBytes >= this.#limits.checkpointBytes) this.#start();
  }

  /** NOOP takes no lock and costs 2 µs. */
  measure(): { walBytes: number; leftBytes: number } {
    const { log, checkpointed } = this.#state.get() as unknown as { log: number; checkpointed: number };
    return { walBytes: log * this.#pageBytes, leftBytes: (log - checkpointed) * this.#pageBytes };
  }

  #start(): void {
    this.#phase = 'running';
    this.#background().then(
      () => {
        this.#phase = 'finish';
      },
      (error: unknown) => {
        this.#phase = 'idle';
        this.#log(`checkpoint failed, will try again: ${String(error)}`);
      },
    );
  }

  #cut(walBytes: number): void {
    const { busy } = this.#truncate.get() as unknown as { busy: number };
    if (busy === 0) this.#cutAt = this.#limits.walBytesMax;
    else {
      this.#cutAt = walBytes + CUT_AGAIN_BYTES;
      this.#log(`the WAL has ${walBytes} bytes and a long read keeps it from being cut`);
    }
  }
}
