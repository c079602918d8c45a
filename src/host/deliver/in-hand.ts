// Another node may end a delivery that a session of this one has in hand: its message was deleted there, or somebody else
// answered. That node says so in a hint; for hints that are lost, the store is asked about what is in hand. An agent that
// never answers may have any number of deliveries in hand, so they take turns.

export interface InHand {
  lane: { keys(): Iterable<string>; has(key: string): boolean };
  requests: ReadonlyMap<string, string>;
}

/** Each call returns the next keys, at most so many, and begins again after the last. */
export function createInHand(connections: ReadonlyMap<string, InHand>): (most: number) => string[] {
  let rest: Iterator<string> | undefined;
  return (most) => {
    const keys = new Set<string>();
    let isWhole = rest === undefined;
    rest ??= keysOf(connections);
    while (keys.size < most) {
      const next = rest.next();
      if (next.done !== true) {
        keys.add(next.value);
        continue;
      }
      rest = undefined;
      if (isWhole) break;
      isWhole = true;
      rest = keysOf(connections);
    }
    return [...keys];
  };
}

function* keysOf(connections: ReadonlyMap<string, InHand>): Generator<string, undefined> {
  for (const { lane, requests } of connections.values()) {
    yield* lane.keys();
    for (const key of requests.keys()) if (!lane.has(key)) yield key;
  }
}
