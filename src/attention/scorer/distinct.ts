// Counts how many different keys there are among few.

/** Keys that end in different signs differ. Most do, so most are counted without a comparison. */
const ENDS = 31;

export class Distinct {
  readonly #keys: string[] = [];
  #count = 0;
  #ends = 0;

  get count(): number {
    return this.#count;
  }

  /** Ready for another line. The old keys are overwritten. */
  clear(): void {
    this.#count = 0;
    this.#ends = 0;
  }

  add(key: string): void {
    const end = 1 << (key.charCodeAt(key.length - 1) & ENDS);
    if ((this.#ends & end) !== 0 && this.#has(key)) return;
    this.#ends |= end;
    this.#keys[this.#count++] = key;
  }

  #has(key: string): boolean {
    for (let at = 0; at < this.#count; at++) if (this.#keys[at] === key) return true;
    return false;
  }
}
