// Reading the log as people do: filtered, both ways, from a time or a place in the list, and counted over time. Part of
// the store port; off the hot path in every store, in small steps, and bounded: what was not looked at is said.
import type { Scanned } from './store.ts';
import type { LogRow } from './tables.ts';

/** Rows looked through for one page of a filter that no index serves. Beyond, the page ends early. */
export const FIND_ROWS_MAX = 50_000;
/** Rows counted by one tally, newest first. Beyond, it ends early. */
export const TALLY_ROWS_MAX = 200_000;
/** Entries of one tally. Beyond, it ends early. */
export const TALLY_ENTRIES_MAX = 50_000;

export interface LogReader {
  /** A page of the rows that match, by position. */
  find(filter: LogFilter, range: LogRange): Promise<LogFound>;
  /** How long the log, or one conversation of it, is; how much lies before a position; where it begins and ends. */
  extent(conversation?: string, before?: number): Promise<LogExtent>;
  /** The position of the first row at or after this time; of the row at this place in the list. Undefined: none. */
  seek(to: LogPlace): Promise<number | undefined>;
  tally(query: TallyQuery): Promise<Tallied>;
}

/** All of them must hold; agent, policy, reason and decision of one and the same decision. */
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
  /** The last position looked at, when there may be more beyond it. */
  reached?: number;
}

export interface LogExtent {
  total: number;
  /** Rows before the position asked about; 0 without one. */
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
  /** Only decisions about this one; records are counted all the same. */
  agent?: string;
}

/** So many records, or decisions about one agent, that are alike in everything counted. */
export interface TallyEntry {
  /** Beginning of the bucket, epoch ms. */
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
}

export interface Tallied {
  entries: readonly TallyEntry[];
  /** The time of the oldest row counted, when older ones of the period were not. */
  reached?: number;
}
