// Whether an event can be stored, and what happens when it cannot.
//
//   good ─▶ no room ─▶ good: the disk is full, or a quota is used up. Every commit is tried, so it ends by itself when
//   there is room again.
//   good, no room ─▶ stopped: a sync or a write failed, or a file is not the one that was opened. Nobody knows what is on
//   the disk, and only a restart can read it again. Nothing is acknowledged from then on.
import { StoreError } from '../store.ts';
import { faultOf, inWords } from './errors.ts';
import type { FileIdentity } from './file-identity.ts';

export interface StoreHealthOptions {
  file: string;
  files: FileIdentity;
  /** Writes about as much as the largest event, and takes it away again. Throws when that fails. */
  probe: () => void;
  /** Called once, when the store stops for good. */
  onStop: (reason: Error) => void;
}

export class StoreHealth {
  readonly #options: StoreHealthOptions;
  #stopped: Error | undefined;
  /** Why the last commit failed. */
  #lastFailure: Error | undefined;

  constructor(options: StoreHealthOptions) {
    this.#options = options;
  }

  /** What a caller gets once the store has stopped. */
  get refusal(): StoreError | undefined {
    const cause = this.#stopped;
    if (cause === undefined) return undefined;
    return new StoreError('closed', `the store has stopped (${cause.message}): restart Earshot`, { cause });
  }

  /** Called after the sync and before anybody is answered. Throws when the answer would not be true. */
  synced(): void {
    const problem = this.#options.files.problem();
    if (problem !== undefined) throw this.#stop(new Error(`${problem} while Earshot was using it`));
    this.#lastFailure = undefined;
  }

  syncFailed(error: unknown): Error {
    const { file } = this.#options;
    const why = error instanceof Error ? error.message : String(error);
    return this.#stop(new Error(`the disk holding ${file} failed to sync (${why})`, { cause: error }));
  }

  /** The error for the callers of a batch that could not be written. */
  writeFailed(error: unknown): Error {
    const { file } = this.#options;
    const words = inWords(error, file);
    const fault = faultOf(error, file);
    if (fault === 'disk') return this.#stop(words);
    this.#lastFailure = words;
    return fault === 'no_room' ? new StoreError('no_room', words.message, { cause: error }) : words;
  }

  /** Throws when an event could not be stored now. After a failed commit it tries one, so it also sees the end of it. */
  check(): void {
    const { refusal } = this;
    if (refusal !== undefined) throw refusal;
    const problem = this.#options.files.problem();
    if (problem !== undefined) throw this.#stop(new Error(`${problem} while Earshot was using it`));
    if (this.#lastFailure === undefined) return;
    try {
      this.#options.probe();
    } catch (error) {
      throw this.writeFailed(error);
    }
    this.#lastFailure = undefined;
  }

  /** A failure of the disk outside a commit, such as in a checkpoint. Others are left to the caller. */
  noticed(error: unknown): void {
    const { file } = this.#options;
    if (faultOf(error, file) === 'disk') this.#stop(inWords(error, file));
  }

  #stop(reason: Error): Error {
    if (this.#stopped === undefined) {
      this.#stopped = reason;
      this.#options.onStop(reason);
    }
    return reason;
  }
}
