// The messages of one conversation as far as this tab has them: a stretch without holes that ends with the newest one.
// Invariants: every message once, in the order of the log; what happened to a message is never lost, whether the
// message is here or comes later with its page.
import type { WebMessage } from '../../../protocol/web-chat.ts';
import { type Amendment, amended, joined } from './amendment.ts';

export interface HeldMessage {
  message: WebMessage;
  /** In the log; unknown for what came with a page, which is in order anyway; FLOATING for one's own until told. */
  position?: number;
}

export interface RoomState {
  held: readonly HeldMessage[];
  /** Its newest page has been read. Until then `held` is only what has been told since the tab is connected. */
  opened: boolean;
  /** A page is on its way. */
  reading: boolean;
  /** Why the last page did not come. */
  problem?: string;
  /** There are older ones at the host. */
  more: boolean;
  /** For a thread: the message it hangs on. */
  root?: WebMessage;
  /** What is known about messages that are not here, or of which a page is on its way. */
  early: ReadonlyMap<string, Amendment>;
}

export const EMPTY_ROOM: RoomState = {
  held: [],
  opened: false,
  reading: false,
  more: false,
  early: new Map(),
};

/** Written by oneself and answered, but not yet told: its place among what others write meanwhile is not known. */
const FLOATING = Number.POSITIVE_INFINITY;
/** Kept of a conversation that nobody looks at; the rest is read again when somebody does. */
export const UNOPENED_KEPT = 200;
/** Amendments of messages that are not here: older pages bring them anyway. */
const EARLY_KEPT = 500;

/** What the host has told of a message, new or again. */
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

/** The answer to one's own message. What has been told of it already is newer. */
export function withOwn(room: RoomState, message: WebMessage): RoomState {
  if (room.held.some((one) => one.message.eventId === message.eventId)) return room;
  return { ...room, held: [...room.held, { message: overlaid(room, message), position: FLOATING }] };
}

/** Before those at the end that the log has later: an answer may overtake somebody else's news. */
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
  // A page that is on its way may have been made before this happened.
  const early = !isHere || room.reading ? noted(room.early, eventId, amendment) : room.early;
  return { ...room, ...root, held, early };
}

/** What a reply quotes changes with it, and goes with it. */
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
  /** The message that this page comes before; missing for the newest page. */
  before?: string | undefined;
}

export function withPage(room: RoomState, { messages, more, root, before }: Page): RoomState {
  const page = messages.map((message) => overlaid(room, message));
  const above = root === undefined ? {} : { root: overlaid(room, root) };
  const same = { opened: true, reading: false, early: without(room.early, page), ...above };
  const { problem: _, ...rest } = room;
  if (before === undefined) return { ...rest, ...same, ...newest(room, page, more) };
  // Somebody else's page: the stretch has been dropped since it was asked for.
  if (room.held[0]?.message.eventId !== before) return { ...rest, reading: false };
  const known = new Set(room.held.map(({ message }) => message.eventId));
  const older = page.filter(({ eventId }) => !known.has(eventId)).map((message) => ({ message }));
  return { ...rest, ...same, more, held: [...older, ...room.held] };
}

/** The page, between what is held before it and what was told after it. */
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
    // Nothing in common: what is held is either newer than the page or lies before a hole.
    const end = page.at(-1)?.at ?? '';
    return { more, held: [...middle, ...room.held.filter(({ message }) => message.at >= end)] };
  }
  const later = room.held.slice(first).filter(({ message }) => !inPage.has(message.eventId));
  // Before its first page a stretch may have lost its beginning.
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
  // In a page it has found its place.
  return position === undefined || position === FLOATING ? { message } : { message, position };
}
