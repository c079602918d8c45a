// The real host over any store, without sockets, and people who talk in several rooms: mentions, questions, threads, edits,
// reactions, thanks. What is decided about them is in the log of that store.
import { type AttentionSettingsInput, attentionSettingsSchema } from '../../src/attention/index.ts';
import { createHost, type Host } from '../../src/host/host.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { NO_INBOUND_LIMITS } from '../../src/host/security/rate-limit.ts';
import { findSecrets } from '../../src/host/security/redact.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { seededRandom, systemRandom } from '../../src/runtime/random.ts';
import type { Store } from '../../src/store/store.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';

export const SOURCE = 'dev';
export const CONFIG_VERSION = 'talk';
export const attentionInput: AttentionSettingsInput = {
  agents: [
    { id: 'lead', aliases: ['chief'] },
    { id: 'builder', lead: 'lead', roles: ['oncall'] },
    { id: 'nova', roles: ['oncall'] },
  ],
  conversations: [{ match: '*/*/room-1', defaultResponder: 'builder' }],
};
export const attention = attentionSettingsSchema.parse(attentionInput);

export function talkingHost(store: Store): Promise<Host> {
  return createHost({
    store,
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    attention,
    settings: hostSettingsSchema.parse({}),
    configVersion: CONFIG_VERSION,
    surfaces: [internalSurface('earshot'), internalSurface(SOURCE)],
    findSecrets,
    rateLimits: NO_INBOUND_LIMITS,
  });
}

const LINES = [
  '@lead are you there?',
  'chief, look at the deploy',
  '@oncall can one of you help?',
  'and what now?',
  'thanks, that did it',
  'nova: the second run passed on my machine, 東京',
  '@builder fix the build, please',
  'the retry limit is written down somewhere',
];
const EVENTS_AT_ONCE = 200;
/** One message in so many is said in a thread of its room. */
const THREADS_EVERY = 8;
const AUTHORS = ['ann', 'ben', 'cleo', 'dora'];

/** So many events of so many rooms, always the same for a seed. */
export function* talk(count: number, rooms: number, seed: number): Generator<Record<string, unknown>> {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const said = new Map<string, string[]>();
  let later: [room: string, eventId: string][] = [];
  for (let n = 0; n < count; n++) {
    // Nobody edits or answers what is not yet there.
    if (n % EVENTS_AT_ONCE === 0) {
      for (const [room, eventId] of later) said.set(room, [...(said.get(room) ?? []).slice(-20), eventId]);
      later = [];
    }
    const place = `room-${below(rooms)}`;
    const room = below(THREADS_EVERY) === 0 ? `${place}-thread` : place;
    const author = { id: AUTHORS[below(AUTHORS.length)], kind: 'human' };
    const before = said.get(room) ?? [];
    const target = before[below(before.length)];
    const eventId = `talk-${seed}-${n}`;
    const base = {
      eventId,
      at: Date.parse('2026-06-02T09:00:00Z') + n * 500,
      platform: SOURCE,
      workspaceId: 'w',
      conversation:
        room === place ? { id: room, kind: 'channel' } : { id: room, kind: 'thread', parentId: place },
      author,
    };
    const kind = below(10);
    if (target !== undefined && kind === 0)
      yield { ...base, type: 'reaction', targetEventId: target, signal: 'agree' };
    else if (target !== undefined && kind === 1) {
      // Once: what an edit finds of an older one that is still under way is a fact of its record, and no part of a chat.
      said.set(
        room,
        before.filter((id) => id !== target),
      );
      yield { ...base, type: 'edit', targetEventId: target, text: LINES[below(LINES.length)] };
    } else {
      later.push([room, eventId]);
      const replyTo = target !== undefined && kind === 2 ? { replyTo: { eventId: target } } : {};
      yield { ...base, type: 'message', text: LINES[below(LINES.length)], ...replyTo };
    }
  }
}

/** Each event goes to one of the hosts, drawn. Many are under way at a time. */
export async function play(hosts: readonly Host[], events: Iterable<Record<string, unknown>>): Promise<void> {
  const random = seededRandom(1);
  const hand = async (some: readonly Record<string, unknown>[]): Promise<void> => {
    const dealt = Map.groupBy(some, () => Math.floor(random.next() * hosts.length));
    const results = await Promise.all(
      [...dealt].map(([which, own]) => hosts[which]?.ingest(own, SOURCE) ?? Promise.resolve([])),
    );
    const refused = results.flat().filter(({ status }) => status !== 'accepted');
    if (refused.length > 0) throw new Error(`refused: ${JSON.stringify(refused[0])}`);
  };
  let some: Record<string, unknown>[] = [];
  for (const event of events) {
    some.push(event);
    if (some.length < EVENTS_AT_ONCE) continue;
    await hand(some);
    some = [];
  }
  await hand(some);
}
