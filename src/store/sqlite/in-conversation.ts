// The deliveries of one agent in one conversation (`delivery.byAgentConversation`). A batch writes every page that got an
// entry, and an index of (agent, conversation, open) has a page for each agent in each conversation: a quarter of all that
// a commit wrote. So a delivery that is open is indexed by (agent, block, conversation), where a block is 4,096 positions.
// New entries then lie together, and a scan goes from block to block, of which an agent's open deliveries fill few. One
// that has ended is indexed by (agent, conversation), once and for good.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { ScanRange } from '../store.ts';
import type { RawRow } from './rows.ts';

const BLOCK_POSITIONS = 4_096;
/** The index has this very expression. */
const BLOCK = 'position >> 12';

interface Statements {
  ended: StatementSync;
  /** The next block in which the agent has anything open. */
  nextBlock: StatementSync;
  openInBlock: StatementSync;
}

export class InConversation {
  readonly #ascending: Statements;
  readonly #descending: Statements;

  constructor(db: DatabaseSync) {
    this.#ascending = prepare(db, false);
    this.#descending = prepare(db, true);
  }

  scan(range: Required<Pick<ScanRange, 'eq' | 'after' | 'before' | 'limit' | 'descending'>>): RawRow[] {
    const { eq, after, before, limit, descending } = range;
    const [agent, conversation, open] = eq as [SQLInputValue, SQLInputValue, number];
    const { ended, nextBlock, openInBlock } = descending ? this.#descending : this.#ascending;
    if (open === 0) return rowsOf(ended.all(agent, conversation, after, before, limit));
    const rows: RawRow[] = [];
    let block = descending ? blockOf(before) + 1 : blockOf(after) - 1;
    while (rows.length < limit) {
      const next = nextBlock.get(agent, block)?.block;
      if (next === undefined) break;
      block = Number(next);
      const left = limit - rows.length;
      rows.push(...rowsOf(openInBlock.all(agent, block, conversation, after, before, left)));
    }
    return rows;
  }
}

export function inConversationSql(descending: boolean): Record<keyof Statements, string> {
  const way = descending ? 'DESC' : 'ASC';
  const page = `position > ? AND position < ? ORDER BY position ${way} LIMIT ?`;
  return {
    ended: `SELECT position, doc FROM delivery WHERE agent = ? AND conversation = ? AND open = 0 AND ${page}`,
    nextBlock: `SELECT ${BLOCK} AS block FROM delivery
      WHERE agent = ? AND open = 1 AND ${BLOCK} ${descending ? '<' : '>'} ? ORDER BY ${BLOCK} ${way} LIMIT 1`,
    openInBlock: `SELECT position, doc FROM delivery
      WHERE agent = ? AND open = 1 AND ${BLOCK} = ? AND conversation = ? AND ${page}`,
  };
}

function prepare(db: DatabaseSync, descending: boolean): Statements {
  const { ended, nextBlock, openInBlock } = inConversationSql(descending);
  return {
    ended: db.prepare(ended),
    nextBlock: db.prepare(nextBlock),
    openInBlock: db.prepare(openInBlock),
  };
}

const blockOf = (position: number): number => Math.floor(position / BLOCK_POSITIONS);

const rowsOf = (rows: unknown): RawRow[] => rows as RawRow[];
