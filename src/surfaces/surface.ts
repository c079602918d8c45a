// The surface port: where chat happens. Inbound, a surface hands the host ChatEvents and learns when they are durable,
// so that it acknowledges the platform only then. Outbound, it posts one message or reaction and says what became of it:
// visible, refused for good, to be tried again, or unknown, in which case the host asks `find` before any retry.
import type { ChatEvent } from '../protocol/chat-event.ts';
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
  /** Resolves once every event is durable; a repeat resolves with the first result. */
  ingest(events: readonly ChatEvent[]): Promise<IngestResult[]>;
}

export type IngestResult =
  | { eventId: string; status: 'accepted' | 'repeat'; seq: number }
  | { eventId: string; status: 'refused'; error: { code: string; message: string; retryAfterMs?: number } };

export interface SurfacePlace {
  workspaceId: string;
  conversationId: string;
  parentId?: string;
}

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
  | { type: 'visible'; platformId: string /** Posted later than asked, as by a pull. */; at?: number }
  /** Not yet: it waits to be pulled by the surface's own client. */
  | { type: 'pending' }
  | { type: 'absent' }
  | { type: 'retry'; afterMs?: number; error: string }
  | { type: 'unknown'; error: string }
  | { type: 'refused'; error: string };
