// The rows of a conversation, oldest first: messages, with what depends on the message above, then what is still being
// sent.
import type { WebMessage } from '../../../protocol/web-chat.ts';
import { dayOf } from '../../ui/time.tsx';
import type { RoomState } from '../state/room.ts';
import type { Send } from '../state/sends.ts';

export type ChatRow =
  | {
      kind: 'message';
      key: string;
      message: WebMessage;
      follows: boolean;
      day?: string;
      isRoot?: true;
      /** An agent is still writing it. */
      isGrowing?: true;
    }
  | { kind: 'send'; key: string; send: Send };

/** After a longer pause than this, the author's name is shown again. */
const FOLLOWS_MS = 5 * 60_000;

export function rowsOf({ held, more, root, opened }: RoomState, sends: readonly Send[]): ChatRow[] {
  const rows: ChatRow[] = [];
  if (root !== undefined && opened && !more) {
    rows.push({ kind: 'message', key: root.eventId, message: root, follows: false, isRoot: true });
  }
  let above: WebMessage | undefined;
  for (const { message } of held) {
    // Whether the oldest message begins a day is unknown until the one above it is loaded.
    const same = above === undefined ? more : dayOf(above.at) === dayOf(message.at);
    const day = same ? undefined : dayOf(message.at);
    const follows = day === undefined && above !== undefined && isFollowing(above, message);
    rows.push({
      kind: 'message',
      key: message.eventId,
      message,
      follows,
      ...(day === undefined ? {} : { day }),
    });
    above = message;
  }
  return [...rows, ...sends.map((send) => ({ kind: 'send' as const, key: send.key, send }))];
}

/** The rows with the answers that are being written, after everything that was said. */
export function withAnswers(rows: readonly ChatRow[], answers: readonly WebMessage[]): readonly ChatRow[] {
  if (answers.length === 0) return rows;
  const said = rows.findLastIndex(({ kind }) => kind === 'message') + 1;
  let above = rows[said - 1];
  const growing = answers.map((message): ChatRow => {
    const follows = above?.kind === 'message' && above.isRoot !== true && isFollowing(above.message, message);
    above = { kind: 'message', key: message.eventId, message, follows, isGrowing: true };
    return above;
  });
  return rows.toSpliced(said, 0, ...growing);
}

function isFollowing(above: WebMessage, message: WebMessage): boolean {
  return (
    above.author.id === message.author.id &&
    above.author.kind === message.author.kind &&
    message.replyTo === undefined &&
    above.notice === undefined &&
    Date.parse(message.at) - Date.parse(above.at) < FOLLOWS_MS
  );
}
