// The traffic that host and floors are given alike.
import type { ClosedLoop } from './load.ts';

export const SLOW_SYNC_MS = 2;
export const AGENTS = 4;
export type Shape = Omit<ClosedLoop, 'run'>;
/** A client that keeps several frames under way, each with what it had collected. */
export const BATCHED: Shape = { events: 60_000, batch: 64, inFlight: 8, forMs: 4_000 };
/** One event a frame, as many under way. */
export const SINGLE: Shape = { ...BATCHED, batch: 1, inFlight: 512 };
/** How long host and floor are loaded in turn. */
export const SLICE_MS = 1_000;
/** Over HTTP, one event a request, so many connections. */
export const POSTS: Shape = { events: 10_000, batch: 1, inFlight: 64, forMs: 4_000 };
/** Until the compiler is done with what is hot: a host runs for weeks, the first seconds are no measure. */
export const WARM_UP: ClosedLoop = { ...BATCHED, run: 'warm', events: 60_000, forMs: 5_000 };
