// The host's own edits and deletes, as a platform tells of them. Some platforms cannot carry a mark there: what they tell
// is known by the message and by what has become of it. Such an echo is answered `repeat` and never attended again; it
// also proves that the amendment is shown.
import type { ChatEvent, ChatEventOf } from '../../protocol/chat-event.ts';
import { isHostIdOf } from '../../protocol/derived-id.ts';
import type { OutboxRow } from '../../store/tables.ts';
import { amendmentHash, sendOf } from '../outbox/amendment-row.ts';
import { isUnderWay, messageBodyOf } from '../outbox/outbox-row.ts';
import { type Echo, type EchoDeps, findPost, showSend } from './own-posts.ts';

export type AmendingEvent = ChatEventOf<'edit'> | ChatEventOf<'delete'>;

export function isAmending(event: ChatEvent): event is AmendingEvent {
  return event.type === 'edit' || event.type === 'delete';
}

/** Whether the host has just this done to the message, or is doing it. */
export async function matchAmendment(deps: EchoDeps, event: AmendingEvent, surface: string): Promise<Echo> {
  const { store } = deps.context;
  // Where nothing of the host has an id of the platform, only the host's own id names one of its posts.
  if (!deps.shownAs.hasAny(surface) && !isHostIdOf('send', event.targetEventId)) return { type: 'none' };
  const target = await findPost(deps, event, surface, event.targetEventId);
  const sent = target === undefined ? undefined : await sendOf(store, target);
  const newest = sent === undefined ? undefined : messageBodyOf(sent).amended;
  const row = newest === undefined ? undefined : await store.get('outbox', newest.key);
  if (row === undefined || !isSame(event, row)) return { type: 'none' };
  // What waits, or came to nothing, was not done by us: somebody else has done it.
  if (row.state !== 'visible' && !isUnderWay(row)) return { type: 'none' };
  if (row.state !== 'visible') await showSend(deps, row, []);
  const logged = await store.get('log', row.eventId);
  return logged === undefined ? { type: 'none' } : { type: 'repeat', row: logged };
}

/** A delete says nothing of who did it. An edit by a person is theirs, whatever it says. */
function isSame(event: AmendingEvent, row: OutboxRow): boolean {
  if (event.type === 'delete') return row.kind === 'delete';
  if (event.author.kind === 'human' || row.kind !== 'edit') return false;
  return row.bodyHash === amendmentHash({ type: 'edit', text: event.text ?? '' });
}
