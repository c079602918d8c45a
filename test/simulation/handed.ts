// The deliveries in what the host sends to an agent: a frame of a session, or the answer to a long poll.
import type { Handed } from './seen.ts';

interface HandedEvent {
  eventId: string;
  injection?: { mode?: string };
  mode?: string;
  reliability?: { attempt?: number };
  attempt?: number;
}

type What = Omit<Handed, 'agent' | 'link'>;

export function handedIn(frame: string, pulls: boolean): What[] {
  if (frame.includes('"chat/deliver"')) {
    const { params } = JSON.parse(frame) as { params: HandedEvent };
    return [handed(params, frame)];
  }
  if (!pulls || !frame.includes('"cursor"')) return [];
  const { result } = JSON.parse(frame) as { result?: { structuredContent?: { events?: HandedEvent[] } } };
  return (result?.structuredContent?.events ?? []).map((event) => handed(event, JSON.stringify(event)));
}

function handed({ eventId, injection, mode, reliability, attempt }: HandedEvent, frame: string): What {
  return {
    eventId,
    mode: injection?.mode ?? mode ?? 'buffered',
    attempt: reliability?.attempt ?? attempt ?? 1,
    frame,
  };
}
