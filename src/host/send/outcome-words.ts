// How an approval ended, in words that stand under the question in chat.
import { printableLine } from '../../protocol/identity.ts';
import type { InboxRow, OutboxRow } from '../../store/tables.ts';
import { type Decided, decidedOn } from '../inbox/inbox-row.ts';

const NAME_CHARS = 80;

const DECIDED: Readonly<Record<Decided['what'], string>> = { approve: 'Approved', decline: 'Declined' };

export function outcomeWords(item: InboxRow, send: OutboxRow): string {
  const decided = decidedOn(item);
  if (decided === undefined) return unnamedWords(send);
  const { what, by, name = by.slice(by.indexOf(':') + 1) } = decided;
  return `${DECIDED[what]} by ${printableLine(name, NAME_CHARS)}.`;
}

function unnamedWords({ state, error }: OutboxRow): string {
  if (state !== 'cancelled') return 'Approved.';
  if (error === 'lapsed') return 'Nobody decided in time.';
  return error === 'declined' ? 'Declined.' : 'No longer needed.';
}
