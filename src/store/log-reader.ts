// Reads the log as people do: filtered, in both directions, from a time or a place in the list, and counted over
// time. It is part of the store port. Every store does it off the hot path, in small steps and within bounds; the
// answer says where it stopped.
import type { Scanned } from './store.ts';
import type { LogRow } from './tables.ts';

/** Rows read for one page of a filter without an index. Beyond it the page ends early. */
export const FIND_ROWS_MAX = 50_000;
/** Rows that one tally counts, newest first. Beyond it the tally ends early. */
export const TALLY_ROWS_MAX = 200_000;
/** Entries of one tally. Beyond it the tally ends early. */
export const TALLY_ENTRIES_MAX = 50_000;

export interface LogReader {
  /** A page of the rows that match, by position. */
  find(filter: LogFilter, range: LogRange): Promise<LogFound>;
  /** How many rows the log or one conversation has, how many come before a position, and where it begins and ends. */
  extent(conversation?: string, before?: number): Promise<LogExtent>;
  /**
   * The position of the first row at or after a time, or of the row at a place in the list. Undefined: there is none.
   */
  seek(to: LogPlace): Promise<number | undefined>;
  tally(query: TallyQuery): Promise<Tallied>;
}

/** All must hold. Agent, policy, reason and decision must hold for the same decision. */
export interface LogFilter {
  conversation?: string;
  /** `human:ada`, `ada`, or the name shown. */
  author?: string;
  types?: readonly string[];
  agent?: string;
  policy?: string;
  reason?: string;
  decision?: string;
  /** As in search. */
  words?: string;
}

export interface LogRange {
  /** Positions, exclusive. */
  after?: number;
  before?: number;
  limit: number;
  descending?: boolean;
}

export interface LogFound {
  rows: Scanned<LogRow>[];
  /** The last position that was read, when there may be more beyond it. */
  reached?: number;
}

export interface LogExtent {
  total: number;
  /** Rows before the position in the question. 0 without a position. */
  before: number;
  first: { position: number; at: number } | undefined;
  last: { position: number; at: number } | undefined;
}

export type LogPlace = { at: number } | { offset: number; conversation?: string };

export interface TallyQuery {
  /** Epoch ms: from, inclusive; to, exclusive. */
  from: number;
  to: number;
  bucketMs: number;
  conversation?: string;
  /** Counts only decisions about this agent. Records are all counted. */
  agent?: string;
}

/** A number of records, or of decisions about one agent, that are alike in all that is counted. */
export interface TallyEntry {
  /** The beginning of the bucket, epoch ms. */
  at: number;
  conversation: string;
  type: string;
  /** `human:`, `system:` or `agent:ID`, for a record; '' for a decision. */
  author: string;
  /** '' for a record. */
  agent: string;
  policy: string;
  mode: string;
  rung: string;
  claimFirst: boolean;
  count: number;
  /** Characters of their texts. */
  chars: number;
  /** Of turns that have ended: what they have cost. */
  usage?: UsageSum;
}

export interface UsageSum {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  /** Of the tokens: those that nobody has counted. */
  estimatedTokens: number;
  usd: number;
}

export interface Tallied {
  entries: readonly TallyEntry[];
  /** The time of the oldest row that was counted, when older rows of the period were not. */
  reached?: number;
}
