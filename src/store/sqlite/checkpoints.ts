// Keeps the WAL short by the bytes in it. Three steps, and only the last stops anybody:
//
//   1. The worker moves pages from the WAL into the file (PASSIVE) while batches go on. It does so again until little is
//      left: under heavy texts much comes in meanwhile.
//   2. The worker holds its reads back. A reader keeps the WAL from starting again, and there may always be one.
//   3. The writer moves the rest, a few milliseconds, and the next batch starts the WAL from its beginning (RESTART).
//
// At `walBytesMax` the next batch waits for the end of that, so the WAL is at most one batch longer. It does not wait for
// ever: a backup is one long read, and the WAL cannot start again before its end.
import type { DatabaseSync, StatementSync } from 'node:sqlite';

export interface CheckpointLimits {
  /** So many bytes that are not in the file yet begin a checkpoint. */
  checkpointBytes: number;
  /** The writer moves so many by itself at the most. */
  finishBytes: number;
  walBytesMax: number;
  /** A batch waits so long for the checkpoint at the most. */
  stallMs: number;
  /** The writer waits so long for a reader. Nearly every read is shorter. */
  readerWaitMs: number;
}

/**
 * A page that is written many times is moved once, so a longer WAL is cheaper. A restart reads this much in a moment.
 */
export const CHECKPOINT_LIMITS: CheckpointLimits = {
  checkpointBytes: 64 * 1_048_576,
  finishBytes: 1_048_576,
  walBytesMax: 256 * 1_048_576,
  stallMs: 2_000,
  readerWaitMs: 50,
};
/** Passes of the worker before the writer takes the rest, however much it is: the worker is not faster than the ingest. */
const PASSES_MAX = 8;

export interface CheckpointHelp {
  /** Moves pages in the worker. */
  pass(): Promise<unknown>;
  /** Resolves when the worker reads nothing, and reads nothing more until `release`. */
  hold(): Promise<unknown>;
  release(): void;
  failed(error: unknown): void;
  after(ms: number): Promise<void>;
  log(line: string): void;
}

export class Checkpoints {
  readonly #db: DatabaseSync;
  readonly #state: StatementSync;
  readonly #restart: StatementSync;
  readonly #pageBytes: number;
  readonly #busyMs: number;
  readonly #help: CheckpointHelp;
  readonly #limits: CheckpointLimits;
  #running: Promise<void> | undefined;
  #waitAt: number;
  #beginAt: number;

  constructor(db: DatabaseSync, help: CheckpointHelp, limits: CheckpointLimits = CHECKPOINT_LIMITS) {
    this.#db = db;
    this.#state = db.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#restart = db.prepare('PRAGMA wal_checkpoint(RESTART)');
    this.#pageBytes = Number(db.prepare('PRAGMA page_size').get()?.page_size);
    this.#busyMs = Number(db.prepare('PRAGMA busy_timeout').get()?.timeout);
    this.#help = help;
    this.#limits = limits;
    this.#waitAt = limits.walBytesMax;
    this.#beginAt = limits.checkpointBytes;
  }

  /** Called between two batches, when the last one is durable. The next one waits for the promise. */
  betweenBatches(): Promise<unknown> | undefined {
    const { walBytes, leftBytes } = this.measure();
    // Where nothing is left, the next batch starts the WAL from its beginning anyway.
    if (leftBytes > 0 && walBytes >= this.#beginAt) {
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined;
      });
    }
    if (walBytes < this.#waitAt || this.#running === undefined) return undefined;
    return Promise.race([this.#running, this.#help.after(this.#limits.stallMs)]);
  }

  /** NOOP takes no lock and costs 2 µs. */
  measure(): { walBytes: number; leftBytes: number } {
    const { log, checkpointed } = this.#state.get() as unknown as { log: number; checkpointed: number };
    return { walBytes: log * this.#pageBytes, leftBytes: (log - checkpointed) * this.#pageBytes };
  }

  async #run(): Promise<void> {
    try {
      for (let passes = 0; passes < PASSES_MAX; passes++) {
        await this.#help.pass();
        if (this.#hasStartedAgain() || this.measure().leftBytes <= this.#limits.finishBytes) break;
      }
      try {
        await this.#help.hold();
        if (!this.#hasStartedAgain()) this.#startAgain();
      } finally {
        this.#help.release();
      }
    } catch (error) {
      this.#help.failed(error);
    }
  }

  /** All of it was moved while nobody read, and a batch has started the WAL from its beginning. */
  #hasStartedAgain(): boolean {
    return this.measure().walBytes < this.#limits.checkpointBytes;
  }

  /** Moves what is left. The next batch then overwrites the WAL, unless somebody still reads from it. */
  #startAgain(): void {
    this.#db.exec(`PRAGMA busy_timeout = ${this.#limits.readerWaitMs}`);
    try {
      const { busy } = this.#restart.get() as unknown as { busy: number };
      const { walBytes } = this.measure();
      const { checkpointBytes, walBytesMax } = this.#limits;
      // When a long read prevented it, the writer tries again after the WAL has grown by as much again.
      this.#beginAt = busy === 0 ? checkpointBytes : walBytes + checkpointBytes;
      this.#waitAt = busy === 0 ? walBytesMax : Math.max(walBytesMax, walBytes + checkpointBytes);
      if (busy !== 0 && walBytes >= walBytesMax)
        this.#help.log(`the WAL has ${walBytes} bytes, and a long read (a backup?) keeps it from being cut`);
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${this.#busyMs}`);
    }
  }
}
