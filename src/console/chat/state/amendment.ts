// What has happened to a message since it was written: an edit, a deletion, reactions, what agents do with it. If the
// message is not loaded yet, the amendment is kept apart and applied when it comes.
import type { Signal } from '../../../protocol/vocabulary.ts';
import type {
  WebAuthor,
  WebChatNews,
  WebMention,
  WebMessage,
  WebQuestion,
  WebReaction,
  WebState,
  WebWhy,
} from '../../../protocol/web-chat.ts';

export interface Amendment {
  edit?: { text: string; mentions: readonly WebMention[]; editedAt: string };
  deleted?: true;
  /** The latest reaction for each (signal, author). */
  reactions?: readonly ReactionNews[];
  states?: readonly WebState[];
  /** The sentence for the author, which comes with the states. Null: none any more. */
  why?: WebWhy | null;
  /** What it asks people comes with the states too. Null: nothing. */
  question?: WebQuestion | null;
}
type ReactionNews = Pick<WebChatNews<'reaction'>, 'signal' | 'glyph' | 'by' | 'removed'>;

export function amended(message: WebMessage, amendment: Amendment): WebMessage {
  const { edit, deleted, reactions = [], states, why, question } = amendment;
  let next = message;
  // Times are ISO text of one clock, so they can be compared as text.
  if (edit !== undefined && edit.editedAt >= (message.editedAt ?? ''))
    next = { ...next, ...edit, mentions: [...edit.mentions] };
  if (states !== undefined) next = { ...next, states: [...states] };
  if (why !== undefined) next = withWhy(next, why);
  if (question !== undefined) next = withQuestion(next, question);
  for (const news of reactions) next = { ...next, reactions: withReaction(next.reactions, news) };
  if (deleted === true || message.deleted === true)
    next = { ...withQuestion(withWhy(next, null), null), deleted: true, text: '', mentions: [], states: [] };
  return next;
}

function withWhy(message: WebMessage, why: WebWhy | null): WebMessage {
  const { why: _, ...others } = message;
  return why === null ? others : { ...others, why };
}

function withQuestion(message: WebMessage, question: WebQuestion | null): WebMessage {
  const { question: _, ...others } = message;
  return question === null ? others : { ...others, question };
}

/** Joins two amendments of one message. Where both set the same thing, the later one wins. */
export function joined(earlier: Amendment, later: Amendment): Amendment {
  const reactions = [...(earlier.reactions ?? [])];
  for (const news of later.reactions ?? []) {
    const before = reactions.findIndex((one) => one.signal === news.signal && isSame(one.by, news.by));
    if (before >= 0) reactions.splice(before, 1);
    reactions.push(news);
  }
  return { ...earlier, ...later, ...(reactions.length === 0 ? {} : { reactions }) };
}

export function withReaction(
  reactions: readonly WebReaction[],
  { signal, glyph, by, removed }: ReactionNews,
): WebReaction[] {
  const before = reactions.find((reaction) => reaction.signal === signal);
  const others = (before?.by ?? []).filter((author) => !isSame(author, by));
  const now = removed ? others : [...others, by];
  const rest = reactions.filter((reaction) => reaction.signal !== signal);
  if (now.length === 0) return rest;
  const changed = { signal, glyph: before?.glyph ?? glyph, by: now };
  // Keeps its position, so that nothing jumps under the pointer.
  return before === undefined
    ? [...rest, changed]
    : reactions.map((one) => (one.signal === signal ? changed : one));
}

export function hasReacted(message: WebMessage, signal: Signal, person: string): boolean {
  const given = message.reactions.find((reaction) => reaction.signal === signal);
  return given?.by.some(({ id, kind }) => kind === 'human' && id === person) ?? false;
}

function isSame(a: WebAuthor, b: WebAuthor): boolean {
  return a.id === b.id && a.kind === b.kind;
}
