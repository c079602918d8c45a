// The names of the leases: whatever must run once, however many nodes share the store. A node that is alone has them all.

/** Timers, digests, upkeep, and who is told that an agent is away. */
export const SWEEP_LEASE = 'sweep';
/** Listening to a surface and posting to it: its order, its echoes and its limits stay exact. */
export const surfaceLease = (surface: string): string => `surface/${surface}`;
/** Posting deliveries to an agent that only listens. */
export const webhookLease = (agent: string): string => `webhook/${agent}`;
