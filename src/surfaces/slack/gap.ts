// What was said while nobody listened. Slack repeats an event for some minutes only, and over Socket Mode hardly at all.
// So after every time without a connection each conversation is asked for what came after its newest event. It is handed
// over as `gap`: an agent may still answer, but not as if it were new. New events come in meanwhile, and the host may die
// before all is filled: so the time from which something may be missing is kept until nothing is.
import type { KnownPlace, SurfaceHost } from '../surface.ts';
import type { SlackApi } from './api.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Missing, missedIn } from './missed.ts';
import { readPast } from './past.ts';
import { type SlackMessage, msOfTs } from './payload.ts';
import type { People } from './people.ts';
import { peopleIn } from './read-text.ts';
import { type Login, type Taker, knownOf } from './take.ts';

const LIMITS = {
  /** Conversations that are asked for, the latest first. */
  places: 200,
  /** Conversations that were never heard of: a direct message may have begun meanwhile. */
  unheard: 50,
  /** Of one conversation, to see what happened to earlier messages. */
  looked: 200,
  /** Of one conversation, when more than that was missed. */
  messages: 2_000,
  /** Older messages are no longer anybody's business. */
  ageMs: 24 * 3_600_000,
  /** Events of one connection may come in another order than they happened. */
  marginMs: 60_000,
  /** A thread that was quiet for longer is asked for only if there is something new in it. */
  activeMs: 15 * 60_000,
  /** After which a conversation is left alone when Slack asks to slow down. */
  tries: 5,
} as const;

export interface GapDeps {
  api: SlackApi;
  login: Login;
  people: People;
  clock: Clock;
  taker: Taker;
  /** Where it is kept from when on something may be missing: one mark for each login. */
  mark: string;
  /** Other logins are in rooms that this one is not in. */
  isOneOfSeveral: boolean;
  wait: (ms: number) => Promise<void>;
  isOver: () => boolean;
}

/** Where the host stood when it was last connected. */
export interface Standing {
  places: readonly KnownPlace[];
  /** Epoch ms. From then on something may be missing. Undefined: nothing was ever heard. */
  since: number | undefined;
}

export interface StandingDeps {
  host: SurfaceHost;
  mark: string;
  now: number;
  /** Epoch ms. When this login was last heard. Undefined: not since the start, when no login was. */
  heardAt?: number | undefined;
}

/** To be taken before the first new event, which would hide what came before it. */
export async function standing({ host, mark: key, now, heardAt }: StandingDeps): Promise<Standing> {
  const { memory } = host;
  const places = await host.known(LIMITS.places);
  const mark = await memory.get(key);
  if (places.length === 0 && !mark && heardAt === undefined) {
    // The first time. Should it end before anything is heard, the next one begins here.
    await memory.set(key, String(now));
    return { places, since: undefined };
  }
  const last = heardAt ?? Math.max(...places.map(({ newest }) => newest.at));
  const from = Number.isFinite(last) ? last - LIMITS.marginMs : now;
  const since = Math.min(from, mark ? Number(mark) : Infinity);
  if (String(since) !== mark) await memory.set(key, String(since));
  return { places, since };
}

/** False: something could not be read or stored, or the time was over. It is tried again after the next connection. */
export async function fillGaps(
  deps: GapDeps,
  { memory }: SurfaceHost,
  { places, since }: Standing,
): Promise<boolean> {
  if (since === undefined) return true;
  if (!(await fillAll(deps, places, since))) return false;
  if (places.length > 0) await memory.set(deps.mark, '');
  return true;
}

async function fillAll(deps: GapDeps, places: readonly KnownPlace[], since: number): Promise<boolean> {
  const heard = new Map(places.map(({ place, newest }) => [idOf(place), newest.at]));
  const known = new Set(places.map(({ place }) => place.parentId ?? place.conversationId));
  const rooms = await roomsOf(deps);
  // Rooms of the other logins are theirs to fill.
  const mine = [...known].filter((id) => !deps.isOneOfSeveral || !rooms.isWhole || rooms.ids.has(id));
  const channels = new Set([...mine, ...unheard(rooms, known)]);
  let isWhole = true;
  const asked = new Set<string>();
  for (const channel of channels) {
    const roots = await fill(deps, missingIn(heard.get(channel), since, channel));
    isWhole &&= roots !== undefined;
    for (const root of roots ?? []) {
      const thread = `${channel}/${root.ts}`;
      const newest = heard.get(thread);
      const isActive = newest !== undefined && newest > deps.clock.now() - LIMITS.activeMs;
      if (isActive || hasNews(root, Math.min(newest ?? since, since))) {
        const filled = await fill(deps, missingIn(newest, since, channel), root.ts);
        isWhole &&= filled !== undefined;
      }
      asked.add(thread);
    }
  }
  for (const { place, newest } of places) {
    const { parentId: channel, conversationId: thread } = place;
    if (channel === undefined || !channels.has(channel) || asked.has(idOf(place))) continue;
    const filled = await fill(deps, missingIn(newest.at, since, channel), thread);
    isWhole &&= filled !== undefined;
  }
  return isWhole && !deps.isOver();
}

function idOf({ parentId, conversationId }: KnownPlace['place']): string {
  return parentId === undefined ? conversationId : `${parentId}/${conversationId}`;
}

function missingIn(newest: number | undefined, since: number, channel: string): Missing {
  return { channel, since: Math.min(newest ?? since, since), heardUntil: newest ?? 0 };
}

function hasNews({ reply_count, latest_reply }: SlackMessage, since: number): boolean {
  if (latest_reply !== undefined && latest_reply !== null) return msOfTs(latest_reply) >= since;
  return (reply_count ?? 0) > 0;
}

interface Listed {
  channels?: { id?: string; updated?: number; created?: number }[];
}

interface Rooms {
  /** Epoch ms. When each was last changed. */
  ids: ReadonlyMap<string, number>;
  /** False: there are more than the app may list. */
  isWhole: boolean;
}

const ROOMS_A_PAGE = 999;

/** Conversations that the app is in. What it may not list is left out. */
async function roomsOf({ api }: GapDeps): Promise<Rooms> {
  const ids = new Map<string, number>();
  let isWhole = true;
  for (const types of ['im', 'mpim', 'private_channel', 'public_channel']) {
    const called = await api.call<Listed>('users.conversations', { types, limit: ROOMS_A_PAGE });
    const listed = called.ok ? (called.value.channels ?? []) : [];
    isWhole &&= called.ok && listed.length < ROOMS_A_PAGE;
    for (const { id, updated, created } of listed)
      if (id !== undefined) ids.set(id, updated ?? (created ?? 0) * 1_000);
  }
  return { ids, isWhole };
}

/** Those that the host has never heard of, the latest first. */
function unheard({ ids }: Rooms, heard: ReadonlySet<string>): string[] {
  const found = [...ids].filter(([id]) => !heard.has(id)).toSorted(([, a], [, b]) => b - a);
  return found.slice(0, LIMITS.unheard).map(([id]) => id);
}

/** Hands over what was missed in one channel or thread. Answers with what was read; undefined: it could not be. */
async function fill(deps: GapDeps, missing: Missing, thread?: string): Promise<SlackMessage[] | undefined> {
  const { api, login, people, clock, taker } = deps;
  const { channel } = missing;
  for (let tries = 0; tries < LIMITS.tries && !deps.isOver(); tries++) {
    const past = await readMissing(deps, missing, thread);
    if (!past.ok) {
      // Where the app is no longer, nothing is missing.
      if (past.failure.type === 'refused') return [];
      if (past.failure.type === 'account') return undefined;
      await deps.wait(past.failure.type === 'limited' ? past.failure.afterMs : RETRY_MS);
      continue;
    }
    const { messages } = past.value;
    // A thread is told with its root, which belongs to the channel.
    const inPlace = messages.filter(({ ts }) => ts !== thread);
    const taken = await taker.handOver(channel, async () => {
      await people.learn(
        api,
        inPlace.flatMap(({ user, text }) => [user ?? [], peopleIn(text ?? '')].flat()),
      );
      return missedIn(inPlace, missing, knownOf(login, people, clock.now()));
    });
    if (taken.type === 'done') return inPlace;
    await deps.wait(RETRY_MS);
  }
  return undefined;
}

/** Also what was said before, because it may have been edited or answered. All of it only if much was missed. */
async function readMissing(
  { api, clock }: GapDeps,
  { channel, since }: Missing,
  thread: string | undefined,
): ReturnType<typeof readPast> {
  const oldest = clock.now() - LIMITS.ageMs;
  const past = await readPast(api, { channel, thread, since: oldest, limit: LIMITS.looked });
  if (!past.ok || past.value.isWhole) return past;
  const [first] = past.value.messages;
  const isEnough = thread === undefined && first !== undefined && msOfTs(first.ts) < since;
  if (isEnough) return past;
  return readPast(api, { channel, thread, since: Math.max(since, oldest), limit: LIMITS.messages });
}

const RETRY_MS = 2_000;
