// Posting an edit or a delete of a message that an agent has posted before.
import type { Place } from '../../attention/index.ts';
import type { OutboxRow } from '../../store/tables.ts';
import type { PostOutcome, Surface } from '../../surfaces/surface.ts';
import { agentsShown } from '../kernel/accounts.ts';
import type { HostContext } from '../kernel/context.ts';
import { isDeleted } from '../kernel/log-row.ts';
import { amendmentOf } from '../outbox/amendment-row.ts';
import { amendBodyOf } from '../outbox/outbox-row.ts';

/** A message that is gone cannot be edited. Deleting it again does no harm. */
export async function postAmendment(
  context: HostContext,
  surface: Surface,
  row: OutboxRow,
  place: Place,
): Promise<PostOutcome> {
  const { store } = context;
  const message = await store.get('log', amendBodyOf(row).targetEventId);
  if (row.kind === 'edit' && (message === undefined || isDeleted(message)))
    return { type: 'refused', error: 'the message was deleted meanwhile' };
  const amendment = await amendmentOf(store, row, place, agentsShown(context, place));
  if (amendment === undefined || surface.amend === undefined)
    return { type: 'refused', error: 'messages cannot be changed there any more' };
  return surface.amend(amendment);
}
