// What this person has sent and the host has not answered yet. A repeat has the same key, so nothing becomes two
// messages or is shown twice.
import type { WebFile, WebMessage } from '../../../protocol/web-chat.ts';

export interface Send {
  key: string;
  conversation: string;
  text: string;
  replyTo?: string;
  /** Uploads that go with it. */
  files?: readonly WebFile[];
  atMs: number;
  /** Why it was refused. Undefined while it is on its way or waits for the connection. */
  problem?: string;
  /** The news of it has come. Only the answer is missing. */
  shownAs?: string;
}

/** News of the person's own message may come before the answer. It is the oldest send with these words. */
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

/** The sends that are still shown below the messages of a conversation. */
export function pendingIn(sends: readonly Send[], conversation: string): readonly Send[] {
  return sends.filter((send) => send.conversation === conversation && send.shownAs === undefined);
}
