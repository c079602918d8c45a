// One message of a Discord export, in the form of DiscordChatExporter, as events: what was said, and the reactions.
import { z } from 'zod';
import {
  type Author,
  type ChatEvent,
  type Conversation,
  EVENT_LIMITS,
  type MessageEvent,
} from '../../protocol/chat-event.ts';
import { DEFAULT_GLYPHS, signalOfGlyph } from '../../protocol/glyphs.ts';
import type { Account } from './account.ts';
import { type DiscordNames, readDiscordText } from './discord-text.ts';

const PLATFORM = 'discord';

const id = z.string().min(1).max(64);
const name = z.string().nullish().catch(null);
const userSchema = z.object({
  id,
  name,
  nickname: name,
  discriminator: name,
  isBot: z.boolean().nullish().catch(null),
});
export type DiscordUser = z.infer<typeof userSchema>;

const messageSchema = z.object({
  id,
  type: z.string().max(64).catch('Default'),
  timestamp: z.iso.datetime({ offset: true }),
  timestampEdited: z.string().nullish().catch(null),
  content: z.string().catch(''),
  author: userSchema,
  attachments: z
    .array(z.object({ id, fileName: name, fileSizeBytes: z.number().nonnegative().nullish().catch(null) }))
    .nullish()
    .catch(null),
  /** Apps often say everything in these. */
  embeds: z
    .array(z.object({ title: name, description: name }))
    .nullish()
    .catch(null),
  reactions: z
    .array(
      z.object({
        emoji: z.object({ name: z.string(), code: name }),
        users: z.array(userSchema).nullish().catch(null),
        count: z.number().catch(1),
      }),
    )
    .nullish()
    .catch(null),
  mentions: z.array(userSchema).nullish().catch(null),
  reference: z.object({ messageId: id.nullish() }).nullish().catch(null),
});
export type DiscordMessage = z.infer<typeof messageSchema>;

export const channelFileSchema = z.object({
  guild: z.object({ id, name }),
  channel: z.object({ id, type: z.string(), name, categoryId: id.nullish().catch(null) }),
  messages: z.array(z.unknown()),
});

export interface ChannelFile {
  guild: { id: string };
  channel: z.infer<typeof channelFileSchema>['channel'];
  messages: readonly DiscordMessage[];
}

/** The messages that can be read. The others are counted. */
export function messagesIn(list: readonly unknown[], account: Account): DiscordMessage[] {
  return list.flatMap((one) => {
    const parsed = messageSchema.safeParse(one);
    if (parsed.success) return [parsed.data];
    account.add('malformed', parsed.error.issues[0]?.path.join('.').slice(0, 128) ?? '');
    return [];
  });
}

/** What people and apps say. The others are joins, pins, calls and the like. */
const SAID: ReadonlySet<string> = new Set(['Default', 'Reply', '20', '23', 'ChatInputCommand']);

export interface MessagePlace {
  workspaceId: string;
  conversation: Conversation;
  names: DiscordNames;
  /** Who wrote which message, for replies. */
  authors: Map<string, string>;
  account: Account;
}

/** The message first, then its reactions. Nothing for a notice. */
export function readDiscordMessage(raw: DiscordMessage, place: MessagePlace): ChatEvent[] {
  const { account, authors } = place;
  if (!SAID.has(raw.type)) {
    account.add('notices', raw.type);
    return [];
  }
  authors.set(raw.id, raw.author.id);
  if (raw.timestampEdited) account.add('edited', place.conversation.title ?? place.conversation.id);
  const message = saidIn(raw, place);
  return [message, ...reactionsOf(raw, message, place)];
}

function saidIn(
  raw: DiscordMessage,
  { workspaceId, conversation, names, authors }: MessagePlace,
): MessageEvent {
  const words =
    raw.content || (raw.embeds ?? []).flatMap((one) => one.description || one.title || []).join('\n');
  const { text, mentions } = readDiscordText(
    words,
    (raw.mentions ?? []).map((one) => one.id),
    names,
  );
  const attachments = (raw.attachments ?? []).slice(0, EVENT_LIMITS.attachments).map(attachmentOf);
  const target = raw.reference?.messageId;
  const targetAuthor = target ? authors.get(target) : undefined;
  return {
    type: 'message',
    eventId: raw.id,
    at: Date.parse(raw.timestamp),
    platform: PLATFORM,
    workspaceId,
    conversation,
    author: authorOf(raw.author, names),
    text,
    ...(mentions.length > 0 && { mentions }),
    ...(attachments.length > 0 && { attachments }),
    ...(target && {
      replyTo: { eventId: target, ...(targetAuthor !== undefined && { authorId: targetAuthor }) },
    }),
  };
}

/** An app with an account is an agent. A webhook has none: it is the platform. */
function authorOf({ id: author, discriminator, isBot }: DiscordUser, names: DiscordNames): Author {
  const kind = isBot !== true ? 'human' : discriminator === '0000' ? 'system' : 'agent';
  const shown = names.nameOf(author);
  return { id: author, kind, ...(shown !== undefined && { displayName: shown }) };
}

const KINDS: readonly (readonly [ending: RegExp, kind: 'image' | 'audio' | 'video'])[] = [
  [/\.(?:png|jpe?g|gif|webp|avif|svg)$/i, 'image'],
  [/\.(?:mp3|ogg|wav|m4a|flac)$/i, 'audio'],
  [/\.(?:mp4|mov|webm|mkv)$/i, 'video'],
];

function attachmentOf({
  id: file,
  fileName,
  fileSizeBytes,
}: NonNullable<DiscordMessage['attachments']>[number]) {
  const kind = KINDS.find(([ending]) => ending.test(fileName ?? ''))?.[1] ?? ('file' as const);
  return {
    id: file,
    kind,
    ...(fileName && { name: fileName.slice(0, EVENT_LIMITS.nameChars) }),
    ...(typeof fileSizeBytes === 'number' && { bytes: Math.floor(fileSizeBytes) }),
  };
}

function reactionsOf({ reactions }: DiscordMessage, target: MessageEvent, place: MessagePlace): ChatEvent[] {
  return (reactions ?? []).flatMap(({ emoji, users, count }) => {
    const signal = signalOfGlyph(DEFAULT_GLYPHS, emoji.name);
    const known = users ?? [];
    if (signal === undefined || known.length === 0) {
      for (let n = 0; n < Math.min(count, REACTIONS_MAX); n++)
        place.account.add('reactions', emoji.code || emoji.name);
      return [];
    }
    return known.map(
      (user): ChatEvent => ({
        type: 'reaction',
        eventId: `${target.eventId}:${emoji.name}:${user.id}`,
        at: target.at,
        platform: PLATFORM,
        workspaceId: place.workspaceId,
        conversation: place.conversation,
        author: authorOf(user, place.names),
        targetEventId: target.eventId,
        signal,
      }),
    );
  });
}

/** Of one glyph on one message. */
const REACTIONS_MAX = 10_000;
