// LogRecord: what the log holds and the only thing that changes attention state. A record is a ChatEvent with its
// place in its conversation (`seq`), the fold's time (`at`) and the facts that were looked up outside the
// conversation when it was written, so that a replay sees what was seen.
import type { ChatEvent, ChatEventType } from './chat-event.ts';
import type { ConversationMode, Origin } from './vocabulary.ts';

/** `event`: from a surface. `act`: an agent did it through a tool. `control`: a person or the console steered. */
export type RecordKind = 'event' | 'act' | 'control' | 'tick';

export interface LogRecord {
  kind: RecordKind;
  /** Counts from 1 inside the conversation, without gaps. */
  seq: number;
  /** Epoch ms, never less than the record before it; the platform's own time stays in `event.at`. */
  at: number;
  event: ChatEvent;
  facts: RecordFacts;
}

/** Everything a decision may use that is not folded from this conversation's own records. */
export interface RecordFacts {
  /** Hash of the configuration in force. */
  configVersion?: string;
  origin?: Origin;
  /** The newest membership read known when this was written. */
  membership?: { humans: number; agents: number; complete: boolean; at: number };
  /** Roles a pairing code has granted the author. */
  authorRoles?: readonly string[];
  /** A thread's parent room. */
  parent?: ParentFacts;
  /** A thread's root message: on the thread's first record only. */
  root?: { eventId: string; authorId: string; mentions: readonly string[] };
  /** Agents that asked to be left alone, and until when. */
  focus?: readonly { agent: string; until: number }[];
  /** Which of the agents in reach are connected and how busy they are, for role offers. */
  connected?: readonly string[];
  /** For an edit, delete or reaction of an event older than the state remembers. */
  original?: OriginalFacts;
}

export interface ParentFacts {
  modes?: readonly { agent: string; mode: ConversationMode }[];
  humans?: number;
  /** When a human last spoke there: resets loop counters here. */
  humanAt?: number;
}

export interface OriginalFacts {
  eventId: string;
  authorId: string;
  /** Hash of the normalised text, to see whether an edit changed any words. */
  textHash: number;
  /** Agents it was delivered to as to_me, and those that have answered it. */
  addressed: readonly string[];
  answeredBy: readonly string[];
}

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
  tick: 'tick',
};

export function recordKind(event: ChatEvent): RecordKind {
  const kind = KINDS[event.type];
  return kind === 'act' && event.author.kind !== 'agent' ? 'control' : kind;
}

export function instantMs(at: ChatEvent['at']): number {
  return typeof at === 'number' ? at : Date.parse(at);
}

/** A time as it stands on the wire. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
