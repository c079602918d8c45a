// From Slack's events to ours. Pure: whoever is named has been looked up before. A thread is a conversation of its own,
// whose id is the root's ts and whose parent is the channel. A message's id is its ts, unique in its channel.
import type { z } from 'zod';
import { type Author, type Conversation, EVENT_LIMITS } from '../../protocol/chat-event.ts';
import type { GlyphReaction, SourceEvent } from '../../protocol/source-event.ts';
import { glyphOfName } from './emoji.ts';
import {
  type Envelope,
  type SlackFile,
  type SlackMessage,
  changedEventSchema,
  deletedEventSchema,
  messageEventSchema,
  msOfTs,
  reactionEventSchema,
} from './payload.ts';
import { type NameOf, peopleIn, readText } from './read-text.ts';
import { keyIn } from './write.ts';

export const PLATFORM = 'slack';

/** Who a login of ours is. */
interface Self {
  user: string;
  bot?: string | undefined;
}

/** What the reader knows: our own logins, and who others are. */
export interface Known {
  team: string;
  /** The login that heard it. */
  self: Self;
  /** The other logins of this surface. */
  others?: readonly Self[];
  nameOf: NameOf;
  /** Epoch ms. */
  now: number;
}

export type Read =
  | { type: 'events'; events: (SourceEvent | GlyphReaction)[] }
  /** Nothing for the host. `what` names it for the count; an ordinary thing has no name. */
  | { type: 'ignored'; what?: string }
  | { type: 'malformed'; problem: string };

/** What comes later than this was not told as it happened: agents must not answer it as new. */
const LATE_MS = 120_000;

const IGNORED: Read = { type: 'ignored' };
/** Messages that people wrote. Slack has dozens of other subtypes, for joins, topics and the like. */
const SAID: ReadonlySet<string> = new Set(['file_share', 'thread_broadcast', 'bot_message', 'me_message']);
/** Ordinary subtypes that say nothing. Others are counted by name. */
const QUIET = /^(?:channel|group)_(?:join|leave|topic|purpose|name|archive|unarchive)$/;

export function readEvent({ event, event_id }: Envelope, known: Known): Read {
  switch (event.type) {
    case 'message':
      return readMessageEvent(event, known);
    case 'reaction_added':
    case 'reaction_removed':
      return readAs(reactionEventSchema, event, (reaction) => readReaction(reaction, event_id, known));
    // Every mention is told as a message too.
    case 'app_mention':
    case 'member_joined_channel':
    case 'member_left_channel':
      return IGNORED;
    default:
      return { type: 'ignored', what: event.type };
  }
}

function readMessageEvent(event: Envelope['event'], known: Known): Read {
  const subtype = event.subtype ?? '';
  if (subtype === 'message_changed')
    return readAs(changedEventSchema, event, (changed) => readChange(changed, known));
  if (subtype === 'message_deleted')
    return readAs(deletedEventSchema, event, (deleted) => readDelete(deleted, known));
  if (subtype !== '' && !SAID.has(subtype))
    return QUIET.test(subtype) ? IGNORED : { type: 'ignored', what: `message.${subtype}` };
  return readAs(messageEventSchema, event, (message) => {
    if (message.streaming_state === 'in_progress') return IGNORED; // told again when it is whole
    return { type: 'events', events: [readMessage(message, message.channel, known)] };
  });
}

function readAs<S extends z.ZodType>(schema: S, event: unknown, read: (value: z.infer<S>) => Read): Read {
  const parsed = schema.safeParse(event);
  if (parsed.success) return read(parsed.data);
  const [issue] = parsed.error.issues;
  return {
    type: 'malformed',
    problem: `event.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`,
  };
}

/** Whether somebody said it. A history has joins and the like among the messages. */
export function isSaid({ subtype, streaming_state }: SlackMessage): boolean {
  return (!subtype || SAID.has(subtype)) && streaming_state !== 'in_progress';
}

/** A message of the Events API or of a history. Our own posts are marked, so that the host knows them. */
export function readMessage(message: SlackMessage, channel: string, known: Known): SourceEvent {
  const { ts } = message;
  const said = saidIn(message, known);
  const key = isOwn(message, known) ? keyIn(message) : undefined;
  return {
    ...base(message.ts, msOfTs(ts), channel, message, known),
    author: authorOf(message, known),
    type: 'message',
    ...said,
    // Slack does not say whom a direct message is with: it is with our login.
    ...(channel.startsWith('D') && !isOwn(message, known) && { recipients: [known.self.user] }),
    ...(isOwn(message, known) && { platformId: ts }),
    ...(key !== undefined && { echoOf: key }),
  };
}

function readChange(event: z.infer<typeof changedEventSchema>, known: Known): Read {
  const { channel, message, previous_message: previous } = event;
  if (message.subtype === 'tombstone')
    return readDelete({ ...event, deleted_ts: message.ts, previous_message: previous }, known);
  if (message.streaming_state === 'in_progress' || isOwn(message, known)) return IGNORED;
  const edit = editOf(message, channel, known, event.event_ts ?? event.ts);
  // A stream of somebody else is a message once it is whole. Its first words were not handed over.
  if (message.streaming_state !== undefined && message.streaming_state !== null)
    return { type: 'events', events: [readMessage(message, channel, known), edit] };
  // Slack tells an unfurled link and a changed reaction count in the same way.
  if (previous !== undefined && previous !== null && wordsOf(previous) === wordsOf(message)) return IGNORED;
  return { type: 'events', events: [edit] };
}

/** The edit that made the message what it is. */
export function editOf(
  message: SlackMessage,
  channel: string,
  known: Known,
  toldAt?: string | null,
): SourceEvent {
  const at = toldAt ?? message.edited?.ts ?? message.ts;
  return {
    ...base(`${message.ts}:edited:${message.edited?.ts ?? at}`, msOfTs(at), channel, message, known),
    author: authorOf(message, known),
    type: 'edit',
    targetEventId: message.ts,
    ...saidIn(message, known),
  };
}

export function readDelete(event: z.infer<typeof deletedEventSchema>, known: Known): Read {
  const { channel, deleted_ts: target, previous_message: previous } = event;
  const at = event.event_ts ?? event.ts;
  const gone = previous ?? { ts: target };
  // Slack does not say who deleted it.
  const isKnown = previous?.user !== undefined && previous.user !== null && !isOwn(previous, known);
  const author: Author = isKnown ? authorOf(previous, known) : { id: 'slack', kind: 'system' };
  return {
    type: 'events',
    events: [
      {
        ...base(`${target}:deleted`, at ? msOfTs(at) : known.now, channel, gone, known),
        author,
        type: 'delete',
        targetEventId: target,
      },
    ],
  };
}

export function readReaction(
  { type, user, reaction, item, event_ts }: z.infer<typeof reactionEventSchema>,
  eventId: string | null | undefined,
  known: Known,
): Read {
  if (isOwn({ ts: item.ts, user }, known)) return IGNORED; // the host set it, and logged it then
  const at = event_ts === undefined || event_ts === null ? known.now : msOfTs(event_ts);
  const id = `${item.ts}:${reaction}:${user}:${event_ts ?? eventId ?? at}`;
  return {
    type: 'events',
    events: [
      {
        ...base(id, at, item.channel, { ts: item.ts }, known),
        author: authorOf({ ts: item.ts, user }, known),
        type: 'reaction',
        targetEventId: item.ts,
        glyph: glyphOfName(reaction),
        ...(type === 'reaction_removed' && { removed: true }),
      },
    ],
  };
}

function base(eventId: string, at: number, channel: string, message: SlackMessage, known: Known) {
  return {
    eventId,
    at,
    platform: PLATFORM,
    workspaceId: known.team,
    conversation: conversationOf(channel, message),
    ...(known.now - at > LATE_MS && { origin: 'gap' as const }),
  };
}

/** A direct message of two has an id with D. One of several is a channel. */
export function conversationOf(channel: string, { ts, thread_ts: root }: SlackMessage): Conversation {
  if (root !== undefined && root !== null && root !== ts)
    return { id: root, kind: 'thread', parentId: channel };
  return { id: channel, kind: channel.startsWith('D') ? 'dm' : 'channel' };
}

export function isOwn(message: SlackMessage, known: Known): boolean {
  return ownerOf(message, known) !== undefined;
}

/** The login of ours that wrote it. */
function ownerOf({ user, bot_id }: SlackMessage, { self, others = [] }: Known): Self | undefined {
  return [self, ...others].find(
    (one) => user === one.user || (one.bot !== undefined && one.bot !== null && bot_id === one.bot),
  );
}

/** An app with a user of its own is an agent. Hooks and the like, which have none, are the platform. */
function authorOf(message: SlackMessage, known: Known): Author {
  const { user, bot_id: bot, username, bot_profile } = message;
  const own = ownerOf(message, known);
  if (own !== undefined)
    return { id: own.user, kind: 'agent', ...named(username ?? known.nameOf(own.user)?.name) };
  if (user === undefined || user === null)
    return { id: bot ?? 'slack', kind: 'system', ...named(username ?? bot_profile?.name) };
  const person = known.nameOf(user);
  const isBot = person?.isBot === true || (bot !== undefined && bot !== null);
  const kind = user === 'USLACKBOT' ? 'system' : isBot ? 'agent' : 'human';
  return { id: user, kind, ...named(username ?? person?.name) };
}

function named(name: string | null | undefined): { displayName?: string } {
  return name ? { displayName: name.slice(0, EVENT_LIMITS.nameChars) } : {};
}

function saidIn(message: SlackMessage, { nameOf }: Known) {
  const { text, mentions } = readText(wordsOf(message), nameOf);
  const attachments = (message.files ?? []).slice(0, EVENT_LIMITS.attachments).map(attachmentOf);
  return {
    text: text.slice(0, EVENT_LIMITS.textChars),
    mentionsResolved: true as const,
    ...(mentions.length > 0 && { mentions }),
    ...(attachments.length > 0 && { attachments }),
  };
}

/** Apps often leave the text empty and say it in attachments. */
function wordsOf({ text, attachments }: SlackMessage): string {
  if (text) return text;
  return (attachments ?? []).flatMap((one) => one.fallback ?? one.text ?? []).join('\n');
}

const KINDS: readonly (readonly [prefix: string, kind: 'image' | 'audio' | 'video'])[] = [
  ['image/', 'image'],
  ['audio/', 'audio'],
  ['video/', 'video'],
];

function attachmentOf({ id, name, mimetype, size }: SlackFile) {
  const kind = KINDS.find(([prefix]) => mimetype?.startsWith(prefix))?.[1] ?? ('file' as const);
  return {
    id,
    kind,
    ...(name && { name: name.slice(0, EVENT_LIMITS.nameChars) }),
    ...(typeof size === 'number' && size >= 0 && { bytes: Math.floor(size) }),
  };
}

/** Everybody whose name is needed to read the event. */
export function peopleOf({ event }: Envelope): string[] {
  const { user, message, text } = event as { user?: unknown; message?: unknown; text?: unknown };
  const inner = (message ?? {}) as { user?: unknown; text?: unknown };
  const authors = [user, inner.user].filter((id): id is string => typeof id === 'string');
  const texts = [text, inner.text].filter((one): one is string => typeof one === 'string');
  return [...new Set([...authors, ...texts.flatMap(peopleIn)])];
}

/** The channel of an event: events of one channel are handed over in order. */
export function channelOf({ event }: Envelope): string {
  const { channel, item } = event as { channel?: unknown; item?: { channel?: unknown } };
  const found = channel ?? item?.channel;
  return typeof found === 'string' ? found : '';
}
