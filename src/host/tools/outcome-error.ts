// What the caller of a send is told when nothing came of it: it was cancelled, refused for good, or lost.
import { type WireError, wireError } from '../../protocol/errors.ts';
import { printableLine } from '../../protocol/identity.ts';
import type { OutboxState } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { cancelledError } from '../send/send.ts';

/** How much of a platform's reason the caller is shown. */
const PROBLEM_CHARS = 200;

/** `state`: what has become of the row. Undefined when it is shown, or still may be. */
export async function outcomeError(
  { store }: HostContext,
  key: string,
  state: OutboxState,
): Promise<WireError | undefined> {
  if (state !== 'cancelled' && state !== 'failed' && state !== 'lost') return undefined;
  const row = await store.get('outbox', key);
  if (state === 'cancelled') return row === undefined ? wireError('fenced') : cancelledError(row);
  const unsaid = state === 'failed' ? 'the platform refused it' : 'the answer was lost';
  const problem = printableLine(row?.error ?? unsaid, PROBLEM_CHARS);
  return wireError(state === 'failed' ? 'not_delivered' : 'outcome_lost', { problem });
}
