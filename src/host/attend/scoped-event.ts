// From a source's ids to the host's. An event's identity is its platform, workspace, conversation and the source's id;
// in the log it has one id that is unique on the host. The names of other events in it (the target of an edit, what it
// replies to) become event ids before the fold, so that a replay of the records decides the same. All of this happens in
// the unit that stores the event: it sees the events of its own batch too.
import { type AttentionState, recall } from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { isHostId, isHostIdOf, rootEventId, untagged } from '../../protocol/derived-id.ts';
import { sourceIdOf } from '../../protocol/log-record.ts';
import type { UnitView } from '../../store/store.ts';
import type { LogRow } from '../../store/tables.ts';
import { isOwnPlatform } from '../kernel/conversation.ts';
import { scopedId } from '../kernel/event-id.ts';

/** Who gave the event its id. An id of the host is unique; a source's is unique in its conversation only. */
export type IdGiver = 'host' | 'source';

/** The event under the id that it has on this host; `known` is the row it repeats, if it was stored before. */
export interface Identified {
  event: ChatEvent;
  known: LogRow | undefined;
}

export function identify(
  view: UnitView,
  event: ChatEvent,
  conversation: string,
  idGiver: IdGiver,
): Identified {
  const id = idGiver === 'host' ? event.eventId : sourceIdOf(event);
  const known = view.row('log', id);
  const repeats = known !== undefined && isRepeat(known, event, conversation, idGiver);
  if (repeats || (known === undefined && (idGiver === 'host' || !isHostId(id))))
    return { event: withId(event, id, undefined), known };
  const scoped = scopedId(conversation, id);
  const row = view.row('log', scoped);
  // Only a broken hash could do this. Better no event than one that stands in for another.
  if (row !== undefined && row.conversation !== conversation) throw new Error(`${scoped} is taken`);
  return { event: withId(event, scoped, idGiver === 'host' ? undefined : id), known: row };
}

/** Whether the row with this id is the same event. */
function isRepeat(known: LogRow, event: ChatEvent, conversation: string, idGiver: IdGiver): boolean {
  const { record } = known;
  const same = known.conversation === conversation;
  if (idGiver === 'host') {
    // Before ids were scoped, a source could use an id of the host. Such a row is no record of the host. The web chat's
    // ids are the keys of its clients: the same key again is a repeat, whatever is done with it.
    if (isHostIdOf('web', event.eventId)) return isOwnPlatform(record.event.platform);
    return same && known.type === event.type;
  }
  if (!same || !isHostId(known.key)) return same;
  // The host's own post under the id with which it was handed out, or an event from before ids were scoped.
  return known.type === event.type && record.event.author.id === event.author.id;
}

function withId(event: ChatEvent, eventId: string, sourceId: string | undefined): ChatEvent {
  if (event.eventId === eventId && event.sourceId === sourceId) return event;
  const { sourceId: _, ...rest } = event;
  return sourceId === undefined ? { ...rest, eventId } : { ...rest, eventId, sourceId };
}

/** Where the event was said, with the state before it. */
export interface Said {
  conversation: string;
  parent: string | undefined;
  before: AttentionState;
}

/** The event with event ids instead of the ids by which its source names other events. */
export function withEventIds(view: UnitView, event: ChatEvent, said: Said): ChatEvent {
  if (event.type === 'message') {
    const { replyTo, inReplyTo } = event;
    if (replyTo === undefined && inReplyTo === undefined) return event;
    const answered = inReplyTo === undefined ? undefined : eventIdOf(view, event, inReplyTo, said);
    const replied = replyTo === undefined ? undefined : eventIdOf(view, event, replyTo.eventId, said);
    if (answered === inReplyTo && replied === replyTo?.eventId) return event;
    return {
      ...event,
      ...(answered !== undefined && { inReplyTo: answered }),
      ...(replied !== undefined && { replyTo: { ...replyTo, eventId: replied } }),
    };
  }
  if (!('targetEventId' in event) || event.targetEventId === undefined) return event;
  const target = eventIdOf(view, event, event.targetEventId, said);
  return target === event.targetEventId ? event : { ...event, targetEventId: target };
}

/**
 * The event with the author of what it replies to, if the platform did not say and the state remembers no longer. Else a
 * reply to an older message would be for nobody.
 */
export function withRepliedAuthor(view: UnitView, event: ChatEvent, before: AttentionState): ChatEvent {
  if (event.type !== 'message' || event.replyTo === undefined) return event;
  const { eventId, authorId } = event.replyTo;
  if (authorId !== undefined || recall(before, eventId) !== undefined) return event;
  const replied = view.row('log', eventId)?.record.event;
  if (replied?.platform !== event.platform || replied.workspaceId !== event.workspaceId) return event;
  return { ...event, replyTo: { eventId, authorId: replied.author.id } };
}

/**
 * The id of the event that is named: in the conversation, else in its parent, else in a thread of it. An event that is
 * not known keeps its name, unless an event elsewhere has that id.
 */
export function eventIdOf(view: UnitView, event: ChatEvent, name: string, said: Said): string {
  if (recall(said.before, name) !== undefined) return name;
  const plain = view.row('log', rootEventId(name));
  for (const conversation of [said.conversation, said.parent]) {
    const found = conversation === undefined ? undefined : namedIn(view, conversation, name, plain);
    if (found !== undefined) return found;
  }
  if (plain === undefined || mayName(event, name, plain)) return name;
  return scopedId(said.conversation, name);
}

/** The event that the name means in this conversation: by its event id, or by what its source calls it. */
function namedIn(
  view: UnitView,
  conversation: string,
  name: string,
  plain: LogRow | undefined,
): string | undefined {
  // What is derived from an event (`42/escalation-7`) is in no log. It is where its event is.
  const root = rootEventId(name);
  if (plain?.conversation === conversation) return name;
  const ids = [scopedId(conversation, root) + name.slice(root.length), scopedId(conversation, name)];
  const found = ids.find((id) => view.row('log', rootEventId(id)) !== undefined);
  // The scoped id of an event that has its source's id here. Exported logs name events so.
  const sourceId = untagged(name);
  if (found !== undefined || sourceId === undefined) return found;
  const row = scopedId(conversation, sourceId) === name ? view.row('log', sourceId) : undefined;
  return row?.conversation === conversation ? sourceId : undefined;
}

/** Whether an event of another conversation may be meant. Never across platforms or workspaces. */
function mayName({ platform, workspaceId, conversation }: ChatEvent, name: string, found: LogRow): boolean {
  const there = found.record.event;
  if (there.platform !== platform || there.workspaceId !== workspaceId) return false;
  // No source gives such an id, so it is the event id itself.
  if (isHostId(name)) return true;
  if (there.conversation.parentId === conversation.id) return true;
  return conversation.kind === 'thread' && conversation.parentId === undefined;
}

/** Whether what is said at one of these places may name an event of the other by the source's own id. */
export function isNear(a: ChatEvent, b: ChatEvent): boolean {
  if (a.platform !== b.platform || a.workspaceId !== b.workspaceId) return false;
  const [here, there] = [a.conversation, b.conversation];
  return here.id === there.id || here.parentId === there.id || there.parentId === here.id;
}
