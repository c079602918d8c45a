// Makes a delivery fit into a frame, whatever people wrote: no delivery is ever too large to be handed over. Its lists
// keep what fits of them, and the text gets the room that is left. Nearly every delivery is far smaller and passes as
// it is.
import { EVENT_LIMITS, type Mention } from '../../protocol/chat-event.ts';
import type { Attachment, Delivery } from '../../protocol/delivery.ts';
import { FIT_LIMITS, fitText, fitTexts, fittingItems, jsonBytes } from '../../protocol/fit.ts';
import type { Agreement } from '../../protocol/initialize.ts';
import { project } from '../../protocol/project.ts';
import type { WireEvent } from '../../protocol/wire-event.ts';
import { attachmentsLeftOut, leftOut } from '../read/left-out.ts';

/** One piece of a delivery's text. `eventId`: the event that it can be read from again. */
export interface Words {
  eventId: string | undefined;
  text: string;
}

/** At or below all of these a delivery takes under 190,000 bytes, even if each character takes six. */
const SMALL = { textChars: 8_192, mentions: 16, attachments: 4 } as const;
/** What stands around the text in an event. */
const AROUND_TEXT = 64;

/** `words`: the pieces that the text is made of. */
export function fittingEvent(payload: Delivery, words: readonly Words[], agreement: Agreement): WireEvent {
  if (isSmall(payload)) return project(payload, agreement);
  const { delivery, missing } = withFittingLists(payload);
  // The attachments of one message are listed with its text, those of several with each of them.
  const about = words.length === 1 ? { textFrom: 0 } : {};
  const notes = missing === 0 ? [] : [attachmentsLeftOut(agreement, payload.eventId, missing, about)];
  const bare = jsonBytes(project({ ...delivery, text: '' }, agreement)) + jsonBytes(notes) + AROUND_TEXT;
  const text = fittingWords(words, FIT_LIMITS.eventBytes - bare, agreement);
  return project({ ...delivery, text: [text, ...notes].filter(Boolean).join('\n') }, agreement);
}

function isSmall({ text, mentions, attachments = [], escalation }: Delivery): boolean {
  if (text.length > SMALL.textChars || mentions.length > SMALL.mentions) return false;
  return attachments.length <= SMALL.attachments && escalation === undefined;
}

/** `missing`: how many attachments are not on the list. */
function withFittingLists(payload: Delivery): { delivery: Delivery; missing: number } {
  const { attachments, escalation } = payload;
  const delivery: Delivery = { ...payload, mentions: fittingMentions(payload.mentions, payload.agent) };
  if (escalation !== undefined)
    delivery.escalation = { ...escalation, items: fittingDebts(escalation.items) };
  if (attachments === undefined) return { delivery, missing: 0 };
  const listed = fittingAttachments(attachments);
  return { delivery: { ...delivery, attachments: listed }, missing: attachments.length - listed.length };
}

/** Keeps the agent's own mention, because that is why it hears of the message. */
export function fittingMentions(mentions: readonly Mention[], agent: string): readonly Mention[] {
  const { mentions: most } = EVENT_LIMITS;
  if (mentions.length <= most && jsonBytes(mentions) <= FIT_LIMITS.mentionsBytes) return mentions;
  const isOwn = ({ kind, id }: Mention): boolean => kind === 'agent' && id === agent;
  const own = mentions.filter(isOwn);
  const others = mentions.filter((one) => !isOwn(one));
  return fittingItems([...own, ...others], FIT_LIMITS.mentionsBytes).slice(0, most);
}

export function fittingAttachments(attachments: readonly Attachment[]): readonly Attachment[] {
  return fittingItems(attachments, FIT_LIMITS.attachmentsBytes).slice(0, EVENT_LIMITS.attachments);
}

type Debts = NonNullable<Delivery['escalation']>['items'];
/** Of what an author will do, where the list is long. The question itself can be read. */
const ACTION_BYTES = 240;

/** Every debt is named, if its author's words have to be shortened for it. `chat.open_set` has all of them. */
function fittingDebts(debts: Debts): Debts {
  if (jsonBytes(debts) <= FIT_LIMITS.debtsBytes) return debts;
  const short = debts.map((debt) => ({
    ...debt,
    defaultAction: fitText(debt.defaultAction, ACTION_BYTES, () => ' […] '),
  }));
  return fittingItems(short, FIT_LIMITS.debtsBytes);
}

/** Long pieces share what short ones leave. With very many of them only the whole can be cut. */
function fittingWords(words: readonly Words[], bytes: number, agreement: Agreement): string {
  const said = words.filter(({ text }) => text !== '');
  const notes = said.map(({ eventId }) => leftOut(agreement, eventId));
  const pieces = fitTexts(
    said.map(({ text }) => text),
    bytes - jsonBytes('\n') * said.length,
    (gap, index) => notes[index]?.(gap) ?? '',
  );
  return fitText(pieces.join('\n'), bytes, leftOut(agreement, words.at(-1)?.eventId));
}
