// The traffic shapes, the same for host and floors.
import type { ClosedLoop } from './load.ts';

export const SLOW_SYNC_MS = 2;
export const AGENTS = 4;
export type Shape = Omit<ClosedLoop, 'run'>;
/** A client that keeps several frames under way, each with a batch of events. */
export const BATCHED: Shape = { events: 60_000, batch: 64, inFlight: 8, forMs: 4_000 };
/** One event per frame, with as many events under way. */
export const SINGLE: Shape = { ...BATCHED, batch: 1, inFlight: 512 };
/** The length of one slice. */
export const SLICE_MS = 1_000;
/** Over HTTP: one event per request, on this many connections. */
export const POSTS: Shape = { events: 10_000, batch: 1, inFlight: 64, forMs: 4_000 };
/** Long enough for the JIT compiler. A host runs for weeks, so its first seconds say little. */
export const WARM_UP: ClosedLoop = { ...BATCHED, run: 'warm', events: 60_000, forMs: 5_000 };
