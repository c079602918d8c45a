// The edits, deletions and reactions of one conversation, folded from the log. The fold starts at the first row and is
// then kept up to date. The messages themselves stay in the store.
import type { Author, Mention } from '../../protocol/chat-event.ts';
import type { Signal } from '../../protocol/vocabulary.ts';
import type { Scanned } from '../../store/store.ts';
import type { StoreReader } from '../kernel/context.ts';
import type { LogRow } from '../../store/tables.ts';
import { textOf } from '../kernel/log-row.ts';

export interface Amended {
  edit?: { text: string; mentions: readonly Mention[]; at: number };
  editIds: readonly string[];
  deleted: boolean;
  /** The authors of each signal, in order. */
  reactions: ReadonlyMap<Signal, readonly Author[]>;
}

export interface Amendments {
  of(eventId: string): Amended;
  /** The number of messages that are not deleted. */
  readonly messages: number;
  /** The time of the last message. */
  readonly lastAt: number;
}

/** Log rows in one read. */
const PAGE = 500;
/** Conversations kept in memory. The least recently used one is dropped, and folded again when it is needed. */
const KEPT = 1_000;

export const UNAMENDED: Amended = { editIds: [], deleted: false, reactions: new Map() };

export function createAmendments(store: StoreReader): (conversation: string) => Promise<Amendments> {
  const kept = new Map<string, { fold: Fold; reading: Promise<void> }>();
  return async (conversation) => {
    const before = kept.get(conversation) ?? { fold: new Fold(), reading: Promise.resolve() };
    const { fold } = before;
    // One reader at a time, so that each row is folded once and in order.
    const reading = before.reading.catch(() => undefined).then(() => catchUp(store, conversation, fold));
    kept.delete(conversation);
    kept.set(conversation, { fold, reading });
    if (kept.size > KEPT) kept.delete(kept.keys().next().value ?? '');
    await reading;
    return fold;
  };
}

async function catchUp(store: StoreReader, conversation: string, fold: Fold): Promise<void> {
  for (let more = true; more; ) {
    const rows = await store.scan('log', 'byConversation', {
      eq: [conversation],
      after: fold.seq,
      limit: PAGE,
    });
    for (const row of rows) fold.take(row);
    more = rows.length === PAGE;
  }
}

class Fold implements Amendments {
  seq = 0;
  messages = 0;
  lastAt = 0;
  readonly #amended = new Map<string, Amended>();

  of(eventId: string): Amended {
    return this.#amended.get(eventId) ?? UNAMENDED;
  }

  take(row: Scanned<LogRow>): void {
    const { event } = row.record;
    this.seq = row.seq;
    if (event.type === 'message') {
      this.messages++;
      this.lastAt = row.at;
      return;
    }
    if (event.type !== 'edit' && event.type !== 'delete' && event.type !== 'reaction') return;
    const target = event.targetEventId;
    const before = this.of(target);
    if (event.type === 'edit') {
      const edit = { text: textOf(row), mentions: event.mentions ?? [], at: row.at };
      this.#amended.set(target, { ...before, edit, editIds: [...before.editIds, row.key] });
    } else if (event.type === 'delete') {
      if (!before.deleted) this.messages--;
      this.#amended.set(target, { ...before, deleted: true });
    } else {
      const given = before.reactions.get(event.signal) ?? [];
      const others = given.filter(({ id, kind }) => id !== event.author.id || kind !== event.author.kind);
      const now = event.removed === true ? others : [...others, event.author];
      const reactions = new Map([...before.reactions, [event.signal, now] as const]);
      this.#amended.set(target, { ...before, reactions });
    }
  }
}
