// The surface port: a surface is where chat happens. Inbound, it hands ChatEvents to the host, learns when they are
// durable, and acknowledges the platform only then. Outbound, it posts one message or reaction and says what became
// of it: visible, refused for good, to be tried again, unknown, or unknowable. For unknown, the host asks `find` before
// it tries again. A surface keeps nothing durable by itself; the host has `memory` for it.
import type { ChatEvent } from '../protocol/chat-event.ts';
import type { Attachment } from '../protocol/delivery.ts';
import type { GlyphReaction, SourceEvent } from '../protocol/source-event.ts';
import type { Signal, Visibility } from '../protocol/vocabulary.ts';

export { onlyMentionsPing, type PingSyntax } from './only-mentions-ping.ts';

export interface Surface {
  /** Unique on the host. A conversation remembers the surface it came from. */
  readonly id: string;
  readonly platform: string;
  /**
   * A program outside this process tells what happens there. `held`: only of its platform. `free`: also of platforms that
   * no surface has. Left out: an adapter in this process, for its platform alone.
   */
  readonly source?: 'held' | 'free';
  /**
   * It has no connection of its own, so every node of a shared store has it. Left out: it is started where the lease of the
   * surface is, and stopped when that moves. It may be started again.
   */
  readonly everywhere?: true;
  readonly capabilities: SurfaceCapabilities;
  /** Where answers go, unless the conversation says otherwise. Left out: into threads, where any message can carry one. */
  readonly replies?: 'thread' | 'room';
  /**
   * Begins to receive. The events of a conversation are handed over in the platform's order. A platform that is out of
   * reach or a token that is wrong is told through `host.health`, and the surface goes on trying: one dead surface
   * does not keep the host and the others down. It rejects only for a fault of its own.
   */
  start(host: SurfaceHost): Promise<void>;
  post(message: OutboundMessage): Promise<PostOutcome>;
  react(reaction: OutboundReaction): Promise<PostOutcome>;
  /**
   * Edits or deletes a message of an agent's own. Doing it again shows the same, so after a lost answer the host repeats
   * it and never asks `find`. What is gone already is deleted. Called where `does.edits` or `does.deletes` is true.
   */
  amend?(amendment: OutboundAmendment): Promise<PostOutcome>;
  /** Whether a message with this idempotency key is visible. Asked after an `unknown` outcome. */
  find(message: OutboundMessage): Promise<PostOutcome>;
  /** Shows that an agent is working, or that it no longer is. Best effort. */
  typing?(place: SurfacePlace, agent: string, on: boolean): Promise<void>;
  /** The bytes of an attachment, by the id with which it was handed over. Never by an address that somebody wrote. */
  attachment?(request: AttachmentRequest): Promise<AttachmentOutcome>;
  /**
   * What was said in a conversation before, as ChatEvents. The host asks once, at the conversation's first event, and
   * ignores an answer that comes too late.
   */
  history?(request: HistoryRequest): Promise<readonly ChatEvent[]>;
  /** The direct conversation of a person with an agent, where the surface can open one. */
  direct?(person: string, agent: string): Promise<DirectOutcome>;
  /** Reads the membership, when the platform has one. */
  members?(place: SurfacePlace): Promise<Members | undefined>;
  /**
   * Asks people to choose; their choice comes back through `host.act`. Outcomes, keys and `find` are those of a post.
   * Called where `capabilities.does.questions` is true.
   */
  ask?(question: OutboundQuestion): Promise<PostOutcome>;
  /**
   * Nothing is left to choose: the buttons go, and people read how it ended. Asked again, it changes nothing more. Without
   * it the buttons stay, and whoever presses one is told that it is decided.
   */
  decided?(question: DecidedQuestion): Promise<PostOutcome>;
  /** The message behind a link of the platform, without asking it. */
  fromLink?(link: string): { place: SurfacePlace; platformId: string } | undefined;
  /** What the platform sends to `/v1/surfaces/ID/…` of this host. The surface checks who sent it. */
  request?(request: SurfaceRequest): Promise<SurfaceAnswer>;
  stop(): Promise<void>;
}

/** The host does without whatever a surface cannot do. */
export interface SurfaceCapabilities {
  /** What the platform tells us. */
  hears: Hears;
  /** What we can do there. */
  does: Does;
  /** `flat`: no threads. `any`: any message can carry one, and its id is the thread's. `topics`: made beforehand. */
  threads: 'flat' | 'any' | 'topics';
  membership: boolean;
  /** For so long the platform itself drops a second post with the same key. 0: never. Infinity: always. */
  idempotentForMs: number;
  /** Whether `find` can tell what became of a post whose answer was lost. */
  findable: boolean;
  /** A post waits in the outbox until somebody fetches it, so its outcome is `pending`. */
  pulled?: boolean;
  /** Everybody on it may read all of its channels, so quoting one in another shows nobody anything new. */
  openChannels?: boolean;
  /** Of one message, in UTF-16 units, as the host hands it over. The host splits longer texts into parts. */
  maxChars: number;
  /** How many parts one text may have. A longer one is refused. */
  maxParts: number;
  /** How files are shown, where `does.files` is true. */
  files?: {
    /** Of one file. A larger one is refused. */
    maxBytes: number;
    /** They are a message of their own, posted after the text under a key of their own. */
    apart: boolean;
  };
}

export interface Hears {
  edits: boolean;
  deletes: boolean;
  reactions: boolean;
  typing: boolean;
  /** Messages of other bots. */
  bots: boolean;
}

export interface Does {
  /** `amend` changes the text of an agent's own message, or takes it away. */
  edits: boolean;
  deletes: boolean;
  reactions: boolean;
  typing: boolean;
  /** A message that only one reader sees. */
  ephemeral: boolean;
  /** Questions with buttons. */
  questions: boolean;
  /** Files that agents send. */
  files: boolean;
}

/** Everything, for the surfaces that have no platform of their own between the host and the people. */
export const HEARS_ALL: Hears = { edits: true, deletes: true, reactions: true, typing: true, bots: true };
export const HEARS_NOTHING: Hears = {
  edits: false,
  deletes: false,
  reactions: false,
  typing: false,
  bots: false,
};

/** A surface that shows messages and nothing else. */
export const DOES_NOTHING: Does = {
  edits: false,
  deletes: false,
  reactions: false,
  typing: false,
  ephemeral: false,
  questions: false,
  files: false,
};

export interface SurfaceHost {
  /**
   * Resolves once every event is durable. A repeated event resolves with the first result. The surface marks the host's
   * own posts that the platform hands back (`echoOf`, or `platformId`); they count as repeats. `unavailable`: hand the
   * events over again. The host keeps the event objects, so they must not be changed afterwards.
   */
  ingest(events: readonly (SourceEvent | GlyphReaction)[]): Promise<IngestResult[]>;
  /**
   * Who this surface is on its platform: one account for each login, all of them at every call. Called once the platform
   * has said it, and before the first event.
   */
  accounts(accounts: readonly SurfaceAccount[]): void;
  /** Small durable values of this surface: an offset, a session, a high-water mark. */
  memory: SurfaceMemory;
  /** The surface's conversations with their newest event, the latest first: where to ask what was missed. */
  known(limit: number): Promise<readonly KnownPlace[]>;
  /** How the surface is. Doctor, console, metrics and `/v1/surfaces` show it. */
  health(state: SurfaceHealth): void;
  /** Somebody chose, or gave a command. Resolves with what that person alone is told. */
  act(act: SurfaceAct): Promise<ActAnswer>;
  /** Something that the platform sent and that was left out, counted by this name: an unknown type, a bad signature. */
  ignored(what: string): void;
}

/** A login on the platform. A mention of it is a mention of its agent; of several, it is a call at their front door. */
export interface SurfaceAccount {
  /** The platform's id of it. It counts in this workspace of this platform, and nowhere else. */
  id: string;
  workspaceId: string;
  /** The agents that speak through it. `*`: every agent of the host that has no other login there. */
  agents: readonly string[] | '*';
  /** As people read it in a mention. */
  name: string;
  /** Agents without a login of their own speak through it too. A mention of it is not for them. */
  speaksForOthers?: boolean;
}

/** What a person did there that is no message. The same `actId` again changes nothing more. */
export type SurfaceAct = {
  actId: string;
  place: SurfacePlace;
  /** The platform's id of whoever did it, and their name. */
  person: string;
  personName?: string;
} & (
  | {
      type: 'choose';
      /** The `idempotencyKey` of the question. */
      question: string;
      choice: string;
    }
  | {
      type: 'command';
      /** The command with its arguments: `why`, `mode mention_only lead`, `leave lead`. */
      text: string;
      /** The message it is about, by the platform's id, where it was given on one. */
      about?: string;
    }
);

export interface ActAnswer {
  text: string;
}

/** A request as it came. Signatures are over the bytes. */
export interface SurfaceRequest {
  method: 'GET' | 'POST';
  /** What follows `/v1/surfaces/ID/`. */
  path: string;
  query: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** Epoch ms. */
  receivedAt: number;
}

export interface SurfaceAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface SurfaceMemory {
  get(key: string): Promise<string | undefined>;
  /** Resolves once it is durable. Write it after the events that it covers. */
  set(key: string, value: string): Promise<void>;
}

export interface KnownPlace {
  place: SurfacePlace;
  newest: { eventId: string; at: number };
}

export type SurfaceHealth =
  | { state: 'up'; detail?: string }
  | { state: 'retrying'; error: string; nextAt: number }
  /** It works, but deaf or mute in part: a scope or an intent is missing. */
  | { state: 'limited'; missing: readonly string[] }
  /** Nothing works until a person has done what `fix` says. */
  | { state: 'down'; error: string; fix: string };

export type IngestResult =
  /**
   * `eventId` is the host's id, unique there. `sourceId` is the source's own, where that is another one. `seq` is 0 for a
   * part of a send whose event is not logged yet.
   */
  | { eventId: string; sourceId?: string; status: 'accepted' | 'repeat'; seq: number }
  | { eventId: string; status: 'refused'; error: { code: string; message: string; retryAfterMs?: number } };

export interface SurfacePlace {
  platform: string;
  workspaceId: string;
  conversationId: string;
  parentId?: string;
}

export interface Members {
  humans: number;
  agents: number;
  complete: boolean;
}

export type DirectOutcome =
  | { type: 'place'; place: DirectPlace }
  | { type: 'refused'; error: string }
  | { type: 'retry'; error: string };

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

/** Another message, by our id and by the platform's. */
export interface Named {
  eventId: string;
  /** The platform's own id. Of a message in parts: that of the last part. Undefined if it never had one. */
  platformId?: string;
}

/** Whom a message mentions. */
export interface OutboundMention {
  identity: string;
  name: string;
  /** The platform's id of whoever is meant, if the host knows one. Only these ping. */
  account?: string;
}

export interface OutboundMessage {
  /** The same on every attempt. Of a part: `key#2`. */
  idempotencyKey: string;
  eventId: string;
  /** When the agent sent it, epoch ms by the host's clock. The platform cannot have it from before. */
  createdAt: number;
  agent: string;
  /** How the agent is shown where several share an account. */
  persona: { name: string; icon?: string };
  /** Where it goes. `opens`: the thread begins with this message, on that root. */
  place: SurfacePlace & { opens?: Named };
  /**
   * CommonMark, as the agent wrote it. Of `mentions` the adapter writes the platform's own form; whatever else in it
   * would ping somebody is made harmless (`onlyMentionsPing`).
   */
  text: string;
  /** 1 of 1, unless it was too long for one message. */
  part: { number: number; of: number };
  visibility: Visibility;
  /** Who alone sees it, by the platform's id, where visibility is `ephemeral`. */
  onlyFor?: string;
  /** The message it replies to, where the platform has replies. */
  replyTo?: Named;
  mentions: readonly OutboundMention[];
  /** Files that this message shows. Where they are posted apart, its text is empty. */
  attachments?: readonly OutboundFile[];
  /** Files that come after the text. The surface may upload them now, so that no text is shown whose files fail. */
  following?: readonly OutboundFile[];
  /** What the surface has noted about a send with files. It is the same for all parts and attempts. */
  notes?: SendNotes;
}

/** A file that an agent sends. */
export interface OutboundFile {
  id: string;
  name: string;
  contentType: string;
  /** In bytes. */
  size: number;
  bytes(): Promise<Uint8Array>;
}

/** A small durable text about one send: the ids of what was uploaded for it. It goes when the send goes. */
export interface SendNotes {
  read(): Promise<string | undefined>;
  /** Resolves once it is durable. */
  write(note: string): Promise<void>;
}

/** A message under which people choose. Who may is decided by the host. */
export interface OutboundQuestion extends OutboundMessage {
  choices: readonly Choice[];
}

/** A question that is visible and needs no choice any more. */
export interface DecidedQuestion extends OutboundQuestion {
  /** The platform's id of the question. */
  platformId: string;
  /** Who decided what, in words: `Approved by Ada.` */
  outcome: string;
}

export interface Choice {
  id: string;
  label: string;
  style?: 'primary' | 'danger';
}

export interface OutboundReaction {
  idempotencyKey: string;
  agent: string;
  place: SurfacePlace;
  target: Named;
  signal: Signal;
  glyph: string;
  remove?: boolean;
}

/** A change of a message that an agent has posted. */
export type OutboundAmendment = {
  /** The same on every attempt. */
  idempotencyKey: string;
  eventId: string;
  /** When the agent asked for it, epoch ms by the host's clock. */
  createdAt: number;
  agent: string;
  persona: OutboundMessage['persona'];
  place: SurfacePlace;
  target: {
    eventId: string;
    /** Under which it was posted. */
    idempotencyKey: string;
    /** The messages that it was posted as. A message in parts has several, and only a delete is asked for those. */
    platformIds: readonly string[];
  };
} & (
  | {
      type: 'edit';
      /** As in a message. */
      text: string;
      /** Whom the message mentioned already. Nobody else is pinged. */
      mentions: readonly OutboundMention[];
    }
  | { type: 'delete' }
);

export type PostOutcome =
  /** `platformId`: edits, deletes, reactions and replies may name the message by this id from now on. */
  | { type: 'visible'; platformId: string /** Posted later than asked, as by a pull. */; at?: number }
  /** Not posted yet: it waits until the surface's own client pulls it. */
  | { type: 'pending' }
  | { type: 'absent' }
  | { type: 'retry'; afterMs?: number; error: string }
  /** The answer was lost. `find` can tell later. */
  | { type: 'unknown'; error: string }
  /** The answer was lost, and nobody can ever tell. It is not sent again, and whatever comes after it goes on. */
  | { type: 'unknowable'; error: string }
  /** `account`: the login is dead and nothing of this surface works. The message is kept until it is back. */
  | { type: 'refused'; error: string; scope?: 'message' | 'account' };
