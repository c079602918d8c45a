// Whether a message is worth telling the person, and in which words. Pure.
import type { WebMessage } from '../../../protocol/web-chat.ts';
import { mentionsMe } from '../state/news.ts';
import type { ChatState } from '../state/state.ts';
import type { Notify } from './choice.ts';

/** The channel of a thread, otherwise the conversation itself. The choice is made there. */
export function roomOf({ conversations }: Pick<ChatState, 'conversations'>, conversation: string): string {
  return conversations.get(conversation)?.parentId ?? conversation;
}

/** `isSeen`: the conversation is on the screen of a person who looks. */
export function isWorthTelling(
  state: Pick<ChatState, 'conversations' | 'me'>,
  message: WebMessage,
  choice: Notify,
  isSeen: boolean,
): boolean {
  const { author, conversation, deleted } = message;
  if (isSeen || deleted === true || choice === 'nothing') return false;
  if (author.kind === 'human' && author.id === state.me?.id) return false;
  if (choice === 'all' || state.conversations.get(conversation)?.kind === 'dm') return true;
  return mentionsMe(message, state.me?.id);
}

const BODY_CHARS = 140;

/** `count` messages of the same room have not been looked at. They are told as one. */
export function toldAs(
  { conversations }: Pick<ChatState, 'conversations'>,
  { author, text, conversation: id }: WebMessage,
  count: number,
): { title: string; body: string } {
  const conversation = conversations.get(id);
  const parent = conversations.get(conversation?.parentId ?? '') ?? conversation;
  const where = parent?.kind === 'dm' ? '' : ` in #${parent?.title ?? id}`;
  const line = text.replace(/\s+/g, ' ').trim();
  const body = line.length > BODY_CHARS ? `${line.slice(0, BODY_CHARS)}…` : line;
  return count === 1
    ? { title: `${author.name}${where}`, body }
    : { title: `${count} new messages${where}`, body: `${author.name}: ${body}` };
}
