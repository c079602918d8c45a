// Whether a harness is there. A session counts while it is connected, with a short grace for restarts; a webhook while
// posts arrive; a harness that pulls while it calls. This is working memory: after a start of the host everybody has
// time to come back. Where several hosts share the store, each writes down now and then who called it and whose webhook
// fails, and looks there before it says that somebody is away.
import type { HostContext } from '../kernel/context.ts';
import { webhookLease } from '../kernel/leases.ts';

export const PRESENCE_LIMITS = {
  /** After a start of the host. Harnesses reconnect with pauses of up to 30 s. */
  startMs: 35_000,
  /** A webhook that has failed for so long is not there. */
  webhookMs: 15_000,
  /** A harness that pulls and has not called for so long is not there. One poll holds for up to 25 s. */
  pullMs: 120_000,
  /** The other hosts know of its calls so late at most. */
  sharedMs: 10_000,
} as const;

export interface Presence {
  /** From when on the agent counts as away; undefined while it is there. The time may lie ahead. */
  awayFrom(agent: string): number | undefined;
  isAway(agent: string): boolean;
  /** Reads what other hosts know of the agent. Call it before `isAway` where that must be right. */
  renew(agent: string): Promise<void>;
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
  context: Pick<HostContext, 'clock' | 'bus' | 'settings' | 'store' | 'apply' | 'changes' | 'log'>,
  connected: (agent: string) => boolean,
): Presence {
  const { clock, bus } = context;
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
    return lostAt === undefined
      ? startedAt + PRESENCE_LIMITS.startMs
      : lostAt + context.settings.limits.awayMs;
  };
  const shared = shareSigns(context);
  bus.listen((news) => {
    if (news.type !== 'session') return;
    if (!news.connected) note(news.agent, { lostAt: clock.now() });
    tell(news.agent, news.connected ? 'there' : 'lost');
  });
  return {
    awayFrom,
    pulls,
    isAway: (agent) => (awayFrom(agent) ?? Number.POSITIVE_INFINITY) <= clock.now(),
    async renew(agent) {
      const others = await shared.read(agent);
      if (others === undefined) return;
      const { calledAt = 0, lostAt = 0, failingSince } = agents.get(agent) ?? {};
      const isOwn = context.store.nodes.holds(webhookLease(agent));
      agents.set(agent, {
        ...later('calledAt', calledAt, others.calledAt),
        // This host may have heard late of the end of a session.
        ...later('lostAt', others.lostAt ?? lostAt),
        ...later('failingSince', (isOwn ? failingSince : others.failingSince) ?? 0),
      });
    },
    called(agent) {
      note(agent, { calledAt: clock.now() });
      shared.write(agent, agents.get(agent) ?? {}, false);
      tell(agent, 'there');
    },
    posted(agent, arrived) {
      const { failingSince, ...signs } = agents.get(agent) ?? {};
      if (arrived) agents.set(agent, signs);
      else note(agent, { failingSince: failingSince ?? clock.now() });
      const isNew = arrived ? failingSince !== undefined : failingSince === undefined;
      if (isNew) shared.write(agent, agents.get(agent) ?? {}, true);
      tell(agent, arrived ? 'there' : 'lost');
    },
    listen: (listener) => void listeners.push(listener),
  };
}

function later(name: keyof Signs, one: number, other = 0): Signs {
  const at = Math.max(one, other);
  return at === 0 ? {} : { [name]: at };
}

const stateKey = (agent: string): string => `signs/${agent}`;

/** The signs of an agent as the hosts of one store tell each other of them, in a small state per agent. */
function shareSigns({ store, apply, changes, clock, log }: Parameters<typeof createPresence>[0]) {
  const writtenAt = new Map<string, number>();
  return {
    async read(agent: string): Promise<Signs | undefined> {
      if (changes.isAlone) return undefined;
      const [value, session] = await Promise.all([store.state(stateKey(agent)), store.get('session', agent)]);
      const signs = typeof value === 'string' ? (JSON.parse(value) as Signs) : {};
      return { ...signs, ...later('lostAt', session?.closedAt ?? 0) };
    },
    write(agent: string, { calledAt, failingSince }: Signs, atOnce: boolean): void {
      const now = clock.now();
      if (changes.isAlone) return;
      if (!atOnce && now - (writtenAt.get(agent) ?? 0) < PRESENCE_LIMITS.sharedMs) return;
      writtenAt.set(agent, now);
      const value = JSON.stringify({ calledAt, failingSince });
      const state = stateKey(agent);
      apply({
        states: [state],
        run: () => ({ writes: [{ state, value, wakeAt: null }], news: [], result: undefined }),
      }).catch((error: unknown) => log.warn({ err: error, agent }, 'other hosts were not told of a call'));
    },
  };
}
