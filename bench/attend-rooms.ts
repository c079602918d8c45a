// Invented rooms with the traffic of a team chat, for whatever measures a decision. Deterministic, and made beforehand, so
// that only the fold is timed.
import type { MessageEvent } from '../src/protocol/chat-event.ts';

const PEOPLE = 12;
const LINES = [
  'morning, anybody seen the flaky login test again?',
  '@agent-0 can you check whether the deploy is blocked?',
  'the second run passed on my machine',
  'thanks!',
  'Jane, could you have a look at the billing export when you are back?',
  'ok',
  'still failing for me, the token seems to expire after ten minutes or so and then every request is a 401',
  'lunch?',
  'agent-1 what did we decide about the retry limit?',
  'fyi staging is down for ten minutes',
];

export const PLACE = {
  platform: 'bench',
  workspaceId: 'w',
  conversation: { id: 'c', kind: 'channel' as const },
};

/** Between two lines. */
export const PAUSE_MS = 7_000;

/** Settings with so many agents. */
export const settingsWith = (agents: number) => ({
  agents: Array.from({ length: agents }, (_, index) => ({ id: `agent-${index}`, roles: ['helpers'] })),
});

function messages(count: number): MessageEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    eventId: `e${index}`,
    at: 1_750_000_000_000 + index * PAUSE_MS,
    ...PLACE,
    author: { id: `U${(index * 7) % PEOPLE}`, kind: 'human', displayName: `Person ${(index * 7) % PEOPLE}` },
    type: 'message',
    text: LINES[index % LINES.length] ?? '',
  }));
}

export const POOL: readonly MessageEvent[] = messages(1_000);

const CALLED = /\bagent-\d\b/;

/** The same talk, but an agent that is called answers: afterwards the scorer weighs what names nobody. */
export function answered(agents: number): readonly MessageEvent[] {
  return POOL.flatMap((event) => {
    const id = CALLED.exec(event.text ?? '')?.[0];
    if (id === undefined || Number(id.slice('agent-'.length)) >= agents) return [event];
    const { eventId, author } = event;
    const answer: MessageEvent = {
      ...event,
      eventId: `${eventId}-answer`,
      author: { id, kind: 'agent' },
      text: 'It is not, the last run was green.',
      inReplyTo: eventId,
      replyTo: { eventId, authorId: author.id },
    };
    return [event, answer];
  });
}
