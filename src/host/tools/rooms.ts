// Who is in the conversations of the events that a pull returns. A model over MCP has no prompt of ours, so it reads it
// here.
import { FIT_LIMITS } from '../../protocol/fit.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { WireEvent } from '../../protocol/wire-event.ts';
import type { ToolResult } from '../../protocol/tools.ts';
import { readConversation } from '../kernel/conversation.ts';
import { answerPage } from './answer-page.ts';
import type { ToolContext } from './tool-context.ts';

type Rooms = NonNullable<ToolResult<'chat.wait_events'>['rooms']>;

export async function roomsOf(
  events: readonly WireEvent[],
  { context: { store }, agent, participants }: ToolContext,
): Promise<Rooms> {
  const keys = new Set<string>();
  for (const { eventId } of events) {
    const row = await store.get('delivery', deliveryKey(eventId, agent));
    if (row !== undefined) keys.add(row.conversation);
  }
  const rooms = answerPage<Rooms[number]>(keys.size, FIT_LIMITS.roomsBytes);
  for (const key of keys) {
    const place = (await readConversation(store, key))?.place;
    const here = await participants(agent, key);
    if (place === undefined || here.participants.length === 0) continue;
    const { kind, id } = place.conversation;
    if (!rooms.take({ target: `${kind}:${id}`, ...here })) break;
  }
  return rooms.items;
}
