// Quiet rooms made of busy ones: only a share of the conversations is kept, and the clock runs slower. What is learned in
// fast rooms must hold in slow ones, and there is little labelled chat of slow rooms.
import type { AddresseeRow, LabelledRoom } from './labelled-rooms.ts';

/** A stream of numbers from 0 to 1 that is the same for the same seed. */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The slowest clock is this many times slower. */
const SLOWEST = 20;

export function thinned(rooms: readonly LabelledRoom[], keep: number, seed: number): LabelledRoom[] {
  const next = seededNumbers(seed);
  return rooms.map((room) => {
    const of = conversationsOf(room);
    const kept = new Set([...new Set(of)].filter(() => next() < keep));
    const slower = 1 + SLOWEST * next() * next();
    const places = new Map<number, number>();
    const lines = room.filter((row, at) => kept.has(of[at] ?? at) && places.set(row.i, places.size));
    const start = room[0]?.t ?? 0;
    return lines.map(
      (row): AddresseeRow => ({
        ...row,
        i: places.get(row.i) ?? 0,
        t: start + Math.floor((row.t - start) * slower),
        replyTo: row.replyTo === null ? null : (places.get(row.replyTo) ?? null),
      }),
    );
  });
}

/** The first line of each line's conversation, by the labels. Lines without labels go by their author. */
function conversationsOf(room: LabelledRoom): number[] {
  const first = room.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (first[root] !== undefined && first[root] !== root) root = first[root] ?? root;
    return root;
  };
  const seen = new Map<string, number>();
  for (const [at, row] of room.entries()) {
    const before = row.ann === 1 ? row.replyTo : (seen.get(row.author) ?? null);
    if (row.ann !== 1) seen.set(row.author, at);
    if (before !== null && before !== at && before < at) first[at] = rootOf(before);
  }
  return room.map((_, at) => rootOf(at));
}
