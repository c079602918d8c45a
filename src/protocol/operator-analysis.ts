// What the operator API answers when it counts, tries and compares: turns over time, one decision under other settings,
// a period or a transcript decided again. Types only; part of operator-api.ts.
import type { ShownDecision, Told } from './operator-api.ts';

/** `GET /v1/stats?from=&to=&bucket=minute|hour|day&agent=&conversation=`. */
export interface StatsAnswer {
  from: string;
  to: string;
  bucketMs: number;
  /** Oldest first; buckets in which nothing happened are left out. */
  buckets: readonly (Tally & { at: string })[];
  totals: Tally;
  byAgent: readonly (Omit<Tally, 'messages'> & { agent: string })[];
  byConversation: readonly (Tally & { conversation: string; id: string })[];
  /** False when the period holds more than the host reads. Then `from` says where counting began. */
  complete: boolean;
}
export interface Tally {
  /** Messages of everybody, also when the question is about one agent. */
  messages: number;
  /** Decisions that take a turn. */
  turns: number;
  /** One turn per message of somebody else and bound agent. */
  everythingTurns: number;
  /** One turn per direct message and @mention. */
  mentionTurns: number;
  /** everythingTurns - turns. */
  savedEverything: number;
  /** Turns taken that a mention-only bot would not have taken: what it would have missed. */
  mentionMissed: number;
  /** Direct messages and @mentions that took no turn here: what it would have added. */
  mentionAdded: number;
  /** What models have read and written, as their providers and programs reported it, else as an estimate. */
  tokens: number;
  tokensIn: number;
  tokensOut: number;
  /** Of those read: from a cache. */
  tokensCached: number;
  /** Of all tokens: those that are an estimate from the length of the text. */
  tokensEstimated: number;
  /** US dollars, as far as they were reported. */
  usd: number;
  /** Messages agents have said. */
  answers: number;
}

/** `POST /v1/what-if` {eventId, agent, settings}. */
export interface WhatIfAnswer {
  eventId: string;
  agent: string;
  /** As it was decided then. Null: it was not asked. */
  decided: (ShownDecision & Told) | null;
  /** From the same record and the state before it, under the settings of now. */
  now: (ShownDecision & Told) | null;
  /** From the same record and state, under the changed settings. */
  changed: (ShownDecision & Told) | null;
  /** Whether `changed` differs from `now` in what is done. */
  differs: boolean;
  /** In one sentence, what the change would do. */
  words: string;
  /** How many records the state was folded from. `complete` is false when older ones are gone or were left out. */
  records: number;
  complete: boolean;
}
/** What may be changed in a what-if; every part is optional. */
export interface SettingsPatch {
  preset?: 'default' | 'typeclaw';
  limits?: Readonly<Record<string, number>>;
  /** Changes to the agent asked about: aliases, roles, respondTo, ignore, triggers, stickiness, conversations… */
  agent?: Readonly<Record<string, unknown>>;
  /** Changes to this conversation: mode, openFloor, defaultResponder, stickiness, broadcastRole. */
  conversation?: Readonly<Record<string, unknown>>;
}

/**
 * `POST /v1/replay`: {from, to} of the log or {transcript} (one ChatEvent a line), under `config` and `against` (whole
 * attention configurations as JSON; the host's own for `config` when left out). With `against`: `config` is before and
 * `against` after. Without: before is what was decided then, for a transcript the host's own configuration; after is
 * `config`. `all: true` lists every decision, not only those that differ.
 */
export interface ReplayAnswer {
  source: 'log' | 'transcript';
  /** Whether `before` is what was decided then, or a replay under a configuration. */
  before: 'decided' | 'config';
  events: number;
  decisions: number;
  different: number;
  turnsBefore: number;
  turnsAfter: number;
  turnsAdded: number;
  turnsSaved: number;
  differences: readonly ReplayDifference[];
  /** The first of the lines that are no ChatEvent. */
  malformed: { count: number; lines: readonly { line: number; problem: string }[] };
  duplicates: number;
  /** False when the period holds more than the host replays, or when more decisions differ than it lists. */
  complete: boolean;
}
export interface ReplayDifference {
  eventId: string;
  agent: string;
  at: string;
  author: string;
  conversation: string;
  /** The conversation as people see it: `#general`, `thread in #general`. */
  place: string;
  text: string;
  /** What differs besides policy and reason, in words. */
  changed: readonly string[];
  /** Null: the agent was not asked. */
  before: (ShownDecision & Told) | null;
  after: (ShownDecision & Told) | null;
}
