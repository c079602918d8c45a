// Who is in the conversations of the events that a pull returns. A model over MCP has no prompt of ours, so it reads it
// here.
import { deliveryKey } from '../../protocol/identity.ts';
import type { WireEvent } from '../../protocol/wire-event.ts';
import type { ToolResult } from '../../protocol/tools.ts';
import { readConversation } from '../kernel/conversation.ts';
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
  const rooms: Rooms = [];
  for (const key of keys) {
    const place = (await readConversation(store, key))?.place;
    const here = await participants(agent, key);
    if (place === undefined || here.participants.length === 0) continue;
    const { kind, id } = place.conversation;
    rooms.push({ target: `${kind}:${id}`, ...here });
  }
  return rooms;
}
