// Where a send goes, for the outbound rules: who sees it there, whether it was asked there, and which room its turn was
// asked in. All of it is worked out from the destination and from what the host handed out, never from what is declared.
import type { Place } from '../../attention/index.ts';
import type { Visibility } from '../../protocol/vocabulary.ts';
import type { UnitView } from '../../store/store.ts';
import type { LogRow } from '../../store/tables.ts';
import { type AgentRecord, findTurn, readAgentRecord } from '../kernel/agent-record.ts';
import type { HostContext } from '../kernel/context.ts';
import { type ConversationState, readConversation } from '../kernel/conversation.ts';
import type { Destination } from './private-way.ts';
import type { SendInput } from './send-rules.ts';

/**
 * Who sees it: everybody where it goes, or the one reader for whom the destination was checked (private-way.ts). A thread
 * in a direct message is as direct as the message.
 */
export function visibilityOf(
  { visibility }: SendInput,
  { to }: Destination,
  [room, above]: readonly [ConversationState, ConversationState | undefined],
): Visibility {
  if (visibility === 'ephemeral' && to === undefined) return 'ephemeral';
  const kinds = [room, above].map((state) => state?.place.conversation.kind);
  if (kinds.includes('dm')) return 'dm';
  return kinds[0] === 'thread' ? 'thread' : 'channel';
}

/** By the event that it answers. A send that names none was asked by the events that its turn was handed. */
export function isElsewhere(
  view: UnitView,
  record: AgentRecord,
  { turnId }: SendInput,
  answers: LogRow | undefined,
  key: string,
): boolean {
  if (answers !== undefined) return answers.conversation !== key;
  const asked = (findTurn(record, turnId)?.deliveries ?? []).map((one) => view.row('delivery', one));
  return asked.length > 0 && asked.every((row) => row?.conversation !== key);
}

/** Where the turn was asked. It decides which room is meant where several sources use one name. */
export async function placeOfTurn(
  { store }: Pick<HostContext, 'store'>,
  agent: string,
  turnId: string | undefined,
): Promise<Place | undefined> {
  if (turnId === undefined) return undefined;
  const [first] = findTurn(await readAgentRecord(store, agent), turnId)?.deliveries ?? [];
  const delivery = first === undefined ? undefined : await store.get('delivery', first);
  return delivery === undefined ? undefined : (await readConversation(store, delivery.conversation))?.place;
}
