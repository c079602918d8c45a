// "Did you mean": finds the known word nearest to a mistyped one, or none if nothing is near.

export function nearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  // At most a third of the letters may be wrong. Beyond that a suggestion is a guess.
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `did you mean "x"?`, or the whole list. */
export function suggestion(word: string, known: Iterable<string>): string {
  const list = [...known];
  const near = nearest(word, list);
  return near === undefined ? `known are ${list.join(', ')}` : `did you mean "${near}"?`;
}

const LONGEST = 64;

/** Counts insertions, deletions, changes and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  if (a.length > LONGEST || b.length > LONGEST) return LONGEST;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
