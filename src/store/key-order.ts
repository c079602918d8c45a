// The order of keys, the same in every store: by code point, as SQLite and PostgreSQL (COLLATE "C") compare their UTF-8
// bytes. JavaScript compares UTF-16 units, which puts characters beyond U+FFFF before some below.

export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Moves surrogates, which stand for the highest code points, above all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
