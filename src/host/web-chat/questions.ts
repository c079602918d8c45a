// What waits for a person, as buttons under the agent's line that says so. Whoever may decide does so by a choice, as on
// any platform with buttons (operator/surface-acts.ts). Once it is decided, wherever that was, the line says how.
import type { WebQuestion } from '../../protocol/web-chat.ts';
import type { LogRow } from '../../store/tables.ts';
import { inboxKeys } from '../inbox/inbox-row.ts';
import type { StoreReader } from '../kernel/context.ts';
import { messageBodyOf } from '../outbox/outbox-row.ts';
import { APPROVAL_CHOICES } from '../send/approval.ts';
import { outcomeWords } from '../send/outcome-words.ts';
import type { Person } from './people.ts';
import { WEB_PLATFORM, WEB_WORKSPACE } from './places.ts';
import { noSuch } from './refusals.ts';
import type { WebRoom } from './room.ts';
import { messageFor } from './where.ts';

/** The question of the message in this row, as it is now. Undefined: it asks nothing. */
export async function questionOn(store: StoreReader, row: LogRow): Promise<WebQuestion | undefined> {
  const asked = await sendBehind(store, row);
  const approval = asked === undefined ? undefined : messageBodyOf(asked).approval;
  if (approval === undefined) return undefined;
  const item = await store.get('inbox', inboxKeys.approval(approval));
  const send = await store.get('outbox', approval);
  if (item === undefined || send === undefined) return undefined;
  return item.open === 1
    ? { item: item.key, choices: [...APPROVAL_CHOICES] }
    : { item: item.key, choices: [], outcome: outcomeWords(item, send) };
}

export async function choose(
  room: WebRoom,
  person: Person,
  { eventId, choice }: { eventId: string; choice: string },
): Promise<{ text: string }> {
  const { store } = room.context;
  const row = await messageFor(room, person.id, eventId);
  const asked = await sendBehind(store, row);
  if (asked === undefined || messageBodyOf(asked).approval === undefined) throw noSuch('question');
  const { name } = (await room.people.all()).get(person.id) ?? person;
  const place = { platform: WEB_PLATFORM, workspaceId: WEB_WORKSPACE, conversationId: row.conversation };
  return room.act(asked.surface, {
    actId: `${eventId}/${choice}/${person.id}`,
    // Also in a direct message: a person of the web chat has one account.
    place,
    person: person.id,
    personName: name,
    type: 'choose',
    question: asked.key,
    choice,
  });
}

/** The send that this message of an agent was. */
async function sendBehind(store: StoreReader, { key, type, record }: LogRow) {
  if (type !== 'message' || record.event.author.kind !== 'agent') return undefined;
  const [sent] = await store.scan('outbox', 'byEvent', { eq: [key], limit: 1 });
  return sent?.kind === 'message' ? sent : undefined;
}
