// One's own newest message in a conversation: what the up arrow edits.
import type { WebMessage } from '../../../protocol/web-chat.ts';
import type { ChatState } from '../state/state.ts';

export function lastOwnIn({ rooms, me }: ChatState, conversation: string): WebMessage | undefined {
  const held = rooms.get(conversation)?.held ?? [];
  return held.findLast(
    ({ message: { author, deleted } }) => author.kind === 'human' && author.id === me?.id && deleted !== true,
  )?.message;
}
