// The log folded again: stored records with the facts they were written with, through the same pure code, under any
// settings. For what-if and replay; in steps, because the host has other things to do.
import {
  type AttentionSettings,
  type AttentionState,
  type Decision,
  attend,
  emptyState,
} from '../../attention/index.ts';
import { nextTurn } from '../../runtime/schedule.ts';
import type { LogRow } from '../../store/tables.ts';
import { createRosters, type HostContext } from '../kernel/context.ts';
import { placeOf } from '../kernel/conversation.ts';

/** Records of one conversation folded to know the state before an event. Older ones are left out, and it is said. */
export const REFOLD_RECORDS_MAX = 10_000;
const PAGE = 500;

export class Refold {
  readonly #rosterAt: ReturnType<typeof createRosters>;
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

  /** As it is after what was folded. */
  stateOf(conversation: string): AttentionState {
    return this.#states.get(conversation) ?? emptyState();
  }

  /** What would be decided, leaving the state as it is. `from`: another's state. */
  decide(row: LogRow, from: Refold = this): { state: AttentionState; decisions: readonly Decision[] } {
    return attend(from.stateOf(row.conversation), row.record, this.rosterOf(row));
  }
}

/** Folds everything of the event's conversation before it. */
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
    // Retention may have cut the beginning.
    if (records === 0 && rows[0] !== undefined && rows[0].seq > start + 1) complete = false;
    for (const earlier of rows) refold.fold(earlier);
    records += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return { records, complete };
    after = last.seq;
    await aTurn();
  }
}

export function aTurn(): Promise<void> {
  return new Promise(nextTurn);
}
