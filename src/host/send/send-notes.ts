// What a surface notes about a send with files while it posts it: the ids of what it has uploaded. The note is kept in
// the row of the send, so that after a crash the same uploads are looked for, and nothing is shown twice.
import type { OutboxRow } from '../../store/tables.ts';
import type { OutboundMessage } from '../../surfaces/surface.ts';
import { noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { messageBodyOf, noteOnSend } from '../outbox/outbox-row.ts';

/** A note is a list of ids, not a place for content. */
export const NOTE_CHARS = 2_000;

/** The message with its notes. */
export function withNotes(
  { store, apply }: Pick<HostContext, 'store' | 'apply'>,
  { key }: OutboxRow,
  message: OutboundMessage,
): OutboundMessage {
  return {
    ...message,
    notes: {
      async read() {
        const current = await store.get('outbox', key);
        return current === undefined ? undefined : messageBodyOf(current).note;
      },
      async write(note) {
        if (note.length > NOTE_CHARS) throw new RangeError(`a note has at most ${NOTE_CHARS} characters`);
        await apply({
          states: [],
          rows: [['outbox', key]],
          run(view) {
            const current = view.row('outbox', key);
            const change = current === undefined ? noChange() : noteOnSend(current, note);
            return { ...change, result: undefined };
          },
        });
      },
    },
  };
}
