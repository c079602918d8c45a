// The order of keys: by code point, which is the order of their UTF-8 bytes and so SQLite's own. JavaScript compares
// UTF-16 units, which puts characters beyond U+FFFF before some below.

export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates, which stand for the highest code points, moved above all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
