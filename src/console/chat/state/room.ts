// The messages of one conversation that this tab has loaded: a stretch without holes that ends with the newest one.
// Invariants: every message once, in the order of the log; an amendment is never lost, whether its message is loaded or
// comes later with a page.
import type { WebGrowing, WebMessage } from '../../../protocol/web-chat.ts';
import { type Amendment, amended, joined } from './amendment.ts';

export interface HeldMessage {
  message: WebMessage;
  /**
   * The position in the log. Unknown for messages of a page, which are in order. FLOATING for the person's own at
   * first.
   */
  position?: number;
}

export interface RoomState {
  held: readonly HeldMessage[];
  /** The newest page has been read. Until then `held` has only the news since the tab connected. */
  opened: boolean;
  /** A page is on its way. */
  reading: boolean;
  /** Why the last page did not come. */
  problem?: string;
  /** The host has older messages. */
  more: boolean;
  /** For a thread: the message it belongs to. */
  root?: WebMessage;
  /** Amendments of messages that are not loaded, or whose page is on its way. */
  early: ReadonlyMap<string, Amendment>;
}

export const EMPTY_ROOM: RoomState = {
  held: [],
  opened: false,
  reading: false,
  more: false,
  early: new Map(),
};

/** For the person's own message that the host has answered but not yet announced. Its place in the log is unknown. */
const FLOATING = Number.POSITIVE_INFINITY;
/** Messages kept of a conversation that was not opened. The rest is read when it is opened. */
export const UNOPENED_KEPT = 200;
/** Amendments kept for messages that are not loaded. Older pages contain them anyway. */
const EARLY_KEPT = 500;

/** Adds a message that the host announced, for the first time or again. */
export function withMessage(room: RoomState, told: WebMessage, position: number): RoomState {
  const message = overlaid(room, told);
  const early = room.reading ? room.early : without(room.early, [message]);
  const known = room.held.findIndex(({ message: { eventId } }) => eventId === message.eventId);
  if (known >= 0 && room.held[known]?.position !== FLOATING) {
    return { ...room, early, held: room.held.with(known, { message, position }) };
  }
  const held = inserted(known < 0 ? room.held : room.held.toSpliced(known, 1), { message, position });
  return { ...room, early, held: room.opened ? held : held.slice(-UNOPENED_KEPT) };
}

/** Adds the person's own message from the host's answer. If the news came first, that is newer and stays. */
export function withOwn(room: RoomState, message: WebMessage): RoomState {
  if (room.held.some((one) => one.message.eventId === message.eventId)) return room;
  return { ...room, held: [...room.held, { message: overlaid(room, message), position: FLOATING }] };
}

/** Inserts by position in the log, because an answer may overtake the news of somebody else's message. */
function inserted(held: readonly HeldMessage[], one: HeldMessage): readonly HeldMessage[] {
  let at = held.length;
  while (at > 0 && (held[at - 1]?.position ?? -1) > (one.position ?? FLOATING)) at--;
  return held.toSpliced(at, 0, one);
}

export function withAmendment(room: RoomState, eventId: string, amendment: Amendment): RoomState {
  const isHere = room.held.some(({ message }) => message.eventId === eventId);
  const root = room.root?.eventId === eventId ? { root: amended(room.root, amendment) } : {};
  const held = room.held.map((one) => {
    if (one.message.eventId === eventId) return { ...one, message: amended(one.message, amendment) };
    return one.message.replyTo?.eventId === eventId
      ? { ...one, message: requoted(one.message, amendment) }
      : one;
  });
  // A page on its way may be older than this amendment.
  const early = !isHere || room.reading ? noted(room.early, eventId, amendment) : room.early;
  return { ...room, ...root, held, early };
}

/** Updates the quotation in a reply when the quoted message is edited or deleted. */
function requoted(message: WebMessage, { edit, deleted }: Amendment): WebMessage {
  if (message.replyTo === undefined || (edit === undefined && deleted === undefined)) return message;
  const { excerpt: _, ...rest } = message.replyTo;
  const excerpt = deleted === true || edit === undefined ? {} : { excerpt: edit.text };
  return { ...message, replyTo: { ...rest, ...excerpt } };
}

function noted(early: RoomState['early'], eventId: string, amendment: Amendment): RoomState['early'] {
  const next = new Map(early);
  const joint = joined(early.get(eventId) ?? {}, amendment);
  next.delete(eventId);
  next.set(eventId, joint);
  if (next.size > EARLY_KEPT) next.delete(next.keys().next().value ?? '');
  return next;
}

export interface Page {
  messages: readonly WebMessage[];
  more: boolean;
  root?: WebMessage | undefined;
  /** The message that this page precedes. Missing for the newest page. */
  before?: string | undefined;
  /** Answers that are being written there. */
  growing?: readonly WebGrowing[] | undefined;
}

export function withPage(room: RoomState, { messages, more, root, before }: Page): RoomState {
  const page = messages.map((message) => overlaid(room, message));
  const above = root === undefined ? {} : { root: overlaid(room, root) };
  const same = { opened: true, reading: false, early: without(room.early, page), ...above };
  const { problem: _, ...rest } = room;
  if (before === undefined) return { ...rest, ...same, ...newest(room, page, more) };
  // The stretch that this page belongs to was dropped meanwhile.
  if (room.held[0]?.message.eventId !== before) return { ...rest, reading: false };
  const known = new Set(room.held.map(({ message }) => message.eventId));
  const older = page.filter(({ eventId }) => !known.has(eventId)).map((message) => ({ message }));
  return { ...rest, ...same, more, held: [...older, ...room.held] };
}

/** Joins the page with the messages held before and after it. */
function newest(
  room: RoomState,
  page: readonly WebMessage[],
  more: boolean,
): Pick<RoomState, 'held' | 'more'> {
  const inPage = new Set(page.map(({ eventId }) => eventId));
  const places = new Map(room.held.map(({ message, position }) => [message.eventId, position]));
  const middle = page.map((message) => holding(message, places.get(message.eventId)));
  const first = room.held.findIndex(({ message }) => inPage.has(message.eventId));
  if (first < 0) {
    // Nothing in common: the held messages are either newer than the page or before a hole.
    const end = page.at(-1)?.at ?? '';
    return { more, held: [...middle, ...room.held.filter(({ message }) => message.at >= end)] };
  }
  const later = room.held.slice(first).filter(({ message }) => !inPage.has(message.eventId));
  // Before its first page, a stretch may have lost its oldest messages.
  if (!room.opened || first === 0) return { more, held: [...middle, ...later] };
  return { more: room.more, held: [...room.held.slice(0, first), ...middle, ...later] };
}

function without(early: RoomState['early'], messages: readonly WebMessage[]): RoomState['early'] {
  if (early.size === 0) return early;
  const next = new Map(early);
  for (const { eventId } of messages) next.delete(eventId);
  return next;
}

function overlaid(room: RoomState, message: WebMessage): WebMessage {
  const early = room.early.get(message.eventId);
  return early === undefined ? message : amended(message, early);
}

function holding(message: WebMessage, position: number | undefined): HeldMessage {
  // A message found in a page has its place.
  return position === undefined || position === FLOATING ? { message } : { message, position };
}
