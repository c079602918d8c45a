// LogRecord: one record of the log. Only records change attention state. A record is a ChatEvent with its place in the
// conversation (`seq`), the fold's time (`at`), and the facts that were looked up outside the conversation when it was
// written. A replay reads the same facts, so it decides the same.
import type { ChatEvent, ChatEventType } from './chat-event.ts';
import type { ConversationMode, Origin } from './vocabulary.ts';

/** `event`: from a surface. `act`: by an agent. `control`: by a person or the console. `tick`: by the host itself. */
export type RecordKind = 'event' | 'act' | 'control' | 'tick';

export interface LogRecord {
  kind: RecordKind;
  /** Counts from 1 inside the conversation, without gaps. */
  seq: number;
  /** Epoch ms. Never less than that of the record before it. The platform's own time is in `event.at`. */
  at: number;
  event: ChatEvent;
  facts: RecordFacts;
}

/** All that a decision may use besides what was folded from this conversation's own records. */
export interface RecordFacts {
  /** Hash of the configuration in force. */
  configVersion?: string;
  /** Version of the scorer's parameters in force. Without one, as in records of earlier, the scorer has no part in it. */
  scorer?: number;
  origin?: Origin;
  /** The newest membership read known when this was written. */
  membership?: { humans: number; agents: number; complete: boolean; at: number };
  /** Roles that a pairing code has given the author. */
  authorRoles?: readonly string[];
  /** Accounts that the event names, as the surface had learnt them. Those of the configuration are not repeated here. */
  accounts?: readonly AccountFacts[];
  /** A thread's parent room. */
  parent?: ParentFacts;
  /** A thread's root message: on the thread's first record only. */
  root?: { eventId: string; authorId: string; mentions: readonly string[] };
  /** Agents that asked to be left alone, and until when. */
  focus?: readonly { agent: string; until: number }[];
  /** Agents that have used their budget of the day, and until when. */
  budget?: readonly BudgetFacts[];
  /** A second opinion may be asked about it, and what the scorer is unsure of waits for it so long. */
  opinion?: { waitMs: number };
  /** Which of the agents in reach are connected and how busy they are, for role offers. */
  connected?: readonly string[];
  /** An agent's message replies to one of another agent that put a question or a task to it. */
  answersTask?: true;
  /** The event that an edit, delete or reaction refers to, when the state no longer remembers it. */
  original?: OriginalFacts;
}

/** `spent`: it answers only what must be answered. `overspent`: it answers nobody. */
export interface BudgetFacts {
  agent: string;
  level: 'spent' | 'overspent';
  until: number;
}

export interface AccountFacts {
  /** The platform's id, in the workspace of the event. */
  id: string;
  /** The agents that speak through it. `*`: every agent of the host. */
  agents: readonly string[] | '*';
  /** As people read it in a mention. */
  name: string;
}

export interface ParentFacts {
  modes?: readonly { agent: string; mode: ConversationMode }[];
  humans?: number;
  /** The parent is a direct message of two. `party`: the agent that it is with, as far as that is known. */
  direct?: { party?: string };
  /** When a human last spoke there. In the preset `typeclaw` that resets the count of agent turns here too. */
  humanAt?: number;
}

export interface OriginalFacts {
  eventId: string;
  authorId: string;
  /** Hash of the folded text. It tells whether an edit changed the words. */
  textHash: number;
  /** Agents that got it as `to_me`, and agents that have answered it. */
  addressed: readonly string[];
  answeredBy: readonly string[];
  /** For a claim: why the claimant may not have it. */
  unclaimable?: Unclaimable;
}

/** `for_other`: it is addressed to somebody else. `asks_nothing`: thanks, an acknowledgement or a status. `deleted`: it is. */
export type Unclaimable = 'for_other' | 'asks_nothing' | 'deleted';

const KINDS: Record<ChatEventType, RecordKind> = {
  message: 'event',
  edit: 'event',
  delete: 'event',
  reaction: 'event',
  membership: 'event',
  typing: 'event',
  progress: 'event',
  claim: 'act',
  mode: 'act',
  focus: 'act',
  disengage: 'act',
  turn: 'act',
  resolve: 'act',
  correction: 'act',
  opinion: 'tick',
  escalation: 'tick',
  tick: 'tick',
};

export function recordKind(event: ChatEvent): RecordKind {
  const kind = KINDS[event.type];
  return kind === 'act' && event.author.kind !== 'agent' ? 'control' : kind;
}

/** What the source calls the event. Only an event of a log, or exported from one, has two ids. */
export function sourceIdOf({ eventId, sourceId }: Pick<ChatEvent, 'eventId' | 'sourceId'>): string {
  return sourceId ?? eventId;
}

export function instantMs(at: ChatEvent['at']): number {
  return typeof at === 'number' ? at : Date.parse(at);
}

/** A time as it stands on the wire. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
