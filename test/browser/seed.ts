// A log of any length, written straight into a host's store before it starts: decided by the real fold, stored in
// batches, so that a hundred thousand messages take seconds.
import { mkdirSync } from 'node:fs';
import { attentionSettingsSchema, createReplay, decodeState } from '../../src/attention/index.ts';
import { storeFile } from '../../src/cli/data-dir.ts';
import {
  conversationKeyOf,
  hostStateCodec,
  newConversation,
  placeOf,
} from '../../src/host/kernel/conversation.ts';
import { packDecisions } from '../../src/host/kernel/log-row.ts';
import type { ChatEvent } from '../../src/protocol/chat-event.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Write } from '../../src/store/store.ts';

const BATCH = 5_000;
const EVERY_MS = 7_000;
const WORDS = [
  '@lead can you look at the build?',
  'it is red since noon',
  'thanks',
  '@oncall the site is slow',
  'lunch?',
];

export const SEED_START = Date.parse('2026-05-01T00:00:00Z');

/** Row number `index` (from 0) of the log says `#index …`. */
export function seedLog(dataDir: string, count: number): Promise<void> {
  return seedEvents(dataDir, count, 'dev', (index) => ({
    ...seedEvent(index, 'dev'),
    conversation: { id: index % 3 === 0 ? 'general' : 'backend', kind: 'channel' },
    text: `#${index} ${WORDS[index % WORDS.length]}`,
  }));
}

/** A channel of the web chat with these messages, the event `seed-N` with the text number N. Longer than people can write, too. */
export function seedWebChannel(
  dataDir: string,
  id: string,
  count: number,
  text: (index: number) => string,
): Promise<void> {
  return seedEvents(dataDir, count, 'web', (index) => ({
    ...seedEvent(index, 'web'),
    conversation: { id, kind: 'channel', title: id },
    text: text(index),
  }));
}

type Message = Extract<ChatEvent, { type: 'message' }>;

function seedEvent(index: number, platform: string): Omit<Message, 'conversation'> {
  return {
    eventId: `seed-${index}`,
    at: SEED_START + index * EVERY_MS,
    platform,
    workspaceId: 'local',
    author: { id: `u${index % 7}`, kind: 'human', displayName: `Person ${index % 7}` },
    type: 'message',
  };
}

async function seedEvents(
  dataDir: string,
  count: number,
  surface: string,
  eventAt: (index: number) => ChatEvent,
): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const agents = [{ id: 'lead' }, { id: 'builder', lead: 'lead', roles: ['oncall'] }, { id: 'reviewer' }];
  const replay = createReplay(attentionSettingsSchema.parse({ agents }));
  const store = await openSqliteStore({
    file: storeFile(dataDir),
    clock: systemClock,
    codec: hostStateCodec,
  });
  for (let from = 0; from < count; from += BATCH) {
    const writes: Write[] = [];
    for (let index = from; index < Math.min(count, from + BATCH); index++)
      writes.push(logWrite(replay, eventAt(index)));
    await store.transact({ states: [], run: () => ({ writes, result: undefined }) });
  }
  const rooms = replay.snapshot().conversations.map(({ place, state }) => {
    const value = { ...newConversation(place, surface), attention: decodeState(state) };
    return { state: conversationKeyOf(place), value };
  });
  const states = rooms.map(({ state }) => state);
  await store.transact({ states, run: () => ({ writes: rooms, result: undefined }) });
  await store.close();
}

function logWrite(replay: ReturnType<typeof createReplay>, event: ChatEvent): Write {
  const fed = replay.feed(event);
  if (fed.type === 'duplicate') throw new Error('every seed is its own event');
  const { record, decisions } = fed;
  const row = {
    key: event.eventId,
    conversation: conversationKeyOf(placeOf(event)),
    seq: record.seq,
    at: record.at,
    type: event.type,
    author: event.author.id,
    record,
    decisions: packDecisions(decisions),
    secrets: [],
  };
  return { table: 'log', row };
}
