// Drawn lines of four people and three agents in one room, a half of them with an explicit sign.
import { type AttentionState, attentionSettingsSchema, rosterFor } from '../../src/attention/index.ts';
import type { MessageEvent } from '../../src/protocol/chat-event.ts';
import type { seededRandom } from '../../src/runtime/random.ts';

export const T0 = Date.parse('2026-06-24T09:00:00Z');
const conversation = { id: 'C1', kind: 'channel' as const };
const place = { platform: 'web', workspaceId: 'W1', conversation };
export const roster = rosterFor(
  attentionSettingsSchema.parse({ agents: [{ id: 'nova' }, { id: 'otto' }, { id: 'iris' }] }),
  place,
);
const PEOPLE = ['annette', 'benedikt', 'catrin', 'daniel'];
const AGENTS = ['nova', 'otto', 'iris'];
export const TEXTS = (
  'is the deploy blocked?|yes|no, the other one|thanks|the export fails with error 401 since noon|can you look again?|' +
  'anyone seen this?|I will try that|lunch?|ok|which branch is it?|it says permission denied|so what now|restart it|hm'
).split('|');
const CALLS = ['nova', 'otto', 'annette', 'benedikt', 'catrin'];

export type Random = ReturnType<typeof seededRandom>;

export function drawn(random: Random, index: number, at: number): MessageEvent {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)] as T;
  const byAgent = random.next() < 0.25;
  const author = byAgent ? pick(AGENTS) : pick(PEOPLE);
  const text = pick(TEXTS);
  const way = random.next();
  const called = pick(CALLS.filter((name) => name !== author));
  const base: MessageEvent = {
    type: 'message',
    eventId: `e${index}`,
    at,
    ...place,
    author: { id: author, kind: byAgent ? 'agent' : 'human', displayName: author },
    text,
  };
  if (way < 0.2) return { ...base, text: `@${called} ${text}` };
  if (way < 0.35) return { ...base, text: `${called}: ${text}` };
  if (way < 0.5 && index > 0) return { ...base, replyTo: { eventId: `e${index - 1 - (index > 3 ? 2 : 0)}` } };
  return base;
}

export const recordOf = (event: MessageEvent, state: AttentionState, scorer: number | undefined) => ({
  kind: 'event' as const,
  seq: state.seq + 1,
  at: Number(event.at),
  event,
  facts: scorer === undefined ? {} : { scorer },
});
