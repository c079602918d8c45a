// Turns log rows into notices for the tabs. Live tabs and reconnecting tabs use the same code, so both get the same
// notices.
import type { WebChatNews, WebChatNotification } from '../../protocol/web-chat.ts';
import type { Scanned } from '../../store/store.ts';
import type { LogRow } from '../../store/tables.ts';
import { textOf } from '../kernel/log-row.ts';
import { iso } from '../../protocol/log-record.ts';
import type { Conversations } from './conversations.ts';
import type { Messages } from './messages.ts';
import type { Names } from './names.ts';

export type Notice = {
  [N in WebChatNotification]: { method: N; params: WebChatNews<N> };
}[WebChatNotification];

export interface NoticesDeps {
  conversations: Conversations;
  messages: Pick<Messages, 'logged'>;
  names: () => Promise<Names>;
  clean: (text: string) => string;
}

/**
 * The notices of one row for a person who may see its conversation. `opens` is true when the row started the
 * conversation or gave it another title.
 */
export async function rowNotices(
  deps: NoticesDeps,
  row: Scanned<LogRow>,
  person: string,
  opens: boolean,
): Promise<Notice[]> {
  const notice = await noticeOf(deps, row, person);
  const first = opens ? await conversationNotice(deps, row, person, notice !== undefined) : undefined;
  return [first, notice].filter((one) => one !== undefined);
}

/** Undefined for events that people do not see. */
async function noticeOf(
  deps: NoticesDeps,
  row: Scanned<LogRow>,
  person: string,
): Promise<Notice | undefined> {
  const { event } = row.record;
  const position = String(row.position);
  const conversation = event.conversation.id;
  switch (event.type) {
    case 'message':
      return { method: 'message', params: { position, message: await deps.messages.logged(row, person) } };
    case 'edit': {
      const names = await deps.names();
      const { targetEventId: eventId, mentions = [] } = event;
      const said = { text: deps.clean(textOf(row)), mentions: mentions.map((one) => names.mention(one)) };
      const params = { position, conversation, eventId, ...said, editedAt: iso(row.at) };
      return { method: 'edited', params };
    }
    case 'delete':
      return { method: 'deleted', params: { position, conversation, eventId: event.targetEventId } };
    case 'reaction': {
      const { targetEventId: eventId, signal, removed = false } = event;
      const names = await deps.names();
      const by = names.author(event.author);
      const glyph = names.glyph(event.author, signal);
      return { method: 'reaction', params: { position, conversation, eventId, signal, glyph, by, removed } };
    }
    case 'membership':
    case 'typing':
    case 'progress':
    case 'claim':
    case 'mode':
    case 'focus':
    case 'disengage':
    case 'turn':
    case 'resolve':
    case 'escalation':
    case 'correction':
    case 'opinion':
    case 'tick':
      return undefined;
  }
}

/**
 * The conversation, as one person sees it. If a notice about the same row follows, this one has the position before it.
 * A tab that loses its connection between the two then gets both again.
 */
async function conversationNotice(
  deps: NoticesDeps,
  row: Scanned<LogRow>,
  person: string,
  followed: boolean,
): Promise<Notice | undefined> {
  const known = deps.conversations.get(row.conversation);
  if (known === undefined) return undefined;
  const conversation = await deps.conversations.webConversation(known, person, await deps.names());
  const position = String(followed ? row.position - 1 : row.position);
  return { method: 'conversation', params: { position, conversation } };
}
