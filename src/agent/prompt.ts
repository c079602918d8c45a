// Renders the prompt, in the draft's "Prompt Injection Format": header, then MESSAGE, plus a few sections of our own.
// Order: earlier messages, recent context, knocks, digests, the event, notices. What people wrote stands inside a
// fence; outside of it stand only the host's words and sanitized names. Pure.
import { displayName, headerWord, identity } from '../protocol/identity.ts';
import type { SeenEvent, TurnAttachment, TurnAuthor, TurnEvent } from './event.ts';
import { fenced, fencedEntries } from './fence.ts';
import { LEAD_IN_MS } from './limits.ts';
import { NOTICE_WORDS, noticesFor } from './rules.ts';

export interface PromptInput {
  /** What the turn is about, in the order it was said. The answer goes to the last one. */
  events: readonly TurnEvent[];
  seen: readonly SeenEvent[];
  /** What was said before in the conversation. */
  history?: readonly SeenEvent[];
  /** Our own agent id, to mark our own words. */
  agent?: string;
  knocks: readonly TurnEvent[];
  digests: readonly TurnEvent[];
}

const WORD_CHARS = 320;
const KIND_CHARS = 16;
const TOPIC_CHARS = 120;

/** The user turn. `fence` occurs in none of the texts (fence.ts). */
export function renderTurn(input: PromptInput, fence: string, budget: PromptBudget): string {
  const { leadIn, context } = splitSeen(input);
  return [
    historySection(input, fence, budget),
    contextSection(context, input, fence, budget),
    ...knockSection(input.knocks),
    ...input.digests.map(
      (digest) => `DIGEST (nothing here asks for an answer)\n${fenced(digest.text, fence)}`,
    ),
    eventSection(input.events, leadIn, fence, budget),
    ...notices(input, context),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

/** The author's own lines just before the first event belong to it. Everything else is context. */
export function splitSeen({ events, seen }: PromptInput): { leadIn: SeenEvent[]; context: SeenEvent[] } {
  const first = events[0];
  const known = new Set(events.flatMap(({ eventId, refersTo }) => [eventId, refersTo]));
  const others = seen.filter(({ eventId }) => !known.has(eventId));
  const leads = (line: SeenEvent): boolean => {
    if (first === undefined || line.author.id !== first.author.id || first.knock !== undefined) return false;
    if (line.leadIn) return true;
    const [said, at] = [line.createdAt, first.createdAt];
    return said !== undefined && at !== undefined && said <= at && at - said <= LEAD_IN_MS;
  };
  return { leadIn: others.filter(leads), context: others.filter((line) => !leads(line)) };
}

/** Leaves out what the context shows already. */
function historySection(
  { history = [], seen, agent }: PromptInput,
  fence: string,
  budget: PromptBudget,
): string {
  const shown = new Set(seen.map(({ eventId }) => eventId));
  const entries = history.filter(({ eventId }) => !shown.has(eventId)).map((line) => entryOf(line, agent));
  const { kept } = cutEntries(entries, budget);
  return kept.length === 0 ? '' : `EARLIER HERE (for reference)\n${fencedEntries(kept, fence)}`;
}

function entryOf(line: SeenEvent, agent?: string): { by: string; text: string } {
  const { kind, id } = line.author;
  const who = agent !== undefined && kind === 'agent' && id === agent ? 'you' : nameOf(line.author);
  return {
    by: [timeOf(line.createdAt), who].filter((part) => part !== '').join(' '),
    text: [line.text, ...line.attachments.map(attached)].filter((part) => part !== '').join(' '),
  };
}

/** Shows the id, so that the model can ask for the attachment. */
function attached({ kind, id }: TurnAttachment): string {
  return `(${headerWord(kind, KIND_CHARS)} ${headerWord(id, WORD_CHARS)})`;
}

function contextSection(
  context: readonly SeenEvent[],
  { events }: PromptInput,
  fence: string,
  budget: PromptBudget,
): string {
  if (context.length === 0) return '';
  const entries = context.map((line) => entryOf(line));
  const { kept, leftOut } = cutEntries(entries, budget);
  const target = headerWord(events[0]?.conversation.target ?? '', WORD_CHARS);
  const cut =
    leftOut === 0
      ? ''
      : `\nCUT: ${leftOut} older lines left out. Read them with chat_read_thread, target ${target}.`;
  return `RECENT CONTEXT (not addressed to you)\n${fencedEntries(kept, fence)}${cut}`;
}

function eventSection(
  events: readonly TurnEvent[],
  leadIn: readonly SeenEvent[],
  fence: string,
  budget: PromptBudget,
): string {
  const last = events.at(-1);
  if (last === undefined) return '';
  const header = `C2A EVENT\n${headerLines(events, last).join('\n')}`;
  if (last.knock !== undefined)
    return [header, `KNOCK\n${knockLines(last).join('\n')}`, owed(last, fence)].filter(Boolean).join('\n\n');
  const whole = [...leadIn, ...events]
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n');
  const { text, cut } = cutText(whole, budget);
  const attachments = [...leadIn, ...events].flatMap((event) => event.attachments);
  return [
    header,
    `MESSAGE\n${fenced(text, fence)}${cut === '' ? '' : `\nCUT: ${cut} Read the rest with chat_read_thread, inReplyTo ${headerWord(last.eventId, WORD_CHARS)}.`}`,
    attachmentLines(attachments),
    unseen(last, fence),
    owed(last, fence),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

function headerLines(events: readonly TurnEvent[], last: TurnEvent): string[] {
  const { conversation, author } = last;
  const fields: [name: string, value: string | undefined][] = [
    ['event_id', last.eventId],
    [
      'fragments',
      events.length > 1 ? events.map(({ eventId }) => headerWord(eventId, WORD_CHARS)).join(' ') : undefined,
    ],
    ['conversation', `${conversation.kind} ${headerWord(conversation.id, WORD_CHARS)}`],
    ['thread', conversation.threadId],
    ['stream', conversation.streamId],
    ['author', nameOf(author)],
    ['author_id', headerWord(author.id, WORD_CHARS)],
    ['directedness', last.directedness],
    ['response_policy', strongest(events)],
    ['reason', last.reason],
    ['priority', events.some(({ priority }) => priority === 'urgent') ? 'urgent' : undefined],
    ['attempt', last.attempt > 1 ? String(last.attempt) : undefined],
    ['refers_to', last.refersTo],
    ['reaction', last.reaction?.signal],
    ['reaction_on', last.reaction?.targetEventId],
    ['reply_target', conversation.target],
  ];
  return fields.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${fieldValue(name, value)}`],
  );
}

/** These fields have several words, each of which was sanitized before they were joined. */
const JOINED = new Set(['conversation', 'fragments', 'author']);

function fieldValue(name: string, value: string): string {
  return JOINED.has(name) ? value : headerWord(value, WORD_CHARS);
}

const STRENGTH = ['must_respond', 'may_respond', 'ack_only', 'must_not_respond'] as const;

export function strongest(events: readonly Pick<TurnEvent, 'policy'>[]): TurnEvent['policy'] {
  return STRENGTH.find((policy) => events.some((event) => event.policy === policy)) ?? 'must_not_respond';
}

function knockSection(knocks: readonly TurnEvent[]): string[] {
  if (knocks.length === 0) return [];
  const lines = knocks.map(
    (knock) =>
      `- ${[`event_id: ${headerWord(knock.eventId, WORD_CHARS)}`, ...knockLines(knock)].join(' | ')}`,
  );
  return [`KNOCKS (messages withheld; nothing to do unless you mean to act)\n${lines.join('\n')}`];
}

function knockLines({ knock, directedness, policy, priority }: TurnEvent): string[] {
  if (knock === undefined) return [];
  const name = displayName(knock.name ?? '');
  return [
    `from: ${headerWord(knock.from, WORD_CHARS)}${name === '' ? '' : ` (${name})`}`,
    `where: ${headerWord(knock.where, WORD_CHARS)}`,
    `directedness: ${directedness}`,
    `policy: ${policy}`,
    `priority: ${priority}`,
    `topic: ${displayName(knock.topic, TOPIC_CHARS)}`,
    `pull_with: ${knock.pullWith.replace('.', '_')}`,
  ];
}

/** The default action is the author's own text, so it stands inside the fence. */
function owed({ obligation, escalation }: TurnEvent, fence: string): string {
  if (obligation === undefined) return '';
  if (escalation !== undefined) return escalated(escalation, fence);
  return `OBLIGATION\nblocks: ${obligation.blocks}\nIf nobody answers, the author will:\n${fenced(obligation.defaultAction, fence)}`;
}

/** The list of an escalation: whose question, how bad, and what its author does without an answer. */
function escalated({ blockedOn, items }: NonNullable<TurnEvent['escalation']>, fence: string): string {
  const entries = items.map(({ eventId, author, blocks, defaultAction }) => ({
    by: [eventId, author, blocks].map((word) => headerWord(word, WORD_CHARS)).join(' '),
    text: defaultAction,
  }));
  return `OBLIGATION\nescalated_from: ${headerWord(blockedOn, WORD_CHARS)}\nYou are asked now, because they do not answer. Questions that wait, and what each author will do if nobody answers:\n${fencedEntries(entries, fence)}`;
}

/** The reason was written by a person, so it stands inside the fence. */
function unseen({ notShown }: TurnEvent, fence: string): string {
  if (notShown?.reason === undefined) return '';
  return `NOT POSTED\nwhy: ${headerWord(notShown.why, WORD_CHARS)}\nThe reason given:\n${fenced(notShown.reason, fence)}`;
}

function attachmentLines(attachments: readonly TurnAttachment[]): string {
  if (attachments.length === 0) return '';
  const lines = attachments.map(({ id, kind, name, bytes }) => {
    const shown = displayName(name ?? '');
    const size = bytes === undefined ? '' : `, ${bytes} bytes`;
    return `- ${headerWord(kind, KIND_CHARS)} ${headerWord(id, WORD_CHARS)}${shown === '' ? '' : ` (${shown})`}${size}`;
  });
  return `ATTACHMENTS (references; chat_read_attachment reads one)\n${lines.join('\n')}`;
}

function notices({ events }: PromptInput, context: readonly SeenEvent[]): string[] {
  const last = events.at(-1);
  const names = new Set(events.flatMap((event) => event.notices));
  if (events.some((event) => event.requiresThreadCheck)) names.add('thread_check');
  const at = last?.createdAt;
  if (at !== undefined && context.some(({ createdAt }) => createdAt !== undefined && createdAt > at))
    names.add('anchor');
  return noticesFor(names).map((name) => `HOST NOTICE (not from a person): ${NOTICE_WORDS[name]}`);
}

function nameOf({ kind, id, displayName: name }: TurnAuthor): string {
  const shown = displayName(name ?? '');
  return shown === '' ? headerWord(identity(kind, id), WORD_CHARS) : `${kind}:${shown}`;
}

function timeOf(createdAt: number | undefined): string {
  return createdAt === undefined ? '' : new Date(createdAt).toISOString().slice(0, 16) + 'Z';
}

/** The size limits of one prompt. What does not fit is cut between code points, and the prompt says how much. */
export interface PromptBudget {
  messageChars: number;
  contextChars: number;
  contextLineChars: number;
}

/** Keeps two thirds from the beginning and one from the end, because people put the question first or last. */
function cutText(text: string, { messageChars }: PromptBudget): { text: string; cut: string } {
  if (text.length <= messageChars) return { text, cut: '' };
  const points = Array.from(text);
  if (points.length <= messageChars) return { text, cut: '' };
  const tail = Math.floor(messageChars / 3);
  const head = messageChars - tail;
  return {
    text: `${points.slice(0, head).join('')}\n[…]\n${points.slice(points.length - tail).join('')}`,
    cut: `${points.length - messageChars} of ${points.length} characters in the middle left out ("[…]").`,
  };
}

interface PromptLine {
  by: string;
  text: string;
}

/** Keeps the newest lines that fit. Each line is cut on its own. */
function cutEntries(
  entries: readonly PromptLine[],
  { contextChars, contextLineChars }: PromptBudget,
): { kept: PromptLine[]; leftOut: number } {
  const kept: PromptLine[] = [];
  let left = contextChars;
  for (const entry of entries.toReversed()) {
    const points = Array.from(entry.text);
    const text =
      points.length <= contextLineChars ? entry.text : `${points.slice(0, contextLineChars).join('')}…`;
    const size = Math.min(points.length, contextLineChars + 1);
    if (size > left) break;
    left -= size;
    kept.unshift({ ...entry, text });
  }
  return { kept, leftOut: entries.length - kept.length };
}
