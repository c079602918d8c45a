// One stored event as a tool shows it: whose it is, what it says, and what became of it for the reader. It always fits
// into an answer. A text that is too long is cut in its middle, and the cut names the call that reads the rest.
import { mentionsOf, shortKey } from '../../attention/index.ts';
import { EVENT_LIMITS, type ChatEvent } from '../../protocol/chat-event.ts';
import type { Attachment } from '../../protocol/delivery.ts';
import { FIT_LIMITS, fitText, fittingItems, jsonBytes } from '../../protocol/fit.ts';
import { deliveryKey, identity } from '../../protocol/identity.ts';
import { instantMs, iso } from '../../protocol/log-record.ts';
import type { ListedEvent } from '../../protocol/tool-fields.ts';
import type { LogRow } from '../../store/tables.ts';
import { type ConversationState, placeOf, readConversation } from '../kernel/conversation.ts';
import { decisionForAgent, textOf } from '../kernel/log-row.ts';
import { attachmentsLeftOut, leftOut } from '../read/left-out.ts';
import { saidTo } from '../read/said-to.ts';
import type { ToolContext } from './tool-context.ts';

export async function listedEvent(tools: ToolContext, row: LogRow): Promise<ListedEvent> {
  const text = textOf(row);
  const attachments = attachmentsOf(row.record.event);
  const about = await aboutEvent(tools, row);
  if (text.length <= SMALL.textChars && attachments.length <= SMALL.attachments)
    return withContent(about, text, attachments);
  const { agreement } = tools;
  const listed = fittingItems(attachments, FIT_LIMITS.attachmentsBytes);
  const missing = attachments.length - listed.length;
  const notes = missing === 0 ? [] : [attachmentsLeftOut(agreement, row.key, missing, { textFrom: 0 })];
  const bare = jsonBytes(withContent(about, notes.join('\n'), listed)) + AROUND_TEXT;
  const words = fitText(text, FIT_LIMITS.eventBytes - bare, leftOut(agreement, row.key));
  return withContent(about, [words, ...notes].filter(Boolean).join('\n'), listed);
}

/** At or below both of these an event takes under 160,000 bytes, even if each character takes six. */
const SMALL = { textChars: 8_192, attachments: 4 } as const;
/** What stands around the text in a listed event. */
export const AROUND_TEXT = 64;

/** Everything but what it says. */
export async function aboutEvent({ context, agent }: ToolContext, row: LogRow): Promise<ListedEvent> {
  const { event } = row.record;
  const decided = decisionForAgent(row, agent);
  const delivery = await context.store.get('delivery', deliveryKey(row.key, agent));
  const state = await readConversation(context.store, row.conversation);
  const holder = holderOf(state, row.key, context.clock.now());
  const to = await saidTo(context, row);
  const mentioned = mentionsOf(row.record, context.rosterAt(placeOf(event), row.conversation));
  const mentions = fittingItems(
    mentioned.slice(0, EVENT_LIMITS.mentions).map(({ kind, id }) => identity(kind, id)),
    FIT_LIMITS.mentionsBytes,
  );
  const holderId = context.attention.agents.find(({ id }) => holder === `@${id}`)?.id;
  return {
    eventId: row.key,
    ...(row.sourceId !== undefined && { sourceId: row.sourceId }),
    target: `${event.conversation.kind}:${event.conversation.id}`,
    author: { id: event.author.id, kind: event.author.kind },
    createdAt: iso(instantMs(event.at)),
    type: row.type as ListedEvent['type'],
    ...(event.type === 'reaction' && {
      reaction: { targetEventId: event.targetEventId, signal: event.signal },
    }),
    ...(mentions.length > 0 && { mentions: [...mentions] }),
    ...(event.type === 'message' && event.inReplyTo !== undefined && { inReplyTo: event.inReplyTo }),
    ...(to.length > 0 && { to }),
    ...(decided && {
      directedness: decided.directedness,
      policy: delivery?.policy ?? decided.policy,
      mode: decided.mode,
    }),
    ...(delivery?.disposition && { disposition: delivery.disposition }),
    ...(holderId !== undefined && { claimedBy: identity('agent', holderId) }),
  };
}

/** With the text and the list of attachments, after the type. The agent can read an attachment later by its id. */
export function withContent(
  about: ListedEvent,
  text: string,
  attachments: readonly Attachment[],
): ListedEvent {
  if (text === '' && attachments.length === 0) return about;
  const { eventId, sourceId, target, author, createdAt, type, ...rest } = about;
  const words = text === '' ? [] : [{ type: 'text' as const, text }];
  const content = [...words, ...attachments.map((one) => ({ type: 'attachment' as const, ...one }))];
  const source = sourceId === undefined ? {} : { sourceId };
  return { eventId, ...source, target, author, createdAt, type, content, ...rest };
}

export function attachmentsOf(event: ChatEvent): readonly Attachment[] {
  return 'attachments' in event ? (event.attachments ?? []) : [];
}

/** Who holds a claim on the event. */
function holderOf(state: ConversationState | undefined, eventId: string, now: number): string | undefined {
  const event = shortKey(eventId);
  return state?.attention.claims.find((claim) => claim.event === event && claim.until > now)?.agent;
}
