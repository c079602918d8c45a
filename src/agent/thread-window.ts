// The thread window: what was said before in the conversation, the agent's own words among it, for models that remember
// nothing between turns. Only where the host asks for it (`injection.context`), at most 10 messages or 4,000 characters;
// the rest is a `chat.read_thread` away.
import type { SeenEvent, TurnEvent } from './event.ts';
import type { AgentDeps } from './agent-deps.ts';
import { readListed } from './read-event.ts';
import { readOutcome } from './tools.ts';

export const WINDOW_LIMITS = { events: 10, chars: 4_000, asked: 30 } as const;

export async function threadWindow(
  shared: AgentDeps,
  events: readonly TurnEvent[],
  signal: AbortSignal,
): Promise<SeenEvent[]> {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined || !shared.threadWindow) return [];
  if (events.every(({ context }) => context !== 'thread_window')) return [];
  const params = { inReplyTo: last.eventId, limit: WINDOW_LIMITS.asked };
  const answer = await shared.session.call(
    'tools/call',
    { name: 'chat.read_thread', arguments: params },
    signal,
  );
  const outcome = answer.ok ? readOutcome(answer.result) : undefined;
  if (outcome?.ok !== true) return []; // the turn does without
  const own = new Set(events.flatMap(({ eventId, refersTo }) => [eventId, refersTo]));
  const before = readListed(outcome.data).filter(
    ({ eventId, createdAt = 0 }) =>
      !own.has(eventId) && createdAt <= (first.createdAt ?? Number.MAX_SAFE_INTEGER),
  );
  return newest(before);
}

function newest(events: readonly SeenEvent[]): SeenEvent[] {
  const kept: SeenEvent[] = [];
  let left: number = WINDOW_LIMITS.chars;
  for (const event of events.toReversed()) {
    left -= event.text.length;
    if (left < 0 || kept.length === WINDOW_LIMITS.events) break;
    kept.unshift(event);
  }
  return kept;
}
