// Growing answers as the page shows them.
import type { WebGrowing } from '../../protocol/web-chat.ts';
import { iso } from '../../protocol/log-record.ts';
import type { Grown, GrowingNews } from '../turn/growing.ts';
import type { KnownConversation } from './conversations.ts';
import type { Names } from './names.ts';
import type { Notice } from './notices.ts';

/** Those with something to see. */
export function webGrowing(grown: readonly Grown[], known: KnownConversation, names: Names): WebGrowing[] {
  return grown.filter(({ text }) => text !== '').map((one) => shownTo(one, known, names));
}

export function growingNotice(
  news: Exclude<GrowingNews, { type: 'shown' }>,
  known: KnownConversation,
  names: Names,
): Notice {
  const { grown } = news;
  const { id: conversation } = known.place.conversation;
  if (news.type === 'withdrawn')
    return { method: 'withdrawn', params: { conversation, eventId: grown.eventId } };
  const { from, text } = news;
  return { method: 'growing', params: { ...shownTo(grown, known, names), from, text } };
}

function shownTo(
  { eventId, agent, at, text }: Grown,
  { place }: KnownConversation,
  names: Names,
): WebGrowing {
  const author = names.author({ id: agent, kind: 'agent' });
  return { eventId, conversation: place.conversation.id, author, at: iso(at), text };
}
