// The web chat's wire: JSON-RPC 2.0 over one WebSocket per tab, at `/web`. A browser cannot set headers, so the token
// comes in the first request, `hello`, and the host answers nothing before it. These two tables hold every method and
// every notification. `hello` says how a tab goes on after a lost connection.
import { z } from 'zod';
import { PERSON_NAME_CHARS } from './person-name.ts';
import { AUTHOR_KINDS, SIGNALS } from './vocabulary.ts';
import { count, timestamp, wireId } from './wire-fields.ts';

/** Every bound of this wire. A request beyond one is answered with `invalid_params` and the name of the field. */
export const WEB_CHAT_LIMITS = {
  /** A longer frame closes the connection (4413). */
  frameBytes: 1_048_576,
  tokenChars: 256,
  keyChars: 64,
  textChars: 16_000,
  /** Of a channel. */
  nameChars: 64,
  /** Of a person. */
  personNameChars: PERSON_NAME_CHARS,
  /** Messages in one answer of `open`, and its size in bytes: long messages make it fewer. */
  pageMessages: 100,
  pageBytes: 524_288,
  /** Files of one message: how many, the bytes of each and of all. */
  files: 5,
  fileBytes: 4 * 1_048_576,
  filesBytes: 8 * 1_048_576,
  /** An upload that no message has taken by then is gone. */
  uploadMs: 600_000,
  /** Uploads that wait for their message: bytes of one person, and of everybody. */
  uploadsBytes: 16 * 1_048_576,
  allUploadsBytes: 128 * 1_048_576,
  /** The largest file that `file` answers with. Larger ones are read over HTTP. */
  framedFileBytes: 524_288,
  /** Messages in one answer of `search`, and the characters of an excerpt. */
  foundMessages: 50,
  excerptChars: 200,
  soughtChars: 200,
  /** Conversations in `hello`, those with the newest messages first. Others can still be opened by their id. */
  channelsListed: 500,
  threadsListed: 200,
  peopleListed: 1_000,
  /** The highest count of unread messages that is told. */
  unread: 100,
  /** A connection that has missed more messages than this is not told of them one by one. */
  resumeRows: 500,
  /** How long a connection may take for `hello`, and how long it may be silent. `ping` keeps it open. */
  helloMs: 10_000,
  silentMs: 60_000,
  /** A typing sign ends by itself after this. Repeats within `typingEveryMs` are not passed on. */
  typingMs: 8_000,
  typingEveryMs: 2_000,
} as const;

const id = wireId;
/** A position in the store's log. It only grows. A tab keeps it as it is and hands it back. */
const position = z.string().regex(/^\d{1,15}$/, 'expected a position that the host has told');
/** Chosen by the page, a new one for every act. A request that repeats a key is the same act and is done once. */
const key = z.string().min(1).max(WEB_CHAT_LIMITS.keyChars);
const text = z
  .string()
  .max(WEB_CHAT_LIMITS.textChars)
  .refine((value) => value.trim() !== '', 'write something');

const channelName = z.string().min(1).max(WEB_CHAT_LIMITS.nameChars);
const personName = z.string().min(1).max(WEB_CHAT_LIMITS.personNameChars);

export const webPersonSchema = z.object({
  id,
  name: z.string(),
  /** True while the person has a tab open. */
  connected: z.boolean(),
});
export type WebPerson = z.infer<typeof webPersonSchema>;

export const webAgentSchema = z.object({
  id,
  name: z.string(),
  aliases: z.array(z.string()),
  roles: z.array(z.string()),
  /** True while its harness has a session. */
  connected: z.boolean(),
});
export type WebAgent = z.infer<typeof webAgentSchema>;

export const webConversationSchema = z.object({
  /** A thread's id is the eventId of the message it belongs to. */
  id,
  kind: z.enum(['channel', 'dm', 'thread']),
  /** A channel's name without `#`, the other party's name, the first words of a thread's root. */
  title: z.string(),
  /** A thread's channel. */
  parentId: id.optional(),
  /** A direct message's two parties: `human:ada`, `agent:lead`. */
  members: z.array(id).optional(),
  /** Agents that are bound to this conversation. */
  agents: z.array(id),
  lastAt: timestamp.optional(),
  /** Messages by others after the one that `read` named last. For channels and direct messages. */
  unread: count.optional(),
  /** Those of them that mention the person, by name or as everybody. */
  mentioned: count.optional(),
  /** The first of them. Missing when nothing is unread. */
  firstUnread: id.optional(),
  /** `archived`: it can be read and brought back. `deleted`: a page takes it away. Threads go with their channel. */
  closed: z.enum(['archived', 'deleted']).optional(),
  /** True for whoever made the channel. */
  mayDelete: z.boolean().optional(),
});
export type WebConversation = z.infer<typeof webConversationSchema>;

export const webAuthorSchema = z.object({ id, kind: z.enum(AUTHOR_KINDS), name: z.string() });
export type WebAuthor = z.infer<typeof webAuthorSchema>;

/** As resolved when the message was sent. Anything else in the text is plain text, whatever it looks like. */
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
 * What one agent does with one message, as everybody may see it. `queued`: the agent will get it, for instance when it
 * connects. `delivered`: the agent has it. `working`: a turn runs on it. `claimed`: the agent has taken it, others stay
 * out. `deferred`: the agent has put it off. `awaiting_approval`: its answer waits for a person to agree. `retrying`: its turn
 * failed, and it tries again. `answered`, `acknowledged`,
 * `not_answered`, `failed` (it could not answer): how it ended. Why it failed is for operators alone. Agents that only
 * overhear the message are not listed.
 */
export const WEB_STATES = [
  'queued',
  'delivered',
  'working',
  'claimed',
  'deferred',
  'awaiting_approval',
  'retrying',
  'answered',
  'acknowledged',
  'not_answered',
  'failed',
] as const;
export const webStateSchema = z.object({
  agent: id,
  state: z.enum(WEB_STATES),
  /** When a claim or a deferral lapses. */
  until: timestamp.optional(),
});
export type WebState = z.infer<typeof webStateSchema>;

/**
 * One sentence for the author of a message alone: why there is no answer yet. Gone once there is one. `waiting`: somebody
 * is at work or will get it. `unasked`: no agent was woken; a page shows it under the newest message only.
 */
export const webWhySchema = z.object({
  kind: z.enum(['waiting', 'unasked']),
  words: z.string(),
  /** Since when the one agent that it names is at work. */
  since: timestamp.optional(),
});
export type WebWhy = z.infer<typeof webWhySchema>;

/**
 * What an agent wants to say, or do, waits for a person. `choose` decides it, for whoever may (the setting
 * `host.approvers`); operators also decide `item` in the inbox.
 */
export const webQuestionSchema = z.object({
  /** The item of the inbox. */
  item: id,
  /** Empty once it is decided. */
  choices: z.array(z.object({ id, label: z.string(), style: z.enum(['primary', 'danger']).optional() })),
  /** How it ended: `Approved by Ada.` */
  outcome: z.string().optional(),
});
export type WebQuestion = z.infer<typeof webQuestionSchema>;

/** A file of a message. `GET /v1/web/files/EVENT/ID` has its bytes, and so has `file` for a small one. */
export const webFileSchema = z.object({
  id,
  name: z.string(),
  bytes: count,
  contentType: z.string().optional(),
});
export type WebFile = z.infer<typeof webFileSchema>;

export const webMessageSchema = z.object({
  eventId: id,
  conversation: id,
  author: webAuthorSchema,
  /** The host says this about the agent that is its author: that it is stopped, has failed, or is not there. */
  notice: z.literal(true).optional(),
  /** Secrets are cut out for everybody. Empty when the message was deleted. */
  text: z.string(),
  at: timestamp,
  editedAt: timestamp.optional(),
  deleted: z.boolean().optional(),
  /** The message it replies to. `author` and `excerpt` are there while the host still has that message at hand. */
  replyTo: z
    .object({ eventId: id, author: webAuthorSchema.optional(), excerpt: z.string().optional() })
    .optional(),
  mentions: z.array(webMentionSchema),
  /** What an agent or a person has sent with it. */
  files: z.array(webFileSchema).optional(),
  reactions: z.array(webReactionSchema),
  /** The thread of this message, once somebody has written there. */
  thread: z.object({ conversation: id, replies: count, lastAt: timestamp }).optional(),
  states: z.array(webStateSchema),
  why: webWhySchema.optional(),
  question: webQuestionSchema.optional(),
});
export type WebMessage = z.infer<typeof webMessageSchema>;

/**
 * An answer that an agent is still writing. It has the eventId that its message will have. Secrets are cut out, and it
 * pings nobody. Nothing of it is stored: after a lost connection it is asked for with `open`.
 */
export const webGrowingSchema = z.object({
  eventId: id,
  conversation: id,
  author: webAuthorSchema,
  /** When it began. */
  at: timestamp,
  text: z.string(),
});
export type WebGrowing = z.infer<typeof webGrowingSchema>;
/** A message that was found. A thread has the title of its channel. */
export const webFoundSchema = z.object({
  eventId: id,
  conversation: webConversationSchema.pick({ id: true, kind: true, title: true, parentId: true }),
  author: webAuthorSchema,
  at: timestamp,
  excerpt: z.string(),
  /** Start and end of each sought word in the excerpt. */
  hits: z.array(z.tuple([count, count])),
});
export type WebFound = z.infer<typeof webFoundSchema>;

const written = z.object({ eventId: id });

/** What a tab asks. Every write has a `key`; a repeated one gets the answer of the first. */
export const WEB_CHAT_METHODS = {
  /**
   * Signs in, once per connection. A tab that reconnects passes as `resumeFrom` the newest `position` it was told.
   * - `resumed` true: every `message`, `edited`, `deleted`, `reaction` and `conversation` that the tab missed follows
   *   this answer, in order, each once, before anything newer.
   * - `resumed` false: too much has happened, or there was no `resumeFrom`. The tab drops what it shows and opens it
   *   again.
   * `typing`, `presence`, `state` and `growing` are not repeated. The first two are in this answer or end by
   * themselves; for the others call `open` on what is on the screen. When the tab has the message already, a notification replaces it.
   */
  hello: {
    params: z.object({ token: z.string().max(WEB_CHAT_LIMITS.tokenChars), resumeFrom: position.optional() }),
    result: z.object({
      /** `unnamed`: nobody has chosen the name yet. A page asks for one. */
      me: webPersonSchema.extend({ unnamed: z.boolean().optional() }),
      /** False: `invite` is refused. The setting `host.invites` decides. */
      mayInvite: z.boolean(),
      /** The id of the store. It stays when the host restarts, and is the same with every host of that store. */
      instance: z.string(),
      position,
      resumed: z.boolean(),
      people: z.array(webPersonSchema),
      agents: z.array(webAgentSchema),
      roles: z.array(z.object({ name: z.string(), agents: z.array(id) })),
      /** Words that mean everybody after an @. */
      broadcasts: z.array(z.string()),
      signals: z.array(z.object({ signal: z.enum(SIGNALS), glyph: z.string() })),
      conversations: z.array(webConversationSchema),
    }),
  },
  ping: { params: z.object({}), result: z.object({}) },
  /** A page of messages, the newest last: the newest ones, or those before the message `before`. */
  open: {
    params: z.object({
      conversation: id,
      before: id.optional(),
      limit: z.int().min(1).max(WEB_CHAT_LIMITS.pageMessages).default(50),
    }),
    result: z.object({
      conversation: webConversationSchema,
      messages: z.array(webMessageSchema),
      /** True when there are older messages. */
      more: z.boolean(),
      /** For a thread: the message it belongs to. */
      root: webMessageSchema.optional(),
      /** Answers that are being written there, as far as they have come. */
      growing: z.array(webGrowingSchema).optional(),
    }),
  },
  /**
   * Messages with all of these words, newest first, in what the person may see: whole words, without regard to case and
   * accents, as the messages read now. `cursor` goes on after the last answer. An answer may be short, or empty, and
   * still have a cursor: the host has looked at as much as it does for one answer.
   */
  search: {
    params: z.object({
      words: z.string().min(1).max(WEB_CHAT_LIMITS.soughtChars),
      /** Only in this conversation. */
      conversation: id.optional(),
      cursor: position.optional(),
      limit: z.int().min(1).max(WEB_CHAT_LIMITS.foundMessages).default(20),
    }),
    result: z.object({ found: z.array(webFoundSchema), cursor: position.optional() }),
  },
  /**
   * Answered once the message is durable, with its files. The host resolves `@name`. The first post creates a thread or
   * direct message. `uploads` are ids that `POST /v1/web/files` has answered with; a message with files needs no text.
   */
  post: {
    params: z
      .object({
        key,
        conversation: id,
        text: z.string().max(WEB_CHAT_LIMITS.textChars),
        replyTo: id.optional(),
        uploads: z.array(id).max(WEB_CHAT_LIMITS.files).optional(),
      })
      .refine(({ text: said, uploads = [] }) => said.trim() !== '' || uploads.length > 0, {
        path: ['text'],
        error: 'write something',
      }),
    result: z.object({ message: webMessageSchema }),
  },
  /** Where a message is, for a link to it. Refused when it is gone or not for the person to see. */
  find: {
    params: z.object({ eventId: id }),
    result: z.object({ conversation: webConversationSchema, message: webMessageSchema }),
  },
  /** The bytes of a file, in base64. Secrets are cut out of text. */
  file: {
    params: z.object({ eventId: id, file: id }),
    result: z.object({ name: z.string(), contentType: z.string(), base64: z.string() }),
  },
  /** People edit and `delete` only their own messages. */
  edit: { params: z.object({ key, eventId: id, text }), result: written },
  delete: { params: z.object({ key, eventId: id }), result: written },
  react: {
    params: z.object({ key, eventId: id, signal: z.enum(SIGNALS), remove: z.boolean().optional() }),
    result: written,
  },
  /**
   * Decides what waits for a person, by a choice of the message's `question`. The answer is for this person alone: what was
   * decided, the text that waits, or why they may not. There is no key: what is decided stays decided.
   */
  choose: { params: z.object({ eventId: id, choice: id }), result: z.object({ text: z.string() }) },
  /** Best effort. A page sends it about every three seconds while somebody types. */
  typing: {
    params: z.object({ conversation: id, typing: z.boolean().default(true) }),
    result: z.object({}),
  },
  /** Creates the conversation, or finds the existing one. Threads belong to messages of channels. */
  create: {
    params: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('channel'), key, name: z.string().min(1).max(WEB_CHAT_LIMITS.nameChars) }),
      /** `human:bob` or `agent:lead`. */
      z.object({ kind: z.literal('dm'), key, with: id }),
      z.object({ kind: z.literal('thread'), key, parent: id }),
    ]),
    result: z.object({ conversation: webConversationSchema }),
  },
  /**
   * Changes a channel. Anybody may rename, archive and restore one; whoever made it may delete it, giving its name.
   * Deleting scrubs every text in it. If the answer is lost, the same again goes on with that.
   */
  change: {
    params: z.discriminatedUnion('act', [
      z.object({ act: z.literal('rename'), key, conversation: id, name: channelName }),
      z.object({ act: z.literal('archive'), key, conversation: id }),
      z.object({ act: z.literal('restore'), key, conversation: id }),
      z.object({ act: z.literal('delete'), key, conversation: id, name: channelName }),
    ]),
    result: z.object({ conversation: webConversationSchema }),
  },
  /**
   * Makes a person, whom the token signs in: `http://HOST/#person=TOKEN`. The host keeps only its hash. There is no key:
   * if the answer is lost, the name is taken and an operator makes another link.
   */
  invite: {
    params: z.object({ name: personName }),
    result: z.object({ person: webPersonSchema, token: z.string() }),
  },
  /** Changes the person's own name. Open tabs are told by `presence`. An agent's or somebody else's name is refused. */
  rename: { params: z.object({ name: personName }), result: z.object({ me: webPersonSchema }) },
  /** The person has seen everything up to this message. */
  read: {
    params: z.object({ conversation: id, eventId: id }),
    result: z.object({ unread: count, mentioned: count, firstUnread: id.optional() }),
  },
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;

/** What a tab is told. `resumeFrom` repeats the notifications that have a position. */
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
  /** A new conversation, or one that was renamed, closed or brought back. Comes before its first message. */
  conversation: z.object({ position, conversation: webConversationSchema }),
  /** A person types, or an agent is at work. False: they have stopped. Without that it ends after `typingMs`. */
  typing: z.object({ conversation: id, author: webAuthorSchema, typing: z.boolean() }),
  presence: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('human'), person: webPersonSchema }),
    z.object({ kind: z.literal('agent'), agent: id, connected: z.boolean() }),
  ]),
  /**
   * An answer grows: after its first `from` characters (UTF-16 code units) comes `text`, and nothing else. It ends when
   * the message with the same eventId is told, which takes its place, or with `withdrawn`.
   */
  growing: webGrowingSchema.extend({ from: count }),
  /** The answer is not going to come like this: its turn was stopped, failed, or has nothing to say. */
  withdrawn: z.object({ conversation: id, eventId: id }),
  /** Replaces the states that the tab had for the message, its question, and for its author the sentence. */
  state: z.object({
    conversation: id,
    eventId: id,
    states: z.array(webStateSchema),
    why: webWhySchema.optional(),
    question: webQuestionSchema.optional(),
  }),
} as const satisfies Record<string, z.ZodType>;

export type WebChatMethod = keyof typeof WEB_CHAT_METHODS;
export type WebChatParams<M extends WebChatMethod> = z.input<(typeof WEB_CHAT_METHODS)[M]['params']>;
export type WebChatResult<M extends WebChatMethod> = z.infer<(typeof WEB_CHAT_METHODS)[M]['result']>;
export type WebChatNotification = keyof typeof WEB_CHAT_NOTIFICATIONS;
export type WebChatNews<N extends WebChatNotification> = z.infer<(typeof WEB_CHAT_NOTIFICATIONS)[N]>;
