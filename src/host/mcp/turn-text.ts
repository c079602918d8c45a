// A turn as a model over MCP reads it: who wrote what and where, what was said before that it has not seen, and how to
// answer. It is prompt-ready, so no further call is needed. What people wrote stands as one JSON string on a line of
// its own, so that no text can look like a line of the host.
import { displayName, headerWord } from '../../protocol/identity.ts';
import type { SeenLine, StartedTurn } from './host-port.ts';
import type { ShortEvent } from '../../protocol/short-event.ts';
import { WIRE_LIMITS } from '../../protocol/wire-fields.ts';

export interface TurnText {
  /** Handed over and to be left alone: digests, reactions, what somebody else was told. */
  news: readonly ShortEvent[];
  /** What is to be dealt with. A client that is not woken gets one at a time. */
  events: readonly ShortEvent[];
  started: StartedTurn | undefined;
  /** True for a client that is woken and need not wait. */
  woken: boolean;
}

export function turnText({ news, events, started, woken }: TurnText): string {
  const seen = started?.seen ?? [];
  const sections = [
    ...roomLine(started),
    ...(seen.length === 0
      ? []
      : [['CONTEXT, said before and not to you:', ...seen.map(seenLine)].join('\n')]),
    ...news.map((one) => `NEWS, nothing to answer: ${header(one)}\n${body(one)}`),
    ...events.map((event) => `EVENT ${header(event)}\n${body(event)}`),
    ...events.slice(0, 1).map((event) => howToAnswer(event, events.length, woken)),
  ];
  return sections.join('\n\n');
}

/** A room of the agent and one person needs no list. */
const ALONE = 2;

function roomLine(started: StartedTurn | undefined): string[] {
  const { participants = [], moreParticipants = 0 } = started ?? {};
  if (participants.length <= ALONE) return [];
  const more = moreParticipants === 0 ? '' : ` and ${moreParticipants} more`;
  return [`ROOM ${participants.map(who).join(', ')}${more}`];
}

export function nothingCame(waitedMs: number, channel: boolean): string {
  if (channel) return 'Nothing waits for you. A knock tells you of what comes.';
  const after = waitedMs === 0 ? '' : ` in ${Math.round(waitedMs / 1_000)} s`;
  return `Nothing came${after}. Call chat_wait_events again to go on waiting.`;
}

export function placeOfEvent({ conversation: { kind, id } }: Pick<ShortEvent, 'conversation'>): string {
  return `${kind}:${id}`;
}

function header(event: ShortEvent): string {
  const { eventId, author, policy, addressedToMe, notices = [], refersTo } = event;
  const facts = [
    word(eventId),
    `from ${who(author)} in ${word(placeOfEvent(event))}`,
    `response_policy ${policy}`,
    ...(addressedToMe ? ['to you'] : []),
    ...(refersTo === undefined ? [] : [`about ${word(refersTo)}`]),
    ...notices.map((notice) => word(notice)),
  ];
  return facts.join(', ');
}

function body(event: ShortEvent): string {
  const { content, attachments = [], reaction, knock, notShown, requiresThreadCheck } = event;
  const lines = [
    ...(content === undefined ? [] : [JSON.stringify(content)]),
    ...(knock === undefined
      ? []
      : ['The text is withheld: read it with chat_read_thread, if it concerns you.']),
    ...(reaction === undefined ? [] : [`reaction ${JSON.stringify(reaction)}`]),
    ...attachments.map(attachment),
    ...(notShown === undefined ? [] : [`Your answer was not shown: ${JSON.stringify(notShown)}`]),
    ...(requiresThreadCheck === true ? ['Look at the thread first: it may be answered already.'] : []),
  ];
  return lines.join('\n');
}

function attachment({ kind, id, name = '', bytes }: NonNullable<ShortEvent['attachments']>[number]): string {
  const shown = displayName(name);
  const size = bytes === undefined ? '' : `, ${bytes} bytes`;
  return `attachment ${kind} ${word(id)}${shown === '' ? '' : ` (${shown})`}${size}`;
}

function howToAnswer({ policy, notices = [] }: ShortEvent, count: number, woken: boolean): string {
  if (count > 1) return 'Answer each with chat_send_message, inReplyTo its id and text.';
  if (notices.includes('claim_first')) return 'It is offered to your role: chat_claim takes it, then answer.';
  if (woken) return 'Answer with chat_send_message {"text": "…"}.';
  const answer = 'Answer with chat_wait_events {"reply": "…"}, which also waits for the next turn.';
  return policy === 'must_respond' ? answer : `${answer} Without reply you stay silent, which is fine here.`;
}

function seenLine({ author, content, to }: SeenLine): string {
  const text = content.flatMap((part) => part.text ?? []).join('\n');
  const whom = to === undefined ? '' : ` (to ${to.map(word).join(', ')})`;
  return `${who(author)}${whom}: ${JSON.stringify(text)}`;
}

function who({ kind, id, displayName: name }: SeenLine['author']): string {
  const key = word(`${kind}:${id}`);
  return name === undefined ? key : `${displayName(name)} (${key})`;
}

function word(text: string): string {
  return headerWord(text, WIRE_LIMITS.idChars);
}
