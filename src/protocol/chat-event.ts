// ChatEvent: the one shape in which anything that happened in chat enters Earshot, by `POST /v1/events`, by a
// surface adapter, or as a line of a replay file. It is a union over `type`; every field is bounded.
import { z } from 'zod';
import { CORRECTION_LABELS, CORRECTION_WAYS } from './correction.ts';
import { EVENT_ID_CHARS } from './derived-id.ts';
import { fitsFor } from './read-params.ts';
import {
  AUTHOR_KINDS,
  BLOCKS,
  CONVERSATION_KINDS,
  DIRECTEDNESS,
  ESCALATION_CAUSES,
  MODES,
  ORIGINS,
  SIGNALS,
  VISIBILITIES,
} from './vocabulary.ts';
import { turnUsageSchema } from './usage.ts';

/** Every bound of an inbound event. An event beyond one is refused, and the refusal names the field. */
export const EVENT_LIMITS = {
  idChars: EVENT_ID_CHARS,
  nameChars: 256,
  textChars: 65_536,
  mentions: 64,
  recipients: 16,
  attachments: 32,
  defaultActionChars: 2_000,
  /** Debts on the list of one escalation. */
  owedItems: 64,
  ttlMs: 7 * 24 * 3_600_000,
} as const;

const id = z.string().min(1).max(EVENT_LIMITS.idChars);
const name = z.string().max(EVENT_LIMITS.nameChars);
const text = z.string().max(EVENT_LIMITS.textChars);
const ttlMs = z.int().positive().max(EVENT_LIMITS.ttlMs);
const count = z.int().nonnegative();
/** ISO 8601 on the wire. Epoch milliseconds are accepted too, because recorded chats often have them. */
export const instant = z.union([
  z.iso.datetime({ offset: true }),
  z.int().nonnegative().max(8_640_000_000_000_000),
]);

export const conversationSchema = z.strictObject({
  id,
  kind: z.enum(CONVERSATION_KINDS),
  /** For a thread: the room it belongs to. A thread is a conversation of its own. */
  parentId: id.optional(),
  streamId: id.optional(),
  /** Written by people, so it is shown in pages and never in a knock. */
  title: name.optional(),
  /** Nobody writes there any more. Only the web chat has this. */
  retired: z.enum(['archived', 'deleted']).optional(),
});
export type Conversation = z.infer<typeof conversationSchema>;

export const authorSchema = z.strictObject({
  id,
  kind: z.enum(AUTHOR_KINDS),
  displayName: name.optional(),
});
export type Author = z.infer<typeof authorSchema>;

/** As the surface resolved it. `broadcast` is @here, @channel or @everyone: it names nobody in particular. */
export const mentionSchema = z.strictObject({
  kind: z.enum(['agent', 'human', 'role', 'broadcast']),
  id,
});
export type Mention = z.infer<typeof mentionSchema>;

export const obligationSchema = z.strictObject({
  blocks: z.enum(BLOCKS),
  defaultAction: z.string().min(1).max(EVENT_LIMITS.defaultActionChars),
  dischargeDelegate: id.optional(),
});
export type ObligationTerms = z.infer<typeof obligationSchema>;

export const membershipSchema = z.strictObject({
  humans: count,
  agents: count.optional(),
  /** False when the platform cut the list. Such a read can only raise the count of people. */
  complete: z.boolean(),
  /** When the list was read, if not together with the event. */
  at: instant.optional(),
});

export const attachmentSchema = z.strictObject({
  id,
  kind: z.enum(['image', 'file', 'audio', 'video', 'link']),
  name: name.optional(),
  bytes: count.optional(),
  /** Its media type, if the source knows it. */
  contentType: name.optional(),
});

const base = {
  /** From a source: its own id, unique in its conversation. In the log: the host's id, unique on the host. */
  eventId: id,
  /** The source's own id, where the event id is another. The host sets it; it is found in exported events. */
  sourceId: id.optional(),
  at: instant,
  platform: id,
  workspaceId: id,
  conversation: conversationSchema,
  author: authorSchema,
  membership: membershipSchema.optional(),
  origin: z.enum(ORIGINS).optional(),
};

/** What people and agents say. The outbound fields are set when an agent sent the message through Earshot. */
const said = {
  text: text.optional(),
  mentions: z.array(mentionSchema).max(EVENT_LIMITS.mentions).optional(),
  /** The platform knows whom its people mention: `mentions` is all there is, and no @name is read out of the text. */
  mentionsResolved: z.literal(true).optional(),
  attachments: z.array(attachmentSchema).max(EVENT_LIMITS.attachments).optional(),
};

const messageEvent = z.strictObject({
  ...base,
  ...said,
  type: z.literal('message'),
  /** The platform's own kind of message. `log`, `join` and the like never wake an agent. */
  subtype: z.enum(['log', 'progress', 'status', 'join', 'leave', 'assigned', 'review_requested']).optional(),
  /** The message it replies to, where the platform has replies. */
  replyTo: z.strictObject({ eventId: id, authorId: id.optional() }).optional(),
  /** The event that an agent answers with this message. */
  inReplyTo: id.optional(),
  /** Identities that the message is assigned to, or that owe the answer. */
  recipients: z.array(id).max(EVENT_LIMITS.recipients).optional(),
  obligation: obligationSchema.optional(),
  /** The posture that the sender chose. It may lower the policy of anybody, and raises only that of the recipient. */
  target: z
    .strictObject({ recipient: id.optional(), directedness: z.enum(DIRECTEDNESS).optional() })
    .optional(),
  visibility: z.enum(VISIBILITIES).optional(),
});

const editEvent = z.strictObject({ ...base, ...said, type: z.literal('edit'), targetEventId: id });
const deleteEvent = z.strictObject({ ...base, type: z.literal('delete'), targetEventId: id });
const reactionEvent = z.strictObject({
  ...base,
  type: z.literal('reaction'),
  targetEventId: id,
  signal: z.enum(SIGNALS),
  /** For obligations: whose debt this reaction is about. A reaction without it discharges nothing. */
  recipient: id.optional(),
  removed: z.boolean().optional(),
  eta: z.string().max(EVENT_LIMITS.nameChars).optional(),
});
const membershipEvent = z.strictObject({
  ...base,
  type: z.literal('membership'),
  membership: membershipSchema.optional(),
  change: z.enum(['joined', 'left']).optional(),
});
const typingEvent = z.strictObject({ ...base, type: z.literal('typing'), typing: z.boolean().optional() });
const progressEvent = z.strictObject({
  ...base,
  type: z.literal('progress'),
  text: text.optional(),
  progressToken: id.optional(),
  progress: z.number().nonnegative().optional(),
  total: z.number().positive().optional(),
});

const claimEvent = z.strictObject({
  ...base,
  type: z.literal('claim'),
  op: z.enum(['claim', 'renew', 'release']).optional(),
  /** The event to claim. Missing: the whole conversation. */
  targetEventId: id.optional(),
  ttlMs: ttlMs.optional(),
  token: count.optional(),
});
const modeEvent = z.strictObject({
  ...base,
  type: z.literal('mode'),
  mode: z.enum(MODES),
  /** The agent whose mode is set. An agent may set only its own mode and may leave this out. */
  agent: id.optional(),
});
const focusEvent = z.strictObject({
  ...base,
  type: z.literal('focus'),
  ttlMs: count.max(EVENT_LIMITS.ttlMs),
});
const disengageEvent = z.strictObject({
  ...base,
  type: z.literal('disengage'),
  turnId: id.optional(),
  /** The agent that steps back. An agent may name only itself and may leave this out. */
  agent: id.optional(),
});
const turnEvent = z.strictObject({
  ...base,
  type: z.literal('turn'),
  phase: z.enum(['started', 'ended']),
  turnId: id.optional(),
  /** The events that the turn is about. */
  eventIds: z.array(id).max(EVENT_LIMITS.mentions).optional(),
  outcome: z.enum(['answered', 'silent', 'cancelled', 'failed']).optional(),
  /** What it has cost. The host writes it when the turn ends. */
  usage: turnUsageSchema.optional(),
  /** Of a failed turn: what its harness said about it, one line without secrets. */
  error: text.optional(),
});
const resolveEvent = z.strictObject({ ...base, type: z.literal('resolve'), targetEventId: id.optional() });
/** An unanswered obligation has moved to somebody else. The host writes it; the question is `targetEventId`. */
const escalationEvent = z.strictObject({
  ...base,
  type: z.literal('escalation'),
  targetEventId: id,
  /** The identity that is asked now. */
  recipient: id,
  /** The identity that did not answer. */
  blockedOn: id,
  cause: z.enum(ESCALATION_CAUSES),
  /** The event id of the escalation on whose list the question is now. */
  listedOn: id,
});
/** Somebody says that an agent should have answered a message, or not. The host writes it. */
const correctionEvent = z.strictObject({
  ...base,
  type: z.literal('correction'),
  /** The message that the agent answered or left unanswered. */
  targetEventId: id,
  agent: id,
  label: z.enum(CORRECTION_LABELS),
  how: z.enum(CORRECTION_WAYS),
});
/** What a model was asked about a message of which the scorer was unsure. The host writes it. */
const opinionEvent = z.strictObject({
  ...base,
  type: z.literal('opinion'),
  targetEventId: id,
  agent: id,
  verdict: z.enum(['for', 'not_for']),
});
const tickEvent = z.strictObject({ ...base, type: z.literal('tick') });

export const chatEventSchema = z.discriminatedUnion('type', [
  messageEvent,
  editEvent,
  deleteEvent,
  reactionEvent,
  membershipEvent,
  typingEvent,
  progressEvent,
  claimEvent,
  modeEvent,
  focusEvent,
  disengageEvent,
  turnEvent,
  resolveEvent,
  escalationEvent,
  correctionEvent,
  opinionEvent,
  tickEvent,
]);
export type ChatEvent = z.infer<typeof chatEventSchema>;
/** True: the value is a ChatEvent. False: ask `chatEventSchema`, which also says what is wrong. */
export const isChatEvent = fitsFor(chatEventSchema) as (value: unknown) => value is ChatEvent;
export type ChatEventType = ChatEvent['type'];
export type ChatEventOf<T extends ChatEventType> = Extract<ChatEvent, { type: T }>;
export type MessageEvent = ChatEventOf<'message'>;
