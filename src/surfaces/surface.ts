// The surface port: a surface is where chat happens. Inbound, it hands ChatEvents to the host, learns when they are
// durable, and acknowledges the platform only then. Outbound, it posts one message or reaction and says what became
// of it: visible, refused for good, to be tried again, or unknown. For unknown, the host asks `find` before it tries
// again.
import type { ChatEvent } from '../protocol/chat-event.ts';
import type { Attachment } from '../protocol/delivery.ts';
import type { SourceEvent } from '../protocol/source-event.ts';
import type { Signal, Visibility } from '../protocol/vocabulary.ts';

export interface Surface {
  /** Unique on the host. A conversation remembers the surface it came from. */
  readonly id: string;
  readonly platform: string;
  readonly capabilities: SurfaceCapabilities;
  /** Begins to receive. The events of a conversation are handed over in the platform's order. */
  start(host: SurfaceHost): Promise<void>;
  post(message: OutboundMessage): Promise<PostOutcome>;
  react(reaction: OutboundReaction): Promise<PostOutcome>;
  /** Shows that an agent is working. Best effort. */
  typing?(conversation: SurfacePlace, agent: string): Promise<void>;
  /** Whether a message with this idempotency key is visible. Asked after an `unknown` outcome. */
  find(message: OutboundMessage): Promise<PostOutcome>;
  /** The bytes of an attachment, by the id with which it was handed over. Never by an address that somebody wrote. */
  attachment?(request: AttachmentRequest): Promise<AttachmentOutcome>;
  /**
   * What was said in a conversation before, as ChatEvents. The host asks once, at the conversation's first event, and
   * ignores an answer that comes too late.
   */
  history?(request: HistoryRequest): Promise<readonly ChatEvent[]>;
  /** The direct conversation of a person with an agent, where the surface can open one. */
  direct?(person: string, agent: string): DirectPlace;
  /** Reads the membership, when the platform has one. */
  members?(place: SurfacePlace): Promise<{ humans: number; agents: number; complete: boolean } | undefined>;
  stop(): Promise<void>;
}

/** The host does without whatever a surface cannot do. */
export interface SurfaceCapabilities {
  edits: boolean;
  deletes: boolean;
  reactions: boolean;
  typing: boolean;
  threads: boolean;
  membership: boolean;
  /** The platform itself drops a second post with the same key. */
  idempotentPosts: boolean;
  ephemeral: boolean;
  /** Everybody on it may read all of its channels, so quoting one in another shows nobody anything new. */
  openChannels?: boolean;
  maxChars: number;
}

export interface SurfaceHost {
  /**
   * Resolves once every event is durable. A repeated event resolves with the first result. The surface marks the host's
   * own posts that the platform hands back (`echoOf`, or `platformId`); they count as repeats. `unavailable`: hand the
   * events over again. The host keeps the event objects, so they must not be changed afterwards.
   */
  ingest(events: readonly SourceEvent[]): Promise<IngestResult[]>;
}

export type IngestResult =
  /** `eventId` is the host's id, unique there. `sourceId` is the source's own, where that is another one. */
  | { eventId: string; sourceId?: string; status: 'accepted' | 'repeat'; seq: number }
  | { eventId: string; status: 'refused'; error: { code: string; message: string; retryAfterMs?: number } };

export interface SurfacePlace {
  platform: string;
  workspaceId: string;
  conversationId: string;
  parentId?: string;
}

/** A conversation as the host names it. */
export interface DirectPlace {
  platform: string;
  workspaceId: string;
  conversation: { id: string; kind: 'dm' };
}

export interface HistoryRequest {
  place: SurfacePlace;
  /** Older than this, epoch ms by the platform's clock. */
  before: number;
  /** At most this many, the newest. */
  limit: number;
  /** Aborted when nobody waits any more. */
  signal: AbortSignal;
}

export interface AttachmentRequest {
  place: SurfacePlace;
  /** The message it is attached to, by the source's own id. */
  eventId: string;
  attachment: Attachment;
  /** The host uses no more bytes than this. */
  maxBytes: number;
  /** Aborted when nobody waits any more. */
  signal: AbortSignal;
}

export type AttachmentOutcome =
  | { type: 'bytes'; bytes: Uint8Array; contentType: string }
  | { type: 'too_large' }
  /** For good: it was deleted, has expired, or may not be read. */
  | { type: 'refused'; error: string }
  | { type: 'retry'; error: string };

export interface OutboundMessage {
  /** The same on every attempt. */
  idempotencyKey: string;
  eventId: string;
  agent: string;
  place: SurfacePlace;
  text: string;
  visibility: Visibility;
  /** The message it replies to, where the platform has replies: the source's own id, or the eventId of a send. */
  replyTo?: string;
  mentions: readonly string[];
}

export interface OutboundReaction {
  idempotencyKey: string;
  agent: string;
  place: SurfacePlace;
  /** The source's own id of the message, or the eventId of a send. */
  targetEventId: string;
  signal: Signal;
  glyph: string;
  remove?: boolean;
}

export type PostOutcome =
  /** `platformId`: edits, deletes, reactions and replies may name the message by this id from now on. */
  | { type: 'visible'; platformId: string /** Posted later than asked, as by a pull. */; at?: number }
  /** Not posted yet: it waits until the surface's own client pulls it. */
  | { type: 'pending' }
  | { type: 'absent' }
  | { type: 'retry'; afterMs?: number; error: string }
  | { type: 'unknown'; error: string }
  | { type: 'refused'; error: string };
