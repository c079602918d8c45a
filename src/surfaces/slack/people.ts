// Who people are: names and whether somebody is an app. Slack tells ids only, so each is looked up once and kept for a
// while. A look-up never holds an event up for long: then the id stands in for the name.
import type { Clock } from '../../runtime/clock.ts';
import { within } from '../within.ts';
import type { SlackApi } from './api.ts';
import type { NameOf } from './read-text.ts';

export interface People {
  nameOf: NameOf;
  /** Looks up whoever is not known, for at most a moment. */
  learn(api: SlackApi, ids: readonly string[]): Promise<void>;
}

const LIMITS = {
  /** Of the three seconds that Slack waits for an answer. */
  waitMs: 800,
  people: 20_000,
  keptMs: 6 * 3_600_000,
  /** Somebody who could not be looked up is not asked for again so soon. */
  missedMs: 60_000,
} as const;

interface Person {
  name: string;
  isBot: boolean;
}

export interface User {
  user?: {
    name?: string;
    real_name?: string;
    is_bot?: boolean;
    profile?: { display_name?: string; real_name?: string };
  };
}

export function createPeople(clock: Clock): People {
  const known = new Map<string, { person: Person | undefined; until: number }>();
  const asked = new Map<string, Promise<void>>();
  const ask = async (api: SlackApi, id: string): Promise<void> => {
    const called = await api.call<User>('users.info', { user: id });
    const person = called.ok ? personOf(called.value) : known.get(id)?.person;
    if (known.size >= LIMITS.people) known.clear();
    known.set(id, { person, until: clock.now() + (called.ok ? LIMITS.keptMs : LIMITS.missedMs) });
    asked.delete(id);
  };
  return {
    nameOf: (id) => known.get(id)?.person,
    async learn(api, ids) {
      const now = clock.now();
      const missing = ids.filter((id) => (known.get(id)?.until ?? 0) <= now);
      if (missing.length === 0) return;
      const all = missing.map((id) => {
        const running = asked.get(id) ?? ask(api, id);
        asked.set(id, running);
        return running;
      });
      await within(clock, LIMITS.waitMs, Promise.all(all));
    },
  };
}

export function personOf({ user }: User): Person | undefined {
  if (user === undefined) return undefined;
  const { profile, real_name, name, is_bot } = user;
  const shown = [profile?.display_name, profile?.real_name, real_name, name].find((one) => one);
  return { name: shown ?? '', isBot: is_bot === true };
}
