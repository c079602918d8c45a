// Sends that wait for a person's `agree`: what the operator configured as sensitive, and what may quote a private
// conversation somewhere else, because it answers one or because its turn has read one.
import { findTurn } from '../kernel/agent-record.ts';
import type { HostContext } from '../kernel/context.ts';
import { type ConversationState, parentKeyOf } from '../kernel/conversation.ts';
import { type Room, mayQuote } from '../security/permissions.ts';
import { needsApproval } from '../security/sensitive.ts';
import type { SendView } from './send-rules.ts';

/** The reason a person must agree to it first, if there is one. */
export function needsAgreement(
  context: HostContext,
  { agent, input, answers, conversation: key, record }: SendView,
  conversation: ConversationState,
): string | undefined {
  const elsewhere = answers !== undefined && answers.conversation !== key;
  const configured = needsApproval(
    {
      agent,
      text: input.text,
      conversation: conversation.place.conversation.id,
      visibility: input.visibility,
      elsewhere,
    },
    context.sensitive,
  );
  if (configured !== undefined) return configured;
  const to = { key, ...parentRoom(conversation) };
  const read = findTurn(record, input.turnId)?.privateIn ?? [];
  const from = elsewhere && answers.record.event.conversation.kind === 'dm' ? [answers.conversation] : [];
  for (const source of new Set([...from, ...read])) {
    const quote = mayQuote({ key: source, kind: 'dm' }, to);
    if (!quote.ok) return quote.reason;
  }
  return undefined;
}

function parentRoom({ place }: ConversationState): Pick<Room, 'parent'> {
  const key = parentKeyOf(place);
  return key === undefined ? {} : { parent: { key, kind: 'channel' } };
}
