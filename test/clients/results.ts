// What was seen, kept beside the table: one entry per client, so that clients can be tried one at a time.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ColumnName } from './columns/column.ts';

export type Cell =
  | { is: 'holds'; remark?: string }
  | { is: 'cannot'; why: string }
  | { is: 'fails'; why: string }
  | { is: 'not tried'; why?: string };

export interface ClientResult {
  /** Undefined when it is part of the tree. */
  version?: string;
  /** The day it was tried. */
  on: string;
  cells: Partial<Record<ColumnName, Cell>>;
}

export type Results = Record<string, ClientResult>;

const DOCS = resolve(import.meta.dirname, '../../docs/runners');
export const RESULTS_FILE = resolve(DOCS, 'matrix.json');
export const MATRIX_PAGE = resolve(DOCS, 'matrix.md');

export function readResults(): Results {
  return existsSync(RESULTS_FILE) ? (JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as Results) : {};
}

export function writeResults(results: Results): void {
  // Several clients may be tried at a time, and none may read half a file.
  const half = `${RESULTS_FILE}.${process.pid}`;
  writeFileSync(half, `${JSON.stringify(results, undefined, 2)}\n`);
  renameSync(half, RESULTS_FILE);
}
