// What is said in this bench, and how it is sent: the same messages to hosts and to the job queues beside them.
import { LINES } from '../load.ts';

/** Frames of so many events, and so many of them sent before the first is answered. */
export const FRAME_EVENTS = 64;
export const FRAMES_UNDER_WAY = 8;

const PEOPLE = 12;

export interface Speech {
  /** Where: each message in one of so many conversations, drawn. */
  conversations: number;
  forMs: number;
}

/** Every message names one agent, so that it is decided, delivered and acknowledged once. */
export function saidTo(agent: string, eventId: string, conversations: number) {
  const person = Math.floor(Math.random() * PEOPLE);
  return {
    eventId,
    at: Date.now(),
    platform: 'bench',
    workspaceId: 'w',
    conversation: { id: `C${Math.floor(Math.random() * conversations)}`, kind: 'channel' },
    author: { id: `U${person}`, kind: 'human', displayName: `Person ${person}` },
    type: 'message',
    text: `@${agent} ${LINES[person % LINES.length] ?? ''}`,
    mentions: [{ kind: 'agent', id: agent }],
  };
}

export type Said = ReturnType<typeof saidTo>;

/** Sends frames until the time is over. Returns how many events were sent. */
export async function keepSending(
  { conversations, forMs }: Speech,
  run: string,
  agents: readonly string[],
  send: (events: Said[]) => Promise<unknown>,
): Promise<number> {
  const started = performance.now();
  let sent = 0;
  const line = async (): Promise<void> => {
    while (performance.now() - started < forMs) {
      const from = sent;
      sent += FRAME_EVENTS;
      await send(
        Array.from({ length: FRAME_EVENTS }, (_, at) =>
          saidTo(agents[(from + at) % agents.length] ?? '', `${run}-${from + at}`, conversations),
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: FRAMES_UNDER_WAY }, line));
  return sent;
}
