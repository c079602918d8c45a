// Ends the sessions of a host that stops, a few at a time where other nodes take them up.
import type { Peer } from '../transport/peer.ts';
import type { HostContext } from './kernel/context.ts';

/** Sessions that are sent away at a time, and the pause between: the other nodes take them up as they come. */
const SLICE = { sessions: 50, pauseMs: 100 };

export async function sendAway({ store, clock }: HostContext, peers: ReadonlySet<Peer>): Promise<void> {
  const all = [...peers];
  const size = store.nodes.count() > 1 ? SLICE.sessions : all.length;
  for (let from = 0; from < all.length; from += size) {
    if (from > 0) await new Promise<void>((resolve) => void clock.after(SLICE.pauseMs, resolve));
    for (const peer of all.slice(from, from + size)) peer.close('going_away');
  }
  await Promise.all([...peers].map((peer) => peer.closed));
}
