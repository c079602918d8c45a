// Folds stored records again, for what-if and replay. The records keep the facts they were stored with; the same pure
// code decides them, under any settings. Long folds yield to the event loop between pages, so the host keeps working.
import {
  type AttentionSettings,
  type AttentionState,
  type Decision,
  attend,
  emptyState,
} from '../../attention/index.ts';
import { nextTurn } from '../../runtime/schedule.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { placeOf } from '../kernel/conversation.ts';
import { createRosters, type RosterAt } from '../kernel/in-force.ts';

/**
 * At most this many records of a conversation are folded to get the state before an event. When there are more, the
 * oldest are left out and the answer says that it is not complete.
 */
export const REFOLD_RECORDS_MAX = 10_000;
const PAGE = 500;

export class Refold {
  readonly #rosterAt: RosterAt;
  readonly #states = new Map<string, AttentionState>();

  constructor(settings: AttentionSettings) {
    this.#rosterAt = createRosters(settings);
  }

  rosterOf({ record }: LogRow) {
    return this.#rosterAt(placeOf(record.event));
  }

  fold(row: LogRow): readonly Decision[] {
    const { state, decisions } = this.decide(row);
    this.#states.set(row.conversation, state);
    return decisions;
  }

  /** The state after all records folded so far. */
  stateOf(conversation: string): AttentionState {
    return this.#states.get(conversation) ?? emptyState();
  }

  /** Decides a record without changing the state. `from` gives the state of another fold. */
  decide(row: LogRow, from: Refold = this): { state: AttentionState; decisions: readonly Decision[] } {
    return attend(from.stateOf(row.conversation), row.record, this.rosterOf(row));
  }
}

/** Folds the records of the event's conversation up to the event. */
export async function foldUpTo(
  { store }: Pick<HostContext, 'store'>,
  refold: Refold,
  row: LogRow,
): Promise<{ records: number; complete: boolean }> {
  const start = Math.max(0, row.seq - 1 - REFOLD_RECORDS_MAX);
  let records = 0;
  let complete = start === 0;
  for (let after = start; ; ) {
    const rows = await store.scan('log', 'byConversation', {
      eq: [row.conversation],
      after,
      before: row.seq,
      limit: PAGE,
    });
    // Retention may have removed the first records.
    if (records === 0 && rows[0] !== undefined && rows[0].seq > start + 1) complete = false;
    for (const earlier of rows) refold.fold(earlier);
    records += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return { records, complete };
    after = last.seq;
    await yieldToEventLoop();
  }
}

export function yieldToEventLoop(): Promise<void> {
  return new Promise(nextTurn);
}
