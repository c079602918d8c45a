// The surface port: where chat happens. Inbound, a surface hands the host ChatEvents and learns when they are durable,
// so that it acknowledges the platform only then. Outbound, it posts one message or reaction and says what became of it:
// visible, refused for good, to be tried again, or unknown, in which case the host asks `find` before any retry.
import type { ChatEvent } from '../protocol/chat-event.ts';
import type { Attachment } from '../protocol/delivery.ts';
import type { SourceEvent } from '../protocol/source-event.ts';
import type { Signal, Visibility } from '../protocol/vocabulary.ts';

export interface Surface {
  /** Unique on the host; conversations remember the surface they came from. */
  readonly id: string;
  readonly platform: string;
  readonly capabilities: SurfaceCapabilities;
  /** Begins to receive. Events are handed over in platform order per conversation. */
  start(host: SurfaceHost): Promise<void>;
  post(message: OutboundMessage): Promise<PostOutcome>;
  react(reaction: OutboundReaction): Promise<PostOutcome>;
  /** Shows that an agent is working. Best effort. */
  typing?(conversation: SurfacePlace, agent: string): Promise<void>;
  /** Did a message with this idempotency key become visible? For `unknown` outcomes. */
  find(message: OutboundMessage): Promise<PostOutcome>;
  /** The bytes of something attached to a message, by the id it was handed over with. Never by an address in chat. */
  attachment?(request: AttachmentRequest): Promise<AttachmentOutcome>;
  /**
   * What was said there before, as ChatEvents of that conversation; asked once, when it is first heard of. What comes too
   * late is not used.
   */
  history?(request: HistoryRequest): Promise<readonly ChatEvent[]>;
  /** A membership read, when the platform has one. */
  members?(place: SurfacePlace): Promise<{ humans: number; agents: number; complete: boolean } | undefined>;
  stop(): Promise<void>;
}

/** What a surface cannot do, the host does without. */
export interface SurfaceCapabilities {
  edits: boolean;
  deletes: boolean;
  reactions: boolean;
  typing: boolean;
  threads: boolean;
  membership: boolean;
  /** The platform drops a second post with the same key by itself. */
  idempotentPosts: boolean;
  ephemeral: boolean;
  maxChars: number;
}

export interface SurfaceHost {
  /**
   * Resolves once every event is durable; a repeat resolves with the first result. What the platform hands back of the
   * host's own posts is marked (`echoOf`, or `platformId`) and answered as a repeat. `unavailable`: hand it over again.
   * An event is the host's from then on: it is kept as it is, so it must not be changed afterwards.
   */
  ingest(events: readonly SourceEvent[]): Promise<IngestResult[]>;
}

export type IngestResult =
  | { eventId: string; status: 'accepted' | 'repeat'; seq: number }
  | { eventId: string; status: 'refused'; error: { code: string; message: string; retryAfterMs?: number } };

export interface SurfacePlace {
  workspaceId: string;
  conversationId: string;
  parentId?: string;
}

export interface HistoryRequest {
  place: SurfacePlace;
  /** Older than this, epoch ms by the platform's clock. */
  before: number;
  /** The newest so many. */
  limit: number;
  /** Aborted when nobody waits any more. */
  signal: AbortSignal;
}

export interface AttachmentRequest {
  place: SurfacePlace;
  /** The message it is attached to. */
  eventId: string;
  attachment: Attachment;
  /** Reading on beyond this is useless. */
  maxBytes: number;
  /** Aborted when nobody waits any more. */
  signal: AbortSignal;
}

export type AttachmentOutcome =
  | { type: 'bytes'; bytes: Uint8Array; contentType: string }
  | { type: 'too_large' }
  /** For good: deleted, expired, not ours to read. */
  | { type: 'refused'; error: string }
  | { type: 'retry'; error: string };

export interface OutboundMessage {
  /** Stable over retries. */
  idempotencyKey: string;
  eventId: string;
  agent: string;
  place: SurfacePlace;
  text: string;
  visibility: Visibility;
  /** Native reply, where the platform has one. */
  replyTo?: string;
  mentions: readonly string[];
}

export interface OutboundReaction {
  idempotencyKey: string;
  agent: string;
  place: SurfacePlace;
  targetEventId: string;
  signal: Signal;
  glyph: string;
  remove?: boolean;
}

export type PostOutcome =
  /** `platformId`: by this id edits, deletes, reactions and replies may name it from now on. */
  | { type: 'visible'; platformId: string /** Posted later than asked, as by a pull. */; at?: number }
  /** Not yet: it waits to be pulled by the surface's own client. */
  | { type: 'pending' }
  | { type: 'absent' }
  | { type: 'retry'; afterMs?: number; error: string }
  | { type: 'unknown'; error: string }
  | { type: 'refused'; error: string };
