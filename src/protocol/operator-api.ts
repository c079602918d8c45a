// What the operator API answers, as types only. The host's routes write these shapes, the page and the command line
// read them. Times are ISO text, positions are the store's own count. The host cuts secrets out of every text.
import type { Author, Conversation } from './chat-event.ts';
import type { CorrectionLabel, CorrectionWay } from './correction.ts';
import type { RecordKind } from './log-record.ts';
import type {
  Blocks,
  ConversationMode,
  Directedness,
  Disposition,
  InboundDecision,
  InjectionMode,
  Intent,
  Policy,
  Reason,
  Signal,
} from './vocabulary.ts';
import type { LaterChange } from './operator-later.ts';
import type { ShownTurn } from './operator-turns.ts';

export type * from './operator-analysis.ts';
export type * from './operator-turns.ts';

/** Every failure, whatever the route. */
export interface OperatorError {
  error: { code: string; message: string };
}

/** The trace as data: the deciding rule, the row of the policy table, what lowered the policy, and the facts used. */
export interface ShownTrace {
  rung: string;
  as?: string;
  row: string;
  facts: Readonly<Record<string, string | number | boolean>>;
  lowered?: readonly string[];
}

export interface ShownDecision {
  agent: string;
  decision: InboundDecision;
  directedness: Directedness;
  policy: Policy;
  mode: InjectionMode;
  reason: Reason;
  intent: Intent;
  trace: ShownTrace;
  /** It takes a turn of the agent's model. A fragment joins the turn of the message it continues. */
  turn: boolean;
}

/** One record of the log. */
export interface LogEntry {
  /** Missing in the stream; `GET /v1/log` has it. */
  position?: number;
  eventId: string;
  /** The source's own id, where the event id is another one. */
  sourceId?: string;
  seq: number;
  at: string;
  kind: RecordKind;
  /** The hash of the version of the settings that decided it. */
  settings?: string;
  type: string;
  platform: string;
  workspaceId: string;
  conversation: Conversation;
  /** The conversation's key, as filters and actions take it. */
  conversationKey: string;
  author: Author;
  text?: string;
  replyTo?: string;
  targetEventId?: string;
  signal?: Signal;
  /** The content of a mode, claim, focus or turn record. */
  agent?: string;
  mode?: ConversationMode;
  op?: 'claim' | 'renew' | 'release';
  phase?: 'started' | 'ended';
  turnId?: string;
  /** Of a turn that failed, with what its harness said about it. */
  outcome?: 'failed';
  error?: string;
  ttlMs?: number;
  /** How far an agent's work is, out of `total` where that is known. */
  progress?: number;
  total?: number;
  obligation?: { blocks: Blocks; defaultAction: string };
  recipients?: readonly string[];
  /** On an escalation: who does not answer. `recipients` has who is asked now. */
  blockedOn?: string;
  /** On a correction: what `agent` should have done with the target, and how that was said. */
  label?: CorrectionLabel;
  how?: CorrectionWay;
  /** On a second opinion: whether the target is for `agent`. */
  verdict?: 'for' | 'not_for';
  decisions: readonly ShownDecision[];
}

/**
 * `GET /v1/log`. Where to read, one of: `after` (or `cursor`), `before`, `offset`, `time`, `last=true`. Filters:
 * `agent`, `conversation` (key or id), `policy`, `reason`, `decision`, `type` (several with commas), `author`,
 * `text`, `from`, `to`. Rows are always oldest first.
 */
export interface LogPage {
  log: readonly LogEntry[];
  /** How many records the conversation has, or the whole log without a filter. Null under any other filter. */
  total: number | null;
  /** How many of those come before the first row of this page. Null under any other filter. */
  offset: number | null;
  /** The ends of the whole log, for a scrollbar over positions or time. */
  first: LogEnd | null;
  last: LogEnd | null;
  /** To go on, pass it as `before`. Missing when there is nothing earlier. */
  prevCursor?: string;
  /** To go on, pass it as `after`. Missing when there is nothing later. */
  nextCursor?: string;
  /** Where to go on following the log, even when this page was not full. */
  tailCursor?: string;
  /** False when the host read so much that the page ends early. Go on with the cursor. */
  complete: boolean;
}
export interface LogEnd {
  position: number;
  at: string;
}

/**
 * `GET /v1/why/:eventId?agent=&conversation=`. One entry per agent of the host, asked or not. `eventId` is the event id,
 * or what its source calls it; `conversation` (key or id) chooses among events that their sources call the same.
 */
export interface WhyAnswer {
  event: LogEntry;
  /** Other events that their sources call by the id that was asked for. */
  namesakes?: readonly Namesake[];
  agents: readonly WhyAgent[];
  /** What was decided, as data, only for agents that were asked. */
  decisions: readonly (ShownDecision & Told)[];
  deliveries: readonly ShownDelivery[];
  /** What has happened to the event since, oldest first, in words. */
  later: readonly LaterChange[];
  /** Set when nobody was asked: why, in words. */
  note?: string;
}
export interface Namesake {
  eventId: string;
  at: string;
  platform: string;
  workspaceId: string;
  conversation: Conversation;
  conversationKey: string;
}
/** `GET /v1/why/:eventId/state?agent=…`: what the agent's host remembered of the conversation before the event. */
export interface StateUsed {
  eventId: string;
  agent: string;
  remembered: readonly { what: string; words: string }[];
  /** The state is folded again for this answer. It is not complete when the beginning was left out. */
  records: number;
  complete: boolean;
}
/** `GET /v1/why/:eventId/prompt?agent=…`: what the agent's model read in the turns about the event, oldest first. */
export interface PromptsShown {
  eventId: string;
  agent: string;
  prompts: readonly ShownPrompt[];
  /** Set when there is none: why, in words. */
  note?: string;
}
export interface ShownPrompt {
  at: string;
  /** Missing when the host rendered it for a model that pulls. */
  turnId?: string;
  /** Without secrets, and cut in the middle when it was long. */
  text: string;
}
export interface Told {
  /** "lead must answer: it is mentioned." */
  headline: string;
  /** In order: what was checked, what decided, what lowered it, what it means. No names of rules. */
  steps: readonly string[];
}
export interface WhyAgent extends Told {
  agent: string;
  /** `asked`: there is a decision. Any other word says why there is none. */
  status: 'asked' | 'not_bound' | 'author' | 'unasked' | 'unknown_agent';
  decision?: ShownDecision;
  /** In words, what became of it for this agent. */
  since: readonly LaterChange[];
  /** The turns that it took about it. */
  turns: readonly ShownTurn[];
}

/** `GET /v1/deliveries?agent=&state=`. Open ones when neither is given. Pass `nextCursor` as `cursor` to go on. */
export interface DeliveriesPage {
  deliveries: readonly ShownDelivery[];
  nextCursor?: string;
}
export interface ShownDelivery {
  key: string;
  agent: string;
  conversation: string;
  eventId: string;
  /** The event in the log that it is about. */
  source: string;
  /** The beginning of what was said. Only in `GET /v1/deliveries`, and only while the text is kept. */
  text?: string;
  policy: Policy;
  mode: InjectionMode;
  state:
    | 'held'
    | 'queued'
    | 'handed'
    | 'accepted'
    | 'turn_taken'
    | 'settled'
    | 'superseded'
    | 'dead_lettered';
  disposition: Disposition | null;
  why: string | null;
  attempt: number;
  sends: number;
  createdAt: string;
  settledAt: string | null;
  dueAt: string | null;
  dueFor: 'hand' | 'deadline' | 'lapse' | 'offer' | null;
  /** What the harness said about the last turn that failed on it. */
  error?: string;
}

/** `GET /v1/agents?limit=&cursor=`. */
export interface AgentsPage {
  agents: readonly ShownAgent[];
  /** False when there are more conversations than the host reads for modes and loops. */
  complete: boolean;
  nextCursor?: string;
}
export interface ShownAgent {
  id: string;
  name: string;
  aliases: readonly string[];
  roles: readonly string[];
  lead: string | null;
  connected: boolean;
  /** Nobody has heard from its harness for a while, by whatever way it connects: what it is asked waits. */
  away: boolean;
  /** Deliveries that are in memory, on their way to it. */
  load: number;
  /** The turn that its harness has started and not ended. */
  busy: { turnId: string; since: string | null; eventIds: readonly string[]; sends: number } | null;
  /** Its last turns failed, until one ends well: how many, since when, and what its harness said about the last one. */
  failing: { turns: number; since: string; at: string; error: string | null } | null;
  /** Its calls now, and since the start those refused because it had used its share: the limit of the last, and when. */
  calls: { running: number; waiting: number; refused: ShownRefusals | null };
  /** Open deliveries, and how many of them must be answered. `more` is true when counting stopped at COUNTED_MAX. */
  queue: { open: number; mustRespond: number; oldestAt: string | null; more: boolean };
  obligations: { owes: readonly ShownObligation[]; blockedOn: readonly ShownObligation[]; blocks: number };
  claims: readonly ShownClaim[];
  /** Agents with which it may be going in circles, and where. The highest count first. */
  loops: readonly ShownLoop[];
  /** Conversations in which it has a mode of its own, `left` included. */
  modes: readonly { conversation: string; id: string; title: string | null; mode: ConversationMode }[];
  focusUntil: string | null;
  /** What it has spent today (UTC), and what is left of its budget. `level`: see the setting `budget`. */
  spent: {
    turns: number;
    tokens: number;
    /** Of the tokens: those that nobody has counted. */
    tokensEstimated: number;
    usd: number;
    budget: { tokensPerDay?: number; usdPerDay?: number; turnsPerDay?: number } | null;
    level: 'within' | 'spent' | 'overspent';
  };
  lastSession: { epoch: number; openedAt: string; closedAt: string | null; protocolVersion: string } | null;
  /** Now while it is connected, else the end of its last session. Null when it was never connected. */
  lastSeenAt: string | null;
}
export type ShownRefusals = { count: number; reason: string; at: string };
export interface ShownLoop {
  conversation: string;
  id: string;
  /** The two. In the preset `typeclaw`: the one whose turns are counted. */
  agents: readonly string[];
  /** 0: counted. 1: they are told that they may stay silent. 2: stopped, until a person speaks to one of them. */
  level: 0 | 1 | 2;
  count: number;
  cause: string | null;
}

/** `GET /v1/conversations?limit=&cursor=`. */
export interface ConversationsPage {
  conversations: readonly ShownConversation[];
  nextCursor?: string;
}
/** `GET /v1/settings`: the settings of this host that differ from the defaults. */
export interface SettingsAnswer {
  configVersion: string;
  /** As in earshot.yaml: preset, agents, conversations, limits, owner. */
  attention: Readonly<Record<string, unknown>>;
}

export interface ShownConversation {
  key: string;
  platform: string;
  workspaceId: string;
  conversation: Conversation;
  surface: string;
  events: number;
  lastAt: string;
  /** Agents bound here. */
  agents: readonly string[];
  modes: Readonly<Record<string, ConversationMode>>;
  /** Notches of the dial that people asked for in the chat, and that are in force. */
  dials: Readonly<Record<string, 'quiet' | 'balanced' | 'keen'>>;
  loops: readonly Omit<ShownLoop, 'conversation' | 'id'>[];
  claims: readonly ShownClaim[];
}

/** `GET /v1/surfaces`: where chat happens, and whether it works. */
export interface SurfacesAnswer {
  surfaces: readonly ShownSurface[];
}
export interface ShownSurface {
  id: string;
  platform: string;
  /** `limited`: it works, but deaf or mute in part. `down`: nothing works until somebody has done what `fix` says. */
  state: 'up' | 'retrying' | 'limited' | 'down';
  since: string;
  /** How it is, in words. */
  said: string;
  /** What a person can do; null while it is up. */
  fix: string | null;
}

/** `GET /v1/claims`: every live claim. The one that ends first comes first. */
export interface ClaimsAnswer {
  claims: readonly ShownClaim[];
  complete: boolean;
}
export interface ShownClaim {
  agent: string;
  conversation: string;
  conversationId: string;
  /** Null: the whole conversation, or an event too old to be named. */
  eventId: string | null;
  scope: 'event' | 'conversation';
  until: string;
  leftMs: number;
  token: number;
}

/** `GET /v1/obligations?owedBy=&owedTo=`: ordered by what they block, then by age. */
export interface ObligationsAnswer {
  obligations: readonly ShownObligation[];
  total: number;
}
export interface ShownObligation {
  /** For `POST /v1/obligations/:key/discharge`. */
  key: string;
  eventId: string;
  kind: 'question' | 'reciprocal' | 'escalation';
  /** Identities, such as `agent:lead` or `human:U1`. */
  owedBy: string;
  owedTo: string;
  /** Who is asked for it now: `owedBy`, or whoever it was escalated to. */
  askedNow: string;
  conversationId: string;
  createdAt: string;
  ageMs: number;
  blocks: Blocks;
  defaultAction: string;
  state: 'open' | 'paused' | 'escalated';
  /** The rung of the ladder, also in words. */
  rung: 'recipient' | 'coordinator' | 'human';
  tier: number;
  returns: number;
  nextAt: string | null;
  words: string;
  /** On an escalation: the obligations it is about. */
  items: readonly string[];
  /** Its recipient has said `done`: evidence, not discharge. */
  doneAt: string | null;
  /** Who may discharge it, and whether an operator may do so for the owner. */
  mayDischarge: readonly string[];
  operatorMay: boolean;
}

/** `GET /v1/inbox?open=true|false|all`. */
export interface InboxPage {
  inbox: readonly ShownInboxItem[];
  nextCursor?: string;
}
export interface ShownInboxItem {
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
  detail: Readonly<Record<string, unknown>>;
  open: boolean;
  createdAt: string;
  closedAt: string | null;
  /** What it is and what to do, in one sentence. */
  words: string;
}

/** `POST /v1/agents/:id/mode|disengage|focus`, `/v1/obligations/:key/discharge`: the result in one sentence. */
export interface ActAnswer {
  ok: true;
  words: string;
  /** The record that the act became in the log, if it became one. */
  eventId?: string;
}

/**
 * `GET /v1/stream`: server-sent events. `event:` is the type, `data:` the rest. The log has the truth; news may be
 * lost.
 */
export type StreamNews =
  | { type: 'logged'; data: LogEntry }
  | { type: 'deliver'; data: ShownDelivery }
  | { type: 'settled'; data: ShownDelivery }
  | { type: 'withdraw'; data: ShownDelivery & { reason: string } }
  | { type: 'outbox'; data: { key: string } }
  | { type: 'inbox'; data: { key: string } }
  | { type: 'typing'; data: { conversation: string; author: Author; typing: boolean } }
  | { type: 'cancel_turn'; data: { agent: string; conversation: string; reason: string; seq: number } }
  | { type: 'session'; data: { agent: string; connected: boolean } }
  | { type: 'surface'; data: { surface: string; state: string } }
  /** Other settings are in force: agents that came and agents that went. */
  | { type: 'settings'; data: { added: readonly string[]; removed: readonly string[] } }
  | { type: 'progress'; data: { agent: string; detail: Readonly<Record<string, unknown>> } };
