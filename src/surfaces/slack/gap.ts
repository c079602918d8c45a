// What was said while nobody listened. Slack repeats an event for some minutes only, and over Socket Mode hardly at all.
// So after every time without a connection each known conversation is asked for what came after its newest event. It is
// handed over as `gap`: an agent may still answer, but not as if it were new.
import type { KnownPlace, SurfaceHost } from '../surface.ts';
import type { SlackApi } from './api.ts';
import type { Clock } from '../../runtime/clock.ts';
import { readPast } from './past.ts';
import type { SlackMessage } from './payload.ts';
import type { People } from './people.ts';
import { isSaid, readMessage } from './read-event.ts';
import { peopleIn } from './read-text.ts';
import { type Login, type Taker, knownOf } from './take.ts';

const LIMITS = {
  /** Conversations that are asked for, the latest first. */
  places: 200,
  /** Of one conversation. */
  messages: 200,
  /** Older messages are no longer anybody's business. */
  ageMs: 24 * 3_600_000,
  /** After which a conversation is left alone when Slack asks to slow down. */
  tries: 5,
} as const;

export interface GapDeps {
  api: SlackApi;
  login: Login;
  people: People;
  clock: Clock;
  taker: Taker;
  wait: (ms: number) => Promise<void>;
  isOver: () => boolean;
}

/** Where the host stands. To be taken before the first new event, which would hide what came before it. */
export function placesBefore(host: SurfaceHost): Promise<readonly KnownPlace[]> {
  return host.known(LIMITS.places);
}

export async function fillGaps(deps: GapDeps, places: readonly KnownPlace[]): Promise<void> {
  const threads = new Set(places.map(({ place }) => `${place.parentId}/${place.conversationId}`));
  for (const { place, newest } of places) {
    const since = Math.max(newest.at, deps.clock.now() - LIMITS.ageMs);
    const channel = place.parentId ?? place.conversationId;
    const thread = place.parentId === undefined ? undefined : place.conversationId;
    const missed = await fill(deps, channel, thread, since);
    for (const { ts, reply_count: replies } of missed) {
      const isNew = thread === undefined && !threads.has(`${channel}/${ts}`);
      if (isNew && replies) await fill(deps, channel, ts, since);
    }
  }
}

/** Hands over what was missed in one channel or thread. */
async function fill(
  deps: GapDeps,
  channel: string,
  thread: string | undefined,
  since: number,
): Promise<SlackMessage[]> {
  const { api, login, people, clock, taker } = deps;
  for (let tries = 0; tries < LIMITS.tries && !deps.isOver(); tries++) {
    const past = await readPast(api, { channel, thread, since, limit: LIMITS.messages });
    if (!past.ok) {
      if (past.failure.type === 'refused' || past.failure.type === 'account') return [];
      await deps.wait(past.failure.type === 'limited' ? past.failure.afterMs : RETRY_MS);
      continue;
    }
    // A thread is told with its root, which belongs to the channel.
    const missed = past.value.messages.filter((message) => isSaid(message) && message.ts !== thread);
    const taken = await taker.handOver(channel, async () => {
      await people.learn(
        api,
        missed.flatMap(({ user, text }) => [user ?? [], peopleIn(text ?? '')].flat()),
      );
      const known = knownOf(login, people, clock.now());
      return missed.map((message) => ({ ...readMessage(message, channel, known), origin: 'gap' as const }));
    });
    if (taken.type === 'done') return missed;
    await deps.wait(RETRY_MS);
  }
  return [];
}

const RETRY_MS = 2_000;
