// The web chat's wire: JSON-RPC 2.0 over one WebSocket a tab, at `/web`. A browser cannot set headers, so the token
// comes in the first request, `hello`; before it nothing else is answered. Whatever is not in these two tables does not
// exist. How a tab comes back after a lost connection is told at `hello`.
import { z } from 'zod';
import { AUTHOR_KINDS, SIGNALS } from './vocabulary.ts';
import { count, timestamp, wireId } from './wire-fields.ts';

/** Every bound of this wire. Beyond one of a request the answer is `invalid_params` with the field's name. */
export const WEB_CHAT_LIMITS = {
  /** A longer frame closes the connection (4413). */
  frameBytes: 1_048_576,
  tokenChars: 256,
  keyChars: 64,
  textChars: 16_000,
  nameChars: 64,
  /** Messages in one answer of `open`, and its bytes: fewer messages come where they are long. */
  pageMessages: 100,
  pageBytes: 524_288,
  /** In `hello`, those with the newest messages first; older ones are still opened by their id. */
  channelsListed: 500,
  threadsListed: 200,
  peopleListed: 1_000,
  /** More unread messages than this are told as this many. */
  unread: 100,
  /** Messages one connection may have missed and is still told of one by one. */
  resumeRows: 500,
  /** A connection has so long for `hello`, and is closed when nothing came for so long. `ping` keeps it. */
  helloMs: 10_000,
  silentMs: 60_000,
  /** A typing sign fades by itself after this; repeats within `typingEveryMs` are not passed on. */
  typingMs: 8_000,
  typingEveryMs: 2_000,
} as const;

const id = wireId;
/** Where the store's log was, opaque. Grows; only to be handed back. */
const position = z.string().regex(/^\d{1,15}$/, 'expected a position that the host has told');
/** Chosen by the page, new for every act: the same key again is the same act, done once. */
const key = z.string().min(1).max(WEB_CHAT_LIMITS.keyChars);
const text = z
  .string()
  .max(WEB_CHAT_LIMITS.textChars)
  .refine((value) => value.trim() !== '', 'write something');

export const webPersonSchema = z.object({
  id,
  name: z.string(),
  /** Has a tab open. */
  connected: z.boolean(),
});
export type WebPerson = z.infer<typeof webPersonSchema>;

export const webAgentSchema = z.object({
  id,
  name: z.string(),
  aliases: z.array(z.string()),
  roles: z.array(z.string()),
  /** Its harness has a session. */
  connected: z.boolean(),
});
export type WebAgent = z.infer<typeof webAgentSchema>;

export const webConversationSchema = z.object({
  /** A thread's id is the eventId of the message it hangs on. */
  id,
  kind: z.enum(['channel', 'dm', 'thread']),
  /** A channel's name without `#`, the other party's name, the first words of a thread's root. */
  title: z.string(),
  /** A thread's channel. */
  parentId: id.optional(),
  /** A direct message's two parties: `human:ada`, `agent:lead`. */
  members: z.array(id).optional(),
  /** Agents that hear what is said here. */
  agents: z.array(id),
  lastAt: timestamp.optional(),
  /** Messages by others since the newest one that `read` named, on channels and direct messages. */
  unread: count.optional(),
});
export type WebConversation = z.infer<typeof webConversationSchema>;

export const webAuthorSchema = z.object({ id, kind: z.enum(AUTHOR_KINDS), name: z.string() });
export type WebAuthor = z.infer<typeof webAuthorSchema>;

/** As resolved when it was sent: what is not in the list is plain text, whatever it looks like. */
export const webMentionSchema = z.object({
  kind: z.enum(['agent', 'human', 'role', 'broadcast']),
  id,
  name: z.string(),
});
export type WebMention = z.infer<typeof webMentionSchema>;

export const webReactionSchema = z.object({
  signal: z.enum(SIGNALS),
  glyph: z.string(),
  by: z.array(webAuthorSchema),
});
export type WebReaction = z.infer<typeof webReactionSchema>;

/**
 * What one agent does with one message, in public terms. `queued`: it is to hear of it and has not yet, as when it is
 * not connected. `delivered`: it has it. `working`: it thinks about it. `claimed`: it has taken it, others stay out.
 * `deferred`: it has put it off. `answered`, `acknowledged`, `not_answered`: how it ended. Agents that merely overhear
 * are not listed.
 */
export const WEB_STATES = [
  'queued',
  'delivered',
  'working',
  'claimed',
  'deferred',
  'answered',
  'acknowledged',
  'not_answered',
] as const;
export const webStateSchema = z.object({
  agent: id,
  state: z.enum(WEB_STATES),
  /** When a claim or a deferral lapses. */
  until: timestamp.optional(),
});
export type WebState = z.infer<typeof webStateSchema>;

export const webMessageSchema = z.object({
  eventId: id,
  conversation: id,
  author: webAuthorSchema,
  /** Secrets are cut out for everybody. Empty when deleted. */
  text: z.string(),
  at: timestamp,
  editedAt: timestamp.optional(),
  deleted: z.boolean().optional(),
  /** Native reply. `author` and `excerpt` while the message it answers is at hand. */
  replyTo: z
    .object({ eventId: id, author: webAuthorSchema.optional(), excerpt: z.string().optional() })
    .optional(),
  mentions: z.array(webMentionSchema),
  reactions: z.array(webReactionSchema),
  /** The thread that hangs on it, once somebody has written there. */
  thread: z.object({ conversation: id, replies: count, lastAt: timestamp }).optional(),
  states: z.array(webStateSchema),
});
export type WebMessage = z.infer<typeof webMessageSchema>;

const written = z.object({ eventId: id });

/** What a tab asks. Every write names a `key`; a repeat of it is answered as the first was. */
export const WEB_CHAT_METHODS = {
  /**
   * Signs in; once a connection. Reconnecting: `resumeFrom` is the newest `position` the tab has been told. Then either
   * `resumed` is true and every `message`, `edited`, `deleted`, `reaction` and `conversation` it has missed follows this
   * answer, in order, each once, before anything newer; or it is false, too much has happened, and the tab drops what it
   * shows and opens it again. Without `resumeFrom` it is false. `typing`, `presence` and `state` are not repeated: the
   * first two are in this answer or fade, for `state` call `open` on what is on the screen. A notification about a
   * message the tab has already replaces what it has.
   */
  hello: {
    params: z.object({ token: z.string().max(WEB_CHAT_LIMITS.tokenChars), resumeFrom: position.optional() }),
    result: z.object({
      me: webPersonSchema,
      /** Changes when the host restarts. */
      instance: z.string(),
      position,
      resumed: z.boolean(),
      people: z.array(webPersonSchema),
      agents: z.array(webAgentSchema),
      roles: z.array(z.object({ name: z.string(), agents: z.array(id) })),
      /** What may follow an @ and means everybody. */
      broadcasts: z.array(z.string()),
      signals: z.array(z.object({ signal: z.enum(SIGNALS), glyph: z.string() })),
      conversations: z.array(webConversationSchema),
    }),
  },
  ping: { params: z.object({}), result: z.object({}) },
  /** A page of messages, newest last: the newest, or those before the message named. */
  open: {
    params: z.object({
      conversation: id,
      before: id.optional(),
      limit: z.int().min(1).max(WEB_CHAT_LIMITS.pageMessages).default(50),
    }),
    result: z.object({
      conversation: webConversationSchema,
      messages: z.array(webMessageSchema),
      /** There are older ones. */
      more: z.boolean(),
      /** For a thread: the message it hangs on. */
      root: webMessageSchema.optional(),
    }),
  },
  /** Answered once it is durable. `@name` is resolved here. The first post makes a thread or a direct message exist. */
  post: {
    params: z.object({ key, conversation: id, text, replyTo: id.optional() }),
    result: z.object({ message: webMessageSchema }),
  },
  /** One's own only, as is `delete`. */
  edit: { params: z.object({ key, eventId: id, text }), result: written },
  delete: { params: z.object({ key, eventId: id }), result: written },
  react: {
    params: z.object({ key, eventId: id, signal: z.enum(SIGNALS), remove: z.boolean().optional() }),
    result: written,
  },
  /** Best effort: while typing, about every three seconds. */
  typing: {
    params: z.object({ conversation: id, typing: z.boolean().default(true) }),
    result: z.object({}),
  },
  /** Makes it or finds the one there is. Threads hang on messages of channels. */
  create: {
    params: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('channel'), key, name: z.string().min(1).max(WEB_CHAT_LIMITS.nameChars) }),
      /** `human:bob` or `agent:lead`. */
      z.object({ kind: z.literal('dm'), key, with: id }),
      z.object({ kind: z.literal('thread'), key, parent: id }),
    ]),
    result: z.object({ conversation: webConversationSchema }),
  },
  /** Everything up to this message has been seen. */
  read: { params: z.object({ conversation: id, eventId: id }), result: z.object({ unread: count }) },
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;

/** What a tab is told. Those with a position are what `resumeFrom` repeats. */
export const WEB_CHAT_NOTIFICATIONS = {
  message: z.object({ position, message: webMessageSchema }),
  edited: z.object({
    position,
    conversation: id,
    eventId: id,
    text: z.string(),
    mentions: z.array(webMentionSchema),
    editedAt: timestamp,
  }),
  deleted: z.object({ position, conversation: id, eventId: id }),
  reaction: z.object({
    position,
    conversation: id,
    eventId: id,
    signal: z.enum(SIGNALS),
    glyph: z.string(),
    by: webAuthorSchema,
    removed: z.boolean(),
  }),
  /** A new conversation, or one that has changed its title. Comes before its first message. */
  conversation: z.object({ position, conversation: webConversationSchema }),
  /** A person types, or an agent is at work. False: it has stopped; otherwise it fades after `typingMs`. */
  typing: z.object({ conversation: id, author: webAuthorSchema, typing: z.boolean() }),
  presence: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('human'), person: webPersonSchema }),
    z.object({ kind: z.literal('agent'), agent: id, connected: z.boolean() }),
  ]),
  /** Replaces what was known of the message. */
  state: z.object({ conversation: id, eventId: id, states: z.array(webStateSchema) }),
} as const satisfies Record<string, z.ZodType>;

export type WebChatMethod = keyof typeof WEB_CHAT_METHODS;
export type WebChatParams<M extends WebChatMethod> = z.input<(typeof WEB_CHAT_METHODS)[M]['params']>;
export type WebChatResult<M extends WebChatMethod> = z.infer<(typeof WEB_CHAT_METHODS)[M]['result']>;
export type WebChatNotification = keyof typeof WEB_CHAT_NOTIFICATIONS;
export type WebChatNews<N extends WebChatNotification> = z.infer<(typeof WEB_CHAT_NOTIFICATIONS)[N]>;
