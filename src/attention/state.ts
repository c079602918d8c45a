// Attention state: all that decisions need to remember of one conversation. It is plain JSON, every list is bounded,
// and only folding log records changes it. Its stored form (state-codec.ts) stays under 6 KB. Keys stand for people,
// agents and events (end of this file): '@lead' is our agent, any other key a person or somebody else's agent.
import type { AuthorKind, ConversationMode } from '../protocol/vocabulary.ts';
import type { RungId } from './directedness.ts';
import type { AttentionNotch } from './scorer/bands.ts';

export const STATE_VERSION = 4;

/** Every list has a limit. At the limit the least recent entry goes, except where noted. */
export const STATE_LIMITS = {
  /** More than an exchange lasts (20 messages). `forgotten` counts the humans that were dropped. */
  speakers: 24,
  /** UTF-8 bytes of a speaker's folded name. */
  nameBytes: 15,
  /** An agent with a mode or a notch of its own is never dropped; modes.ts refuses further ones at the limit. */
  agents: 16,
  credits: 8,
  asks: 4,
  windows: 3,
  claims: 6,
  recent: 10,
  /** Agents remembered per recent event, and of all recent events together. */
  addressed: 4,
  addressedInAll: 16,
  /** Pairs of agents that the loop guard watches. A stopped pair is the last to go. */
  loopPairs: 4,
  loopOpen: 3,
  /** Codes of what a pair has asked each other, of the figures in it, and of the words of its last ask. */
  loopAsks: 6,
  loopFigures: 3,
  loopWords: 2,
  /** Turns of the last minute. Only states of earlier have them. */
  peerTurns: 4,
  /** The last lines of the room, as the scorer remembers them. More than an exchange lasts. */
  lines: 32,
  /** Codes of words of a speaker's last lines. */
  words: 12,
  /** Lines of a speaker that are counted. Both counts are halved there, so that habits can change. */
  said: 32,
} as const;

declare const isStored: unique symbol;

export interface AttentionState {
  /** Exists in the types only. It tells a state from a draft. */
  readonly [isStored]?: true;
  readonly v: typeof STATE_VERSION;
  /** Time and seq of the last record. */
  readonly at: number;
  readonly seq: number;
  /** When the first record was folded. */
  readonly since: number;
  /** Messages so far. Exchanges are measured in messages, not in seconds. */
  readonly n: number;
  /** Who spoke last. */
  readonly last: string;
  /** Most recent first. */
  readonly speakers: readonly Speaker[];
  readonly forgotten: { humans: number; atMin: number };
  readonly agents: readonly AgentState[];
  readonly credits: readonly Credit[];
  readonly asks: readonly Ask[];
  readonly windows: readonly Window[];
  readonly claims: readonly Claim[];
  readonly recent: readonly Recent[];
  readonly loop: LoopState;
  readonly membership: Membership | null;
  /** Newest first. Records that name no version of the scorer leave no line. */
  readonly lines: readonly Line[];
  /** How fast people write here: the usual time between two lines, in eighths of powers of two of seconds. */
  readonly pace: number;
  /** A thread's root message, from its first record. */
  readonly root: { key: string; author: string; mentions: readonly string[]; othersSpoke: boolean } | null;
}

/**
 * A state while one record is folded into it: a copy that belongs to that step alone, so it is changed in place. The
 * types keep the two apart. A helper that changes its argument takes a draft and no state; a pure one takes a state.
 */
export type AttentionDraft = {
  -readonly [Field in Exclude<keyof AttentionState, typeof isStored>]: AttentionState[Field];
} & { readonly [isStored]: false };

export function openDraft(state: AttentionState): AttentionDraft {
  return { ...state } as unknown as AttentionDraft;
}

/** The draft must not be changed after this. */
export function closeDraft(draft: AttentionDraft): AttentionState {
  return draft as unknown as AttentionState;
}

export interface Speaker {
  key: string;
  kind: AuthorKind;
  /** Folded display name, cut to STATE_LIMITS.nameBytes. */
  name: string;
  /** When they last spoke, in minutes: it is only compared with days and hours. */
  atMin: number;
  /** Current partner: the last one they spoke to or were spoken to by. '' is nobody. */
  partner: string;
  /** Whether this speaker or the partner spoke last; at which message, and when. */
  spokeLast: boolean;
  partnerN: number;
  partnerAtMin: number;
  /** For the scorer: their lines, and how many of these named whom they are for. */
  said: number;
  called: number;
  /** The count `n` at their last question to nobody in particular. 0: none. */
  askedN: number;
  /** Codes of words of their last lines (scorer/words.ts), newest first. */
  words: string;
}

/** What the scorer remembers of a line: who said it, to whom as far as was known ('': nobody), and its form. */
export interface Line {
  readonly author: string;
  readonly to: string;
  /** Bits of LINE_FORM (scorer/line.ts). */
  readonly form: number;
}

export interface AgentState {
  key: string;
  /** Null: the mode of the conversation's settings and of the parent room applies. */
  mode: ConversationMode | null;
  /** What was asked for in the chat, and the number of the settings then. Null: the settings hold. */
  dial: { readonly notch: AttentionNotch; readonly from: number } | null;
  /** The count `n` at its last own message. 0: it has not spoken. */
  spokeN: number;
  /** Disengaged: no new exchange or credit until the running turn has ended. */
  disengaged: boolean;
  /** `follow`: when the last batch was given. */
  batchAt: number;
}

/** one_shot: this person's next message engages this agent. */
export interface Credit {
  author: string;
  agent: string;
  until: number;
}

/** A question of an agent that is not answered yet. `to` '' is the room. */
export interface Ask {
  agent: string;
  to: string;
  event: string;
  n: number;
}

/** An open compose window. The author's next messages without a target belong to it. */
export interface Window {
  author: string;
  firstAt: number;
  until: number;
  addressed: readonly Addressed[];
}

/** An agent that an event was for, and the rung that decided so. */
export interface Addressed {
  agent: string;
  rung: RungId;
}

/** A work claim on an event, or on the whole conversation (`event` ''). */
export interface Claim {
  event: string;
  agent: string;
  until: number;
  /** The fencing token: the seq of the record that granted it. */
  token: number;
}

/** One of the last messages, for edits, deletes, reactions and lead-in lines. */
export interface Recent {
  event: string;
  author: string;
  seq: number;
  at: number;
  textHash: number;
  addressed: readonly Addressed[];
  answeredBy: readonly string[];
}

export interface LoopState {
  /** Agents that talk to each other, most recent first. Preset `typeclaw`: an agent and '', for everybody. */
  readonly pairs: readonly LoopPair[];
  /** Counted for the preset `typeclaw` alone. */
  readonly peers: PeerTurns;
}

/** Two agents, and how far they are from going in circles (loop-guard.ts). */
export interface LoopPair {
  readonly a: string;
  readonly b: string;
  /** Who spoke last to the other. '' when a person has spoken to one of them since. */
  readonly last: string;
  readonly atMin: number;
  /** How many asks of each are open: neither answered nor met with another ask. At most STATE_LIMITS.loopOpen. */
  readonly openA: number;
  readonly openB: number;
  /** What the last ask was. */
  readonly ask: LoopAsk;
  readonly count: number;
  /** How often the last ask was passed on, from agent to agent, before it came here. */
  readonly passed: number;
  readonly stopped: LoopCause | null;
  /** Codes of what the two have asked each other and of the figures in it, newest first. */
  readonly asked: string;
  readonly figures: string;
  /** Codes of words of the last ask, by which an answer is recognised. */
  readonly about: string;
}

/** What was asked before; something new; something new with figures, ids or links in it; a question about such a task. */
export type LoopAsk = 'again' | 'new' | 'task' | 'back';

/** They asked each other without an answer; they repeated themselves; a person told one of them to stop. */
export type LoopCause = 'unproductive' | 'repeating' | 'told';

export interface PeerTurns {
  /** Agent turns since the last human, of all agents together. */
  readonly count: number;
  /** When the last human spoke, here or in the parent room. */
  readonly humanAt: number;
  /** The seconds of the last turns, newest first. Not written any more; states of earlier have them. */
  readonly at: readonly number[];
}

export interface Membership {
  humans: number;
  agents: number;
  complete: boolean;
  at: number;
}

export const MINUTE_MS = 60_000;

export function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS);
}

export function emptyState(): AttentionState {
  return {
    v: STATE_VERSION,
    at: 0,
    seq: 0,
    since: 0,
    n: 0,
    last: '',
    speakers: [],
    forgotten: { humans: 0, atMin: 0 },
    agents: [],
    credits: [],
    asks: [],
    windows: [],
    claims: [],
    recent: [],
    loop: { pairs: [], peers: { count: 0, humanAt: 0, at: [] } },
    membership: null,
    lines: [],
    pace: 0,
    root: null,
  };
}

const NO_AGENT: Omit<AgentState, 'key'> = {
  mode: null,
  dial: null,
  spokeN: 0,
  disengaged: false,
  batchAt: 0,
};

/** It was set by somebody, so it is not forgotten. */
export function isSet({ mode, dial }: Pick<AgentState, 'mode' | 'dial'>): boolean {
  return mode !== null || dial !== null;
}

/** Asked for each agent and line, so one of which nothing is known shares its answer with all of them. */
export function agentState(
  state: Pick<AttentionState, 'agents'>,
  key: string,
): Readonly<Omit<AgentState, 'key'>> {
  for (const agent of state.agents) if (agent.key === key) return agent;
  return NO_AGENT;
}

export function withAgent(state: AttentionState, key: string, change: Partial<AgentState>): AttentionState {
  return { ...state, agents: agentsWith(state, key, change) };
}

/** At the limit the longest-silent agent is forgotten for which nothing was set; another never is. */
export function agentsWith(
  state: Pick<AttentionState, 'agents'>,
  key: string,
  change: Partial<AgentState>,
): readonly AgentState[] {
  const changed = { key, ...agentState(state, key), ...change };
  const others = state.agents.filter((agent) => agent.key !== key);
  if (others.length < STATE_LIMITS.agents) return [changed, ...others];
  const dropped = others.findLastIndex((agent) => !isSet(agent));
  return [changed, ...others.toSpliced(dropped < 0 ? others.length - 1 : dropped, 1)];
}

export function findSpeaker(state: Pick<AttentionState, 'speakers'>, key: string): Speaker | undefined {
  for (const speaker of state.speakers) if (speaker.key === key) return speaker;
  return undefined;
}

// Keys. A key has at most eight characters, eleven for our own agents, so a full state stays under 6 KB with any
// platform's ids. A short id is its own key; a long one becomes a hash.

const LONGEST = 8;
const LONGEST_AGENT = 11;

export function shortKey(id: string): string {
  const first = id.charCodeAt(0);
  // '@' marks our own agents and '#' a hash, so an id that starts with either is hashed too.
  if (id.length <= LONGEST && first !== 64 && first !== 35 && isPlain(id)) return id;
  return `#${digits(hash53(id))}`;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** 42 bits in seven characters: among the 100 ids of a conversation, two collide once in 10^9 conversations. */
function digits(hash: number): string {
  let written = '';
  for (let rest = hash; written.length < LONGEST - 1; rest = Math.floor(rest / 64)) {
    written += DIGITS[rest % 64];
  }
  return written;
}

/** The key of one of our agents, by its configured id. It never equals that of an account with the same name. */
export function agentKey(id: string): string {
  return id.length < LONGEST_AGENT ? `@${id}` : `@#${hash53(id).toString(36).slice(0, 9)}`;
}

/** Printable ASCII without space, quote and backslash. Each character is one byte in JSON; a space separates keys. */
function isPlain(id: string): boolean {
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i);
    if (code < 33 || code > 126 || code === 34 || code === 92) return false;
  }
  return true;
}

/** cyrb53, which mixes two 32-bit lanes. Good enough for the few dozen ids of a conversation, not for security. */
function hash53(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
