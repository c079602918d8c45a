// How much may go out: so many messages and reactions of one agent, and of all agents together in one conversation. One
// more is refused with the time to wait. In memory: after a restart everybody begins with a full bucket.
import type { Clock } from '../../runtime/clock.ts';
import { createRateLimiter, type Taken } from '../security/rate-limit.ts';

export interface OutboundLimit {
  take(agent: string, conversation: string): Taken;
}

/** Agents and conversations remembered; the one unused for longest is forgotten. */
const AGENTS_MAX = 1_000;
const CONVERSATIONS_MAX = 20_000;

export function createOutboundLimit(perMinute: number, clock: Clock): OutboundLimit {
  const burst = Math.max(1, Math.ceil(perMinute / 2));
  const agents = createRateLimiter({ perMinute, burst, maxKeys: AGENTS_MAX }, clock);
  const conversations = createRateLimiter({ perMinute, burst, maxKeys: CONVERSATIONS_MAX }, clock);
  return {
    take(agent, conversation) {
      const taken = conversations.take(conversation);
      return taken.ok ? agents.take(agent) : taken;
    },
  };
}
