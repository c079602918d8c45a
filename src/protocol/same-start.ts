// How much of two texts is the same. No imports, because the agent SDK and the page use it too.

/** How many UTF-16 code units two texts have in common at their beginning. */
export function sameStart(a: string, b: string): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  // Mostly one only goes on where the other ends.
  if (long.startsWith(short)) return short.length;
  let at = 0;
  while (short.charCodeAt(at) === long.charCodeAt(at)) at++;
  return at;
}
