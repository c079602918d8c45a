// What the writing thread asks of the worker: names, arguments and answers. One table gives both sides their types.
import type { LogExtent, LogFilter, LogPlace, LogRange, Tallied, TallyQuery } from '../log-reader.ts';
import type { RawFound } from '../log-reads.ts';
import type { ScanRange } from '../store.ts';
import type { TableName } from '../tables.ts';
import type { RawRow } from './rows.ts';

export interface Requests {
  scan: { args: [table: TableName, index: string, range: ScanRange]; answer: RawRow[] };
  search: { args: [words: string, limit: number]; answer: RawRow[] };
  findLog: { args: [filter: LogFilter, range: LogRange]; answer: RawFound };
  logExtent: { args: [conversation: string | undefined, before: number | undefined]; answer: LogExtent };
  seekLog: { args: [place: LogPlace]; answer: number | undefined };
  tallyLog: { args: [query: TallyQuery]; answer: Tallied };
  stats: { args: []; answer: Record<string, number> };
  check: { args: []; answer: string[] };
  /** Moves pages from the WAL into the file, as many as it can without blocking anybody. */
  checkpoint: { args: []; answer: null };
  /** Ends the running reads and lets later requests wait until `release`. */
  hold: { args: []; answer: null };
  release: { args: []; answer: null };
  /** Brings the search index up to date and erases scrubbed text from it. Answers the last change it has applied. */
  index: { args: []; answer: number };
  backup: { args: [file: string]; answer: null };
  close: { args: []; answer: null };
}
export type RequestName = keyof Requests;

export interface RequestMessage {
  id: number;
  name: RequestName;
  args: unknown[];
}

/** `errcode`: SQLite's number, because an Error loses it between threads. */
export type AnswerMessage =
  | { id: number; answer: unknown }
  | { id: number; error: string; errcode?: number | undefined };

export interface WorkerSetup {
  file: string;
}

export type RequestHandlers = {
  [N in RequestName]: (
    ...args: Requests[N]['args']
  ) => Requests[N]['answer'] | Promise<Requests[N]['answer']>;
};
