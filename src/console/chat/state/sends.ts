// What this person has sent and the host has not answered yet. The key makes a repeat the same act: nothing here is
// ever shown twice or sent twice as two messages.
import type { WebMessage } from '../../../protocol/web-chat.ts';

export interface Send {
  key: string;
  conversation: string;
  text: string;
  replyTo?: string;
  atMs: number;
  /** Why it was refused. Without it, it is on its way, or waits for the connection. */
  problem?: string;
  /** The host has told everybody of it already; only the answer is missing. */
  shownAs?: string;
}

/** News of one's own message may come before the answer: the oldest send with these words is that message. */
export function matched(
  sends: readonly Send[],
  { eventId, conversation, text }: WebMessage,
): readonly Send[] {
  if (sends.some(({ shownAs }) => shownAs === eventId)) return sends;
  const found = sends.findIndex(
    (send) =>
      send.shownAs === undefined &&
      send.problem === undefined &&
      send.conversation === conversation &&
      send.text.trim() === text.trim(),
  );
  const send = sends[found];
  return send === undefined ? sends : sends.with(found, { ...send, shownAs: eventId });
}

/** Those that are still to be seen below the messages of a conversation. */
export function pendingIn(sends: readonly Send[], conversation: string): readonly Send[] {
  return sends.filter((send) => send.conversation === conversation && send.shownAs === undefined);
}
