// Which states other nodes write too, as far as this one can tell: a state that it knew has changed, or one that it did not
// know was written lately and not here. Those are locked before a batch is folded, because a batch that is folded over what
// another node changes meanwhile is folded and written for nothing.
//
// Versions are ids of transactions, so they tell what is older: what has a later version than this node's own commit of some
// seconds ago was written since then.
import { StateCache } from '../state-cache.ts';

/** For so long a state that another node wrote is locked first. */
const FOREIGN_MS = 5_000;

interface Mark {
  version: number;
  at: number;
}

export class Foreign {
  readonly #now: () => number;
  readonly #isAlone: () => boolean;
  /** Until when they are locked first. */
  readonly #until = new StateCache<number>();
  /** Two of this node's commits. The older one is from FOREIGN_MS ago at least, once there was one. */
  #marks: { older: Mark; newer: Mark } | undefined;

  /** A node that is alone finds nothing but its own states, also where it has forgotten them. */
  constructor(now: () => number, isAlone: () => boolean) {
    this.#now = now;
    this.#isAlone = isAlone;
  }

  wrote(version: number): void {
    const mark = { version, at: this.#now() };
    if (this.#marks === undefined) this.#marks = { older: mark, newer: mark };
    else if (mark.at - this.#marks.newer.at >= FOREIGN_MS)
      this.#marks = { older: this.#marks.newer, newer: mark };
  }

  /** A state that this node did not know, or not in this version. */
  arrived(key: string, version: number, wasKnown: boolean): void {
    const isRecent = this.#marks !== undefined && version > this.#marks.older.version;
    if (wasKnown || (isRecent && !this.#isAlone())) this.#until.set(key, this.#now() + FOREIGN_MS);
  }

  hasAny(keys: Iterable<string>): boolean {
    const now = this.#now();
    for (const key of keys) if ((this.#until.get(key) ?? 0) > now) return true;
    return false;
  }
}
