// Chance in the simulation. Every draw is named: the same seed and name give the same number, whatever else was drawn.
// So a plan with fewer steps or faults keeps the rest of its run as it was, and can be shrunk.

export interface Draw {
  /** In [0, 1). */
  (...name: readonly (string | number)[]): number;
}

export function drawFrom(seed: number): Draw {
  return (...name) => mixed(`${seed}/${name.join('/')}`);
}

export function pick<T>(list: readonly T[], chance: number): T {
  const found = list[Math.floor(chance * list.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

/** A whole number from `from` up to and including `to`. */
export function between(from: number, to: number, chance: number): number {
  return from + Math.floor(chance * (to - from + 1));
}

/** FNV-1a, then the finish of murmur3: neighbouring names give unrelated numbers. */
function mixed(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296;
}
