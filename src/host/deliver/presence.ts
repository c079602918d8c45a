// Whether a harness is there. A session counts while it is connected, with a short grace for restarts; a webhook while
// posts arrive; a harness that pulls while it calls. This is working memory: after a start of the host everybody has
// time to come back.
import type { HostContext } from '../kernel/context.ts';

export const PRESENCE_LIMITS = {
  /** After a start of the host. Harnesses reconnect with pauses of up to 30 s. */
  startMs: 35_000,
  /** A webhook that has failed for so long is not there. */
  webhookMs: 15_000,
  /** A harness that pulls and has not called for so long is not there. One poll holds for up to 25 s. */
  pullMs: 120_000,
} as const;

export interface Presence {
  /** From when on the agent counts as away; undefined while it is there. The time may lie ahead. */
  awayFrom(agent: string): number | undefined;
  isAway(agent: string): boolean;
  /** Whether it is known by its calls alone, and not by a session. */
  pulls(agent: string): boolean;
  /** The agent called: it polls, calls a tool or reports a turn. */
  called(agent: string): void;
  /** A post to its webhook arrived, or failed for now. */
  posted(agent: string, arrived: boolean): void;
  /** Tells about every sign of an agent, and about the loss of one. */
  listen(listener: (agent: string, sign: 'there' | 'lost') => void): void;
}

interface Signs {
  lostAt?: number;
  calledAt?: number;
  /** Since when its webhook fails. */
  failingSince?: number;
}

export function createPresence(
  { clock, bus, settings }: Pick<HostContext, 'clock' | 'bus' | 'settings'>,
  connected: (agent: string) => boolean,
): Presence {
  const startedAt = clock.now();
  const agents = new Map<string, Signs>();
  const listeners: ((agent: string, sign: 'there' | 'lost') => void)[] = [];
  const tell = (agent: string, sign: 'there' | 'lost'): void => {
    for (const listener of listeners) listener(agent, sign);
  };
  const note = (agent: string, sign: Signs): void => {
    agents.set(agent, { ...agents.get(agent), ...sign });
  };
  const pulls = (agent: string): boolean => {
    const { calledAt, lostAt = 0 } = agents.get(agent) ?? {};
    return !connected(agent) && calledAt !== undefined && calledAt >= lostAt;
  };
  const awayFrom = (agent: string): number | undefined => {
    const { lostAt, calledAt = 0, failingSince } = agents.get(agent) ?? {};
    if (connected(agent))
      return failingSince === undefined ? undefined : failingSince + PRESENCE_LIMITS.webhookMs;
    if (pulls(agent)) return calledAt + PRESENCE_LIMITS.pullMs;
    return lostAt === undefined ? startedAt + PRESENCE_LIMITS.startMs : lostAt + settings.limits.awayMs;
  };
  bus.listen((news) => {
    if (news.type !== 'session') return;
    if (!news.connected) note(news.agent, { lostAt: clock.now() });
    tell(news.agent, news.connected ? 'there' : 'lost');
  });
  return {
    awayFrom,
    pulls,
    isAway: (agent) => (awayFrom(agent) ?? Number.POSITIVE_INFINITY) <= clock.now(),
    called(agent) {
      note(agent, { calledAt: clock.now() });
      tell(agent, 'there');
    },
    posted(agent, arrived) {
      const { failingSince, ...signs } = agents.get(agent) ?? {};
      if (arrived) agents.set(agent, signs);
      else note(agent, { failingSince: failingSince ?? clock.now() });
      tell(agent, arrived ? 'there' : 'lost');
    },
    listen: (listener) => void listeners.push(listener),
  };
}
