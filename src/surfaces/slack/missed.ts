// What a history shows of a time in which nobody listened: messages, edits of earlier ones, roots that were deleted, and
// reactions to what was missed. Their ids are those that Slack's events have, so what was heard after all is a repeat.
// A history does not say when somebody reacted, and a deleted message is simply not there.
import type { SlackMessage } from './payload.ts';
import { msOfTs } from './payload.ts';
import { type Known, editOf, isOwn, isSaid, readDelete, readMessage, readReaction } from './read-event.ts';
import type { Handed } from '../hand-over.ts';

export interface Missing {
  channel: string;
  /** Epoch ms. From then on everything is handed over. */
  since: number;
  /** Epoch ms. Until then the host has heard of the conversation. */
  heardUntil: number;
}

export function missedIn(
  messages: readonly SlackMessage[],
  { channel, since, heardUntil }: Missing,
  known: Known,
): Handed[] {
  const events = messages.flatMap((message): Handed[] => {
    if (message.subtype === 'tombstone') return deleted(message, channel, known);
    if (!isSaid(message)) return [];
    const at = msOfTs(message.ts);
    return [
      ...(at >= since ? [readMessage(message, channel, known)] : []),
      ...(isEditedSince(message, since) && !isOwn(message, known) ? [editOf(message, channel, known)] : []),
      ...(at > heardUntil ? reactionsTo(message, channel, known) : []),
    ];
  });
  return events.map((event) => ({ ...event, origin: 'gap' as const }));
}

function isEditedSince({ edited }: SlackMessage, since: number): boolean {
  return edited !== undefined && edited !== null && msOfTs(edited.ts) >= since;
}

function deleted({ ts, thread_ts }: SlackMessage, channel: string, known: Known): Handed[] {
  const previous = { ts, thread_ts };
  const read = readDelete({ channel, deleted_ts: ts, previous_message: previous }, known);
  return read.type === 'events' ? read.events : [];
}

function reactionsTo({ ts, reactions }: SlackMessage, channel: string, known: Known): Handed[] {
  return (reactions ?? []).flatMap(({ name, users }) =>
    users.flatMap((user) => {
      const reaction = { type: 'reaction_added' as const, user, reaction: name, item: { channel, ts } };
      const read = readReaction(reaction, 'missed', known);
      return read.type === 'events' ? read.events : [];
    }),
  );
}
