// What a store holds, in few bytes: for each table how many rows, and one hash over all of them in their order. Two stores
// with the same inventory hold the same.
import { createHash, hash } from 'node:crypto';
import { TABLES } from '../columns.ts';
import type { TableName } from '../tables.ts';

export type MovedTable = TableName | 'state';

/** In the order in which they are copied. */
export const MOVED: readonly MovedTable[] = [...TABLES, 'state'];

export interface Listed {
  table: MovedTable;
  rows: number;
  hash: string;
}

export class Digest {
  readonly #hash = createHash('sha256');
  #rows = 0;

  /** `place`: the position, of a state its key. `content`: the hash of its text. */
  add(place: string, key: string, wakeAt: number | null, content: string): void {
    this.#hash.update(`${JSON.stringify([place, key, wakeAt, content])}\n`);
    this.#rows++;
  }

  end(table: MovedTable): Listed {
    return { table, rows: this.#rows, hash: this.#hash.digest('hex') };
  }
}

export function textHash(text: string): string {
  return hash('sha256', text);
}

/** The tables in which the two differ. */
export function differences(one: readonly Listed[], other: readonly Listed[]): MovedTable[] {
  const known = new Map(other.map((listed) => [listed.table, listed]));
  return one.flatMap(({ table, rows, hash: of }) => {
    const found = known.get(table);
    return found?.rows === rows && found.hash === of ? [] : [table];
  });
}
