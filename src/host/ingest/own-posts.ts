// The host's own posts, as they come back. A post becomes visible: then its event enters the log like anybody's, in the
// same unit that marks its outbox row. A platform hands a post back as an event (an echo): it is recognised by its mark
// and answered as a repeat, never attended a second time, and it proves the post visible. An event that names a post by
// the platform's id (an edit, a reply) is told the post's event.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { EchoMarks } from '../../protocol/source-event.ts';
import type { OutboxRow } from '../../store/tables.ts';
import type { CommitInput } from '../attend/commit-event.ts';
import { conversationKeyOf, parentKeyOf, placeOf, readConversation } from '../kernel/conversation.ts';
import {
  isUnderWay,
  answeredDelivery,
  becomeVisible,
  currentSend,
  messageBody,
} from '../outbox/outbox-row.ts';
import type { PostsUnderWay } from '../outbox/posts-under-way.ts';
import type { Committer } from './committer.ts';
import type { UnitView } from '../../store/store.ts';
import type { Place } from '../../attention/index.ts';
import { settle } from '../delivery/move.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import type { HostContext, StoreReader } from '../kernel/context.ts';
import { eventOf, type ShownAs, shownAsKeys, shownAsWrites, shownUnder } from '../outbox/on-platform.ts';

export const ECHO_LIMITS = {
  /** An event that may be about a post under way waits for its outcome so long; an echo is then to come again. */
  waitMs: 2_000,
  retryAfterMs: 1_000,
  /** Newest posts of an agent in a conversation looked through for one under way. */
  rows: 64,
} as const;

export type Echo =
  | { type: 'repeat'; seq: number }
  /** No such send. */
  | { type: 'unknown' }
  /** Nobody can say yet. */
  | { type: 'later' }
  /** Somebody else's words. */
  | { type: 'none' };

/** An event, and the message its thread hangs on where that was posted by us. */
interface Named {
  event: ChatEvent;
  root?: string;
}

export interface Echoes {
  match(event: ChatEvent, marks: EchoMarks, surface: string): Promise<Echo>;
  /** Does it name something that may have been posted by us? */
  names(event: ChatEvent, surface: string): boolean;
  /** The event ready to be committed, naming what was posted by its id in the log. */
  prepareNamed(committer: Committer, event: ChatEvent, surface: string): Promise<CommitInput>;
}

export interface EchoDeps extends VisibleDeps {
  posts: PostsUnderWay;
  isKnown: (conversation: string) => boolean;
}

export function createEchoes(deps: EchoDeps): Echoes {
  const { shownAs, posts } = deps;
  const names: Echoes['names'] = (event, surface) => {
    const amends = event.type === 'edit' || event.type === 'delete';
    if (!shownAs.any(surface)) return amends && posts.count > 0;
    return nameOf(event) !== undefined || hangsOnUnknown(deps, event);
  };
  return {
    match: (event, marks, surface) => match(deps, event, marks, surface),
    names,
    async prepareNamed(committer, event, surface) {
      if (!names(event, surface)) return committer.prepare(event, surface);
      const { event: named, root } = await resolve(deps, event, surface);
      const input = await committer.prepare(named, surface);
      return root === undefined ? input : { ...input, root };
    },
  };
}

async function match(
  deps: EchoDeps,
  event: ChatEvent,
  { echoOf, platformId }: EchoMarks,
  surface: string,
): Promise<Echo> {
  const { eventId, author } = event;
  if (echoOf !== undefined) {
    const seq = await echoed(deps, echoOf, surface, { eventId, platformId });
    return seq === undefined ? { type: 'unknown' } : { type: 'repeat', seq };
  }
  if (platformId === undefined || author.kind === 'human') return { type: 'none' };
  const conversation = conversationKeyOf(placeOf(event));
  const under = await underWay(deps, event, conversation);
  await ended(deps, under);
  // An echo that came before, under another mark, is known by its own id.
  const found =
    (await deps.shownAs.find(surface, conversation, platformId)) ??
    (await deps.shownAs.find(surface, conversation, eventId));
  const row = found === undefined ? undefined : await deps.context.store.get('log', found);
  if (row !== undefined) return { type: 'repeat', seq: row.seq };
  return (await anyUnderWay(deps, under)) ? { type: 'later' } : { type: 'none' };
}

/** The platform shows it, whatever was thought of it. The seq of its event; undefined when no such send is ours. */
async function echoed(
  deps: EchoDeps,
  key: string,
  surface: string,
  { eventId, platformId }: { eventId: string; platformId: string | undefined },
): Promise<number | undefined> {
  const { store } = deps.context;
  const row = await store.get('outbox', key);
  if (row === undefined || row.surface !== surface || row.state === 'awaiting_approval') return undefined;
  await showSend(deps, row, [eventId, platformId ?? row.platformId ?? eventId]);
  return (await store.get('log', row.eventId))?.seq;
}

async function resolve(deps: EchoDeps, event: ChatEvent, surface: string): Promise<Named> {
  const name = nameOf(event);
  if (name !== undefined) {
    const found = await meant(deps, event, surface, name);
    return { event: found === undefined ? event : renamed(event, found) };
  }
  const root = hangsOnUnknown(deps, event)
    ? await lookUp(deps, event, surface, event.conversation.id)
    : undefined;
  return root === undefined ? { event } : { event, root };
}

/** An edit or delete may overtake the outcome of the post it is about. */
async function meant(
  deps: EchoDeps,
  event: ChatEvent,
  surface: string,
  name: string,
): Promise<string | undefined> {
  const found = await lookUp(deps, event, surface, name);
  if (found !== undefined || (event.type !== 'edit' && event.type !== 'delete')) return found;
  if ((await deps.context.store.get('log', name)) !== undefined) return undefined;
  const under = await underWay(deps, event, conversationKeyOf(placeOf(event)));
  if (under.length === 0) return undefined;
  await ended(deps, under);
  return lookUp(deps, event, surface, name);
}

/** A thread's root was posted in the room around it. */
async function lookUp(
  { shownAs }: EchoDeps,
  event: ChatEvent,
  surface: string,
  id: string,
): Promise<string | undefined> {
  const place = placeOf(event);
  const here = await shownAs.find(surface, conversationKeyOf(place), id);
  const parent = parentKeyOf(place);
  return here ?? (parent === undefined ? undefined : await shownAs.find(surface, parent, id));
}

function nameOf(event: ChatEvent): string | undefined {
  if (isAbout(event)) return event.targetEventId;
  return event.type === 'message' ? event.replyTo?.eventId : undefined;
}

function renamed(event: ChatEvent, found: string): ChatEvent {
  if (isAbout(event)) return { ...event, targetEventId: found };
  if (event.type !== 'message' || event.replyTo === undefined) return event;
  return { ...event, replyTo: { ...event.replyTo, eventId: found } };
}

function isAbout(event: ChatEvent): event is Extract<ChatEvent, { type: 'edit' | 'delete' | 'reaction' }> {
  return event.type === 'edit' || event.type === 'delete' || event.type === 'reaction';
}

/** Platforms name a thread by its root; only its first record carries that. */
function hangsOnUnknown({ isKnown }: EchoDeps, event: ChatEvent): boolean {
  return event.conversation.kind === 'thread' && !isKnown(conversationKeyOf(placeOf(event)));
}

/** Posts there of which nobody knows yet whether they are shown: by the author's agent, or by any of a shared account. */
async function underWay({ context }: EchoDeps, event: ChatEvent, conversation: string): Promise<OutboxRow[]> {
  const roster = context.rosterAt(placeOf(event));
  const author = event.author.kind === 'human' ? undefined : roster.byIdentity.get(event.author.id);
  const agents = author === undefined ? roster.agents : [author];
  const kind = event.type === 'reaction' ? 'reaction' : 'message';
  const rows: OutboxRow[] = [];
  for (const { id } of agents) {
    const range = { eq: [id, conversation], limit: ECHO_LIMITS.rows, descending: true };
    const newest = await context.store.scan('outbox', 'byAgentConversation', range);
    rows.push(...newest.filter((row) => row.kind === kind && isUnderWay(row)));
  }
  return rows;
}

async function ended(deps: EchoDeps, rows: readonly OutboxRow[]): Promise<void> {
  await Promise.all(rows.map(({ key }) => deps.posts.outcome(key, ECHO_LIMITS.waitMs)));
}

async function anyUnderWay({ context }: EchoDeps, rows: readonly OutboxRow[]): Promise<boolean> {
  for (const { key } of rows) {
    const row = await context.store.get('outbox', key);
    if (row !== undefined && isUnderWay(row)) return true;
  }
  return false;
}

// Becoming visible. There is no moment in which people see a message that the host does not know of.

export interface VisibleDeps {
  context: HostContext;
  committer: Committer;
  shownAs: ShownAs;
}

/** `ids`: what the platform calls it; the last one is the one it goes by. */
export async function showSend(
  { context, committer, shownAs }: VisibleDeps,
  row: OutboxRow,
  ids: readonly string[],
): Promise<OutboxRow> {
  const { store, clock, apply } = context;
  const place = await placeOfSend(store, row);
  const rows = [['outbox', row.key] as const];
  if (place === undefined) {
    return apply({ states: [], rows, run: (view) => visibleIn(view, row, ids) });
  }
  const answered = row.inReplyTo === null ? undefined : await store.get('log', row.inReplyTo);
  const event = eventOf(row, place, clock.now(), answered?.record.event.author.id);
  const unit = committer.unit(await committer.prepare(event, row.surface));
  const named = shownUnder({ ...row, platformId: null, body: {} }, ids);
  const names = shownAsKeys(named);
  if (names.length > 0) shownAs.expect(row.surface);
  return apply({
    ...unit,
    states: [...unit.states, ...names],
    rows: [...(unit.rows ?? []), ...rows],
    run(view) {
      const { writes, news } = unit.run(view);
      const visible = visibleIn(view, row, ids);
      const change = { writes, news, result: visible.result };
      addChange(change, visible);
      change.writes.push(...shownAsWrites(named));
      return change;
    },
  });
}

function visibleIn(view: UnitView, row: OutboxRow, ids: readonly string[]): Change & { result: OutboxRow } {
  const shown = becomeVisible(shownUnder(currentSend(view, row), ids));
  const change = { ...noChange(), result: shown.row };
  addChange(change, shown);
  if (row.kind === 'message') addChange(change, settleApproved(view, row));
  return change;
}

/** An answer settles its delivery when it is sent. Only one that waited for a person's word is settled here. */
function settleApproved(view: UnitView, row: OutboxRow): Change {
  const key = answeredDelivery(row);
  const delivery = key === undefined ? undefined : view.row('delivery', key);
  return delivery === undefined ? noChange() : settle(delivery, 'responded', null, view.now);
}

/** Where a send goes: its conversation, or for the first message of a new one the place it carries. */
export async function placeOfSend(store: StoreReader, row: OutboxRow): Promise<Place | undefined> {
  return (await readConversation(store, row.conversation))?.place ?? messageBody(row).place;
}
