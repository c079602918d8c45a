// The tables of the log and of everything that is delivered, sent or granted, as plain rows. Every store keeps these
// and nothing else; every scan names one of the indexes declared here, so that SQLite, PostgreSQL and memory stay one.
import type { LogRecord } from '../protocol/log-record.ts';
import type { Disposition, InjectionMode, Policy } from '../protocol/vocabulary.ts';

/** One record of one conversation, with what was decided about it. Written once, never changed but for scrubbing. */
export interface LogRow {
  /** The event's id: a repeat of the same event is a key conflict. */
  key: string;
  /** The source's own id, where the event's id is another one. */
  sourceId?: string;
  conversation: string;
  seq: number;
  /** When it was written, epoch ms. */
  at: number;
  type: string;
  author: string;
  record: LogRecord;
  /** Decisions packed as outcome → agents (host/kernel/log-row.ts). */
  decisions: readonly unknown[];
  /** Spans of secrets in the text, found once, applied wherever it is shown. */
  secrets: readonly (readonly [start: number, end: number])[];
}

export type DeliveryState =
  | 'held'
  | 'queued'
  | 'handed'
  | 'accepted'
  | 'turn_taken'
  | 'settled'
  | 'superseded'
  | 'dead_lettered';

/** What one agent is to be handed, exactly once settled. Its key is the idempotency key on the wire. */
export interface DeliveryRow {
  key: string;
  agent: string;
  conversation: string;
  /** The id the harness sees; derived (`evt/claimed`) for follow-ups, which then name the first in `source`. */
  eventId: string;
  /** The logged event it is about. */
  source: string;
  policy: Policy;
  mode: InjectionMode;
  state: DeliveryState;
  /** 1 until settled, superseded or dead-lettered. */
  open: 0 | 1;
  disposition: Disposition | null;
  /** Why it ended as it did, in a word (`no_answer`, `edited_away`, …). */
  why: string | null;
  attempt: number;
  /** When something is to be done about it: hand it again, deadline, lapse. Null: nothing by itself. */
  dueAt: number | null;
  dueFor: 'hand' | 'deadline' | 'lapse' | 'offer' | null;
  createdAt: number;
  settledAt: number | null;
  /** The turn that took it in, and how many sends that turn has committed. */
  turnId: string | null;
  sends: number;
  /** The decision and what a redelivery adds (reminder, requiresThreadCheck, edited text). */
  detail: Record<string, unknown>;
}

export type OutboxState =
  | 'awaiting_approval'
  | 'queued'
  | 'sending'
  | 'unknown'
  | 'visible'
  | 'failed'
  | 'lost'
  | 'cancelled';

/** What an agent (or the host for it) says: at most one visible message per key. */
export interface OutboxRow {
  /** `agent:idempotencyKey`. */
  key: string;
  agent: string;
  surface: string;
  conversation: string;
  kind: 'message' | 'reaction' | 'edit' | 'delete';
  state: OutboxState;
  /** The id of the event it will be once visible. */
  eventId: string;
  inReplyTo: string | null;
  turnId: string | null;
  bodyHash: string;
  body: Record<string, unknown>;
  attempt: number;
  dueAt: number | null;
  createdAt: number;
  /** The platform's own id, once visible. */
  platformId: string | null;
  error: string | null;
}

/** A file that an agent or a person of the web chat sends: kept for the platform, and for others who read it later. */
export interface FileRow {
  /** The id of the attachment. */
  key: string;
  /** The key of its send in the outbox. Empty for a file of a person. */
  send: string;
  /** The event that it belongs to. Nobody else's attachment is this file, whatever its id. */
  eventId: string;
  name: string;
  contentType: string;
  /** Base64. */
  data: string;
  createdAt: number;
}

export interface SessionRow {
  /** The agent. */
  key: string;
  /** Counts up: the newest session fences the older. */
  epoch: number;
  openedAt: number;
  closedAt: number | null;
  protocolVersion: string;
  /** The node on which it is. Missing where a store has one node. */
  node?: string;
}

/** An opaque per-key state (a conversation, an agent's focus, the obligations), encoded by whoever owns it. */
export interface StateRow {
  key: string;
  value: unknown;
  /** When a tick is due. */
  wakeAt: number | null;
}

export interface TokenRow {
  /** SHA-256 of the token; the token itself is shown once and never kept. */
  key: string;
  kind: 'agent' | 'surface' | 'operator' | 'person';
  subject: string;
  scopes: readonly string[];
  label: string;
  createdAt: number;
  revokedAt: number | null;
  /** It was revoked because somebody wrote it in chat. */
  leaked?: true;
  /** A person's name that nobody has chosen: the host made it up on its first start. */
  unnamed?: true;
  /** The room in which it was written, unless that was a direct message. */
  leakedIn?: string;
}

export interface PairingRow {
  /** SHA-256 of the code. */
  key: string;
  role: string;
  expiresAt: number;
  usedBy: string | null;
}

/** Roles of an account: `platform/workspace/id`. */
export interface GrantRow {
  key: string;
  roles: readonly string[];
}

/** `agent conversation`: the agent has seen everything up to this seq. */
export interface CursorRow {
  key: string;
  seq: number;
}

/** A role mention on its way round its holders, one at a time. Key: the event. */
export interface OfferRow {
  key: string;
  conversation: string;
  holders: readonly string[];
  /** Index of the holder it is with; holders.length when all have had it. */
  turn: number;
  open: 0 | 1;
  dueAt: number | null;
}

/** What waits for a human: escalations, dead letters, approvals. */
export interface InboxRow {
  key: string;
  kind:
    | 'loop_stopped'
    | 'no_answer'
    | 'declined'
    | 'obligation'
    | 'dead_letter'
    | 'approval'
    | 'lost_send'
    | 'offer_unclaimed'
    | 'leaked_token';
  eventId: string;
  agents: readonly string[];
  detail: Record<string, unknown>;
  createdAt: number;
  closedAt: number | null;
  open: 0 | 1;
}

/** Who did what through a tool, the console or the command line. */
export interface AuditRow {
  key: string;
  at: number;
  who: string;
  what: string;
  detail: Record<string, unknown>;
}

/** What the model of one turn read. Kept for a while, for operators. */
export interface PromptRow {
  /** The agent and the turn, or the key of the delivery that a model pulled. */
  key: string;
  agent: string;
  conversation: string;
  at: number;
  /** Null when the host rendered it for a model that pulls. */
  turnId: string | null;
  /** Keys of the deliveries that it is about. */
  deliveries: readonly string[];
  /** Without secrets, and cut in the middle when it was long. */
  text: string;
}

/** One version of the settings, in the order in which they came into force. */
export interface SettingsRow {
  /** Its number, from 1, in eight digits. */
  key: string;
  number: number;
  /** The hash that records carry which it decided. */
  version: string;
  at: number;
  /** Who changed them: a token's subject, or `file` or `start`. */
  by: string;
  way: 'start' | 'file' | 'page' | 'command';
  /** The file as it was, without secrets. Empty where the settings come from a program. */
  text: string;
  /** The attention settings, so that what it decided can be decided again. */
  attention: Record<string, unknown>;
  /** What was changed, in sentences. */
  words: readonly string[];
}

export interface Tables {
  log: LogRow;
  delivery: DeliveryRow;
  outbox: OutboxRow;
  file: FileRow;
  session: SessionRow;
  token: TokenRow;
  pairing: PairingRow;
  grant: GrantRow;
  cursor: CursorRow;
  offer: OfferRow;
  inbox: InboxRow;
  audit: AuditRow;
  prompt: PromptRow;
  settings: SettingsRow;
}
export type TableName = keyof Tables;

/**
 * Every index: columns compared for equality, then the column it is ordered by. `position` is the store's own count
 * of insertions, across tables and conversations; a row keeps its position when it is changed. Rows whose order column
 * is null are not in that index.
 */
export const INDEXES = {
  log: {
    byConversation: { eq: ['conversation'], order: 'seq' },
    byPosition: { eq: [], order: 'position' },
    bySourceId: { eq: ['sourceId'], order: 'position' },
  },
  delivery: {
    openByAgent: { eq: ['agent', 'open'], order: 'position' },
    byAgentConversation: { eq: ['agent', 'conversation', 'open'], order: 'position' },
    bySource: { eq: ['source'], order: 'position' },
    byDue: { eq: [], order: 'dueAt' },
    byState: { eq: ['state'], order: 'position' },
    byAgent: { eq: ['agent'], order: 'position' },
  },
  outbox: {
    byDue: { eq: [], order: 'dueAt' },
    bySurface: { eq: ['surface', 'state'], order: 'position' },
    byAgentConversation: { eq: ['agent', 'conversation'], order: 'position' },
    byEvent: { eq: ['eventId'], order: 'position' },
    byTurn: { eq: ['turnId'], order: 'position' },
    byPosition: { eq: [], order: 'position' },
  },
  file: {},
  session: {},
  token: { all: { eq: [], order: 'position' } },
  pairing: { all: { eq: [], order: 'position' } },
  grant: { all: { eq: [], order: 'position' } },
  cursor: {},
  offer: { byDue: { eq: [], order: 'dueAt' } },
  inbox: { byOpen: { eq: ['open'], order: 'position' }, byPosition: { eq: [], order: 'position' } },
  audit: { byPosition: { eq: [], order: 'position' } },
  prompt: {
    byConversation: { eq: ['conversation'], order: 'position' },
    byPosition: { eq: [], order: 'position' },
  },
  settings: { byPosition: { eq: [], order: 'position' } },
} as const satisfies Record<TableName, Record<string, { eq: readonly string[]; order: string }>>;

export type IndexName<T extends TableName> = keyof (typeof INDEXES)[T] & string;
