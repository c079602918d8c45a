// Text that is scrubbed from the log must soon leave the search index too. After a batch that changed or removed a row
// of the log, the worker is told, one request at a time. After a crash the next search or checkpoint finishes the work.
import type { Changes } from '../batch.ts';

export class Scrubber {
  readonly #index: () => Promise<number>;
  readonly #log: (line: string) => void;
  #running: Promise<void> | undefined;
  #again = false;
  /** The last entry of `log_change` that the index has applied. */
  followed = 0;

  constructor(index: () => Promise<number>, log: (line: string) => void) {
    this.#index = index;
    this.#log = log;
  }

  afterBatch(changes: Changes): void {
    if (
      !changes.rows.some(({ table, stored, assumedNew }) => table === 'log' && stored !== null && !assumedNew)
    )
      return;
    if (this.#running === undefined) void this.run();
    else this.#again = true;
  }

  /** Resolves when the index has applied everything that was scrubbed. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  run(): Promise<void> {
    this.#running ??= this.#index()
      .then(
        (followed) => {
          this.followed = followed;
        },
        (error: unknown) => this.#log(`the search index is behind, will try again: ${String(error)}`),
      )
      .then(() => {
        this.#running = undefined;
        if (this.#again) {
          this.#again = false;
          void this.run();
        }
      });
    return this.#running;
  }
}
