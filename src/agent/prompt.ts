// Renders the prompt, in the draft's "Prompt Injection Format": header, then MESSAGE, plus a few sections of our own.
// Order: earlier messages, recent context, knocks, digests, the event, notices. What people wrote stands inside a
// fence; outside of it stand only the host's words and sanitized names. Pure.
import { displayName, headerWord, ID_SHOWN_CHARS, idShown } from '../protocol/identity.ts';
import { cutMessage } from './cut-message.ts';
import type { SeenEvent, TurnAttachment, TurnEvent } from './event.ts';
import { fenced, fencedEntries, readsLikeProtocol } from './fence.ts';
import { type Names, namesFor, NOBODY_KNOWN } from './names.ts';
import { cutEntries, type PromptBudget } from './prompt-budget.ts';
import { ALL_TOOLS, type ModelTools, noticeWords, noticesFor } from './rules.ts';

export type { PromptBudget } from './prompt-budget.ts';

export interface PromptInput {
  /** What the turn is about, in the order it was said. The answer goes to the last one. */
  events: readonly TurnEvent[];
  seen: readonly SeenEvent[];
  /** What was said before in the conversation. */
  history?: readonly SeenEvent[];
  /** Our own agent id, to mark our own words. */
  agent?: string;
  /** Who is called what. Without it, everybody by what their own event says. */
  names?: Names;
  /** The tools that the prompt may name. Without it, all. */
  tools?: ModelTools;
  knocks: readonly TurnEvent[];
  digests: readonly TurnEvent[];
}

/** What every section needs. */
interface Rendering {
  names: Names;
  tools: ModelTools;
  agent: string;
  fence: string;
  budget: PromptBudget;
}

const WORD_CHARS = ID_SHOWN_CHARS;
const KIND_CHARS = 16;
const TOPIC_CHARS = 120;
const READ = 'chat_read_thread';

/** The user turn. `fence` occurs in none of the texts (fence.ts). */
export function renderTurn(input: PromptInput, fence: string, budget: PromptBudget): string {
  const { agent = '', tools = ALL_TOOLS } = input;
  const names = input.names ?? namesFor(NOBODY_KNOWN, agent);
  const rendering: Rendering = { names, tools, agent, fence, budget };
  const { leadIn, context } = splitSeen(input);
  return [
    historySection(input, rendering),
    contextSection(context, input, rendering),
    ...knockSection(input.knocks, rendering),
    ...input.digests.map(
      (digest) => `DIGEST (nothing here asks for an answer)\n${fenced(digest.text, fence)}`,
    ),
    eventSection(input.events, leadIn, rendering),
    ...notices(input, context, tools),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

/**
 * The author's own lines just before the first event belong to it, if the host says that they were said to nobody.
 * Everything else is context, above all what was said to somebody else.
 */
export function splitSeen({ events, seen, agent = '' }: PromptInput): {
  leadIn: SeenEvent[];
  context: SeenEvent[];
} {
  const first = events[0];
  const known = new Set(events.flatMap(({ eventId, refersTo }) => [eventId, refersTo]));
  const others = seen.filter(({ eventId }) => !known.has(eventId));
  const leads = (line: SeenEvent): boolean => {
    if (first === undefined || line.author.id !== first.author.id || first.knock !== undefined) return false;
    return line.leadIn && line.to.every((who) => who === `agent:${agent}`);
  };
  return { leadIn: others.filter(leads), context: others.filter((line) => !leads(line)) };
}

/** What was said to the agent: its events in their order, each after the lines that led to it. */
export function saidToUs(
  leadIn: readonly SeenEvent[],
  events: readonly TurnEvent[],
): (SeenEvent | TurnEvent)[] {
  const waiting = leadIn.toSorted((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
  return events.flatMap((event, index) => {
    const isLast = index === events.length - 1;
    const at = isLast ? Number.POSITIVE_INFINITY : (event.createdAt ?? 0);
    const later = waiting.findIndex(({ createdAt = 0 }) => createdAt > at);
    return [...waiting.splice(0, later < 0 ? waiting.length : later), event];
  });
}

/** Leaves out what the context shows already. */
function historySection({ history = [], seen }: PromptInput, rendering: Rendering): string {
  const shown = new Set(seen.map(({ eventId }) => eventId));
  const entries = history
    .filter(({ eventId }) => !shown.has(eventId))
    .map((line) => entryOf(line, rendering));
  const { kept } = cutEntries(entries, rendering.budget);
  return kept.length === 0 ? '' : `EARLIER HERE (for reference)\n${fencedEntries(kept, rendering.fence)}`;
}

function entryOf(line: SeenEvent, { names, agent }: Rendering): { by: string; text: string } {
  const to = line.to.map((who) => (who === `agent:${agent}` ? 'you' : names.ofIdentity(who)));
  const whom = to.length === 0 ? '' : `to ${to.join(', ')}`;
  return {
    by: [timeOf(line.createdAt), names.of(line.author), whom].filter((part) => part !== '').join(' '),
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
  rendering: Rendering,
): string {
  if (context.length === 0) return '';
  const entries = context.map((line) => entryOf(line, rendering));
  const { kept, leftOut } = cutEntries(entries, rendering.budget);
  const target = headerWord(events[0]?.conversation.target ?? '', WORD_CHARS);
  const cut = leftOut === 0 ? '' : `\nCUT: ${leftOut} older lines left out.`;
  const read = cut === '' || !rendering.tools.has(READ) ? '' : ` Read them with ${READ}, target ${target}.`;
  return `RECENT CONTEXT (not addressed to you)\n${fencedEntries(kept, rendering.fence)}${cut}${read}`;
}

function eventSection(
  events: readonly TurnEvent[],
  leadIn: readonly SeenEvent[],
  rendering: Rendering,
): string {
  const { fence, budget, tools } = rendering;
  const last = events.at(-1);
  if (last === undefined) return '';
  const header = `C2A EVENT\n${headerLines(events, last, rendering.names).join('\n')}`;
  if (last.knock !== undefined)
    return [
      header,
      `KNOCK\n${knockLines(last, rendering).join('\n')}`,
      unanswered(last, rendering),
      owed(last, rendering),
    ]
      .filter(Boolean)
      .join('\n\n');
  const said = saidToUs(leadIn, events);
  const { text, cut } = cutMessage(said, budget, tools.has(READ) ? READ : undefined);
  return [
    header,
    `MESSAGE\n${fenced(text, fence)}${cut === '' ? '' : `\nCUT: ${cut}`}`,
    attachmentLines(
      said.flatMap((event) => event.attachments),
      tools,
    ),
    unseen(last, fence),
    owed(last, rendering),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

function headerLines(events: readonly TurnEvent[], last: TurnEvent, names: Names): string[] {
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
    ['author', names.of(author)],
    ['author_id', idShown(author.kind, author.id, WORD_CHARS)],
    ['said_at', last.createdAt === undefined ? undefined : timeOf(last.createdAt)],
    ['directedness', last.directedness],
    ['response_policy', strongest(events)],
    ['reason', (events.findLast(({ reason }) => reason !== 'fragment') ?? last).reason],
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

function knockSection(knocks: readonly TurnEvent[], rendering: Rendering): string[] {
  if (knocks.length === 0) return [];
  const lines = knocks.map(
    (knock) =>
      `- ${[`event_id: ${headerWord(knock.eventId, WORD_CHARS)}`, ...knockLines(knock, rendering)].join(' | ')}`,
  );
  return [`KNOCKS (messages withheld; nothing to do unless you mean to act)\n${lines.join('\n')}`];
}

function knockLines(
  { knock, directedness, policy, priority }: TurnEvent,
  { names, tools }: Rendering,
): string[] {
  if (knock === undefined) return [];
  const pullWith = knock.pullWith.replace('.', '_');
  return [
    `from: ${names.ofIdentity(knock.from, knock.name)}`,
    `where: ${headerWord(knock.where, WORD_CHARS)}`,
    `directedness: ${directedness}`,
    `policy: ${policy}`,
    `priority: ${priority}`,
    `topic: ${displayName(knock.topic, TOPIC_CHARS)}`,
    ...(tools.has(pullWith) ? [`pull_with: ${pullWith}`] : []),
  ];
}

/** The default action is the author's own text, so it stands inside the fence. */
function owed({ obligation, escalation }: TurnEvent, rendering: Rendering): string {
  if (obligation === undefined) return '';
  if (escalation !== undefined) return escalated(escalation, rendering);
  return `OBLIGATION\nblocks: ${obligation.blocks}\nIf nobody answers, the author will:\n${fenced(obligation.defaultAction, rendering.fence)}`;
}

/** The list of an escalation: whose question, how bad, and what its author does without an answer. */
function escalated(
  { blockedOn, items }: NonNullable<TurnEvent['escalation']>,
  { names, fence }: Rendering,
): string {
  const entries = items.map(({ eventId, author, blocks, defaultAction }) => ({
    by: [headerWord(eventId, WORD_CHARS), names.ofIdentity(author), headerWord(blocks, WORD_CHARS)].join(' '),
    text: defaultAction,
  }));
  return `OBLIGATION\nescalated_from: ${names.ofIdentity(blockedOn)}\nYou are asked now, because they do not answer. Questions that wait, and what each author will do if nobody answers:\n${fencedEntries(entries, fence)}`;
}

/** The error comes from a program that read the chat, so it stands inside the fence. */
function unanswered({ unanswered: left }: TurnEvent, { names, fence }: Rendering): string {
  if (left === undefined) return '';
  const said = `UNANSWERED\nby: ${names.ofIdentity(left.by)}\nwhy: ${headerWord(left.why, WORD_CHARS)}`;
  return left.error === undefined ? said : `${said}\nIts last error:\n${fenced(left.error, fence)}`;
}

/** The reason was written by a person, so it stands inside the fence. */
function unseen({ notShown }: TurnEvent, fence: string): string {
  if (notShown?.reason === undefined) return '';
  return `NOT POSTED\nwhy: ${headerWord(notShown.why, WORD_CHARS)}\nThe reason given:\n${fenced(notShown.reason, fence)}`;
}

function attachmentLines(attachments: readonly TurnAttachment[], tools: ModelTools): string {
  if (attachments.length === 0) return '';
  const lines = attachments.map(({ id, kind, name, bytes }) => {
    const named = displayName(name ?? '');
    const shown = readsLikeProtocol(named) ? '' : named;
    const size = bytes === undefined ? '' : `, ${bytes} bytes`;
    return `- ${headerWord(kind, KIND_CHARS)} ${headerWord(id, WORD_CHARS)}${shown === '' ? '' : ` (${shown})`}${size}`;
  });
  const how = tools.has('chat_read_attachment')
    ? 'references; chat_read_attachment reads one'
    : 'references; you cannot open them';
  return `ATTACHMENTS (${how})\n${lines.join('\n')}`;
}

function notices({ events }: PromptInput, context: readonly SeenEvent[], tools: ModelTools): string[] {
  const last = events.at(-1);
  const names = new Set(events.flatMap((event) => event.notices));
  if (events.some((event) => event.requiresThreadCheck)) names.add('thread_check');
  const at = last?.createdAt;
  if (at !== undefined && context.some(({ createdAt }) => createdAt !== undefined && createdAt > at))
    names.add('anchor');
  return noticesFor(names).map((name) => `HOST NOTICE (not from a person): ${noticeWords(name, tools)}`);
}

function timeOf(createdAt: number | undefined): string {
  return createdAt === undefined ? '' : new Date(createdAt).toISOString().slice(0, 16) + 'Z';
}
