// Keeps a few of very many, spread evenly over all of them, without knowing how many will come. The same input keeps the
// same few.

export interface Spread<T> {
  offer(item: T): void;
  /** In the order in which they came. */
  kept(): readonly T[];
}

export function spreadOf<T>(limit: number): Spread<T> {
  let kept: T[] = [];
  let stride = 1;
  let seen = 0;
  return {
    offer(item) {
      if (seen++ % stride !== 0) return;
      kept.push(item);
      if (kept.length < 2 * limit) return;
      // Every second one goes, and from now on only every second one is taken.
      kept = kept.filter((_, index) => index % 2 === 0);
      stride *= 2;
    },
    kept() {
      if (kept.length <= limit) return kept;
      return Array.from(
        { length: limit },
        (_, index) => kept[Math.floor((index * kept.length) / limit)] as T,
      );
    },
  };
}
