// The host's own posts, as they come back from the platform. When a post becomes visible, its event enters the log in
// the same unit that marks its outbox row (`showSend`). When a platform reports a post as an event (an echo), the host
// recognises it, answers `repeat` and never attends it again; the echo also proves the post visible. When an event (an
// edit, a reply) names a post by its platform id, the host replaces that by the post's event id.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { EchoMarks } from '../../protocol/source-event.ts';
import type { LogRow, OutboxRow } from '../../store/tables.ts';
import type { CommitInput, Committed } from '../attend/commit-event.ts';
import { conversationKeyOf, parentKeyOf, placeOf, readConversation } from '../kernel/conversation.ts';
import { scopedId } from '../kernel/event-id.ts';
import {
  isAmendment,
  isUnderWay,
  answeredDelivery,
  becomeVisible,
  currentSend,
  isEnded,
  messageBodyOf,
  nextPartBegins,
  putSend,
  queueSend,
} from '../outbox/outbox-row.ts';
import { isInParts, isWhole, nextPart, partIds, sendWithKey, withShownPart } from '../outbox/parts.ts';
import type { PostsUnderWay } from '../outbox/posts-under-way.ts';
import { type IdGiver, isNear } from '../attend/scoped-event.ts';
import type { Committer } from './committer.ts';
import type { UnitView } from '../../store/store.ts';
import type { Place } from '../../attention/index.ts';
import { settle } from '../delivery/move.ts';
import { type Change, type ChangeUnit, addChange, noChange } from '../kernel/change.ts';
import type { HostContext, StoreReader } from '../kernel/context.ts';
import { eventOf, type ShownAs, shownAsKeys, shownAsWrites, withPlatformIds } from '../outbox/on-platform.ts';

export const ECHO_LIMITS = {
  /** How long an event waits for the outcome of a post that it may be about. */
  waitMs: 2_000,
  retryAfterMs: 1_000,
  /** How many of an agent's newest posts in a conversation are searched for one under way. */
  rows: 64,
} as const;

export type Echo =
  | { type: 'repeat'; row: LogRow }
  /** A part of a send whose other parts are not visible yet. Its event is logged when they are. */
  | { type: 'part'; eventId: string }
  /** No such send. */
  | { type: 'unknown' }
  /** It may be an echo of a post whose outcome is not known yet. */
  | { type: 'later' }
  /** It is no echo. */
  | { type: 'none' };

/** An event that names posts by their event ids. */
interface NamedEvent {
  event: ChatEvent;
  /** The event id of its thread's root message, if the host posted that. */
  root?: string;
}

export interface Echoes {
  /** Whether the event is an echo of a send. */
  matchEcho(event: ChatEvent, marks: EchoMarks, surface: string): Promise<Echo>;
  /** Whether the event may name one of the host's own posts. If not, nothing needs a look-up. */
  mayNamePost(event: ChatEvent, surface: string): boolean;
  /** Prepares the event for its commit, with the platform ids of own posts replaced by event ids. */
  prepareWithEventIds(
    committer: Committer,
    event: ChatEvent,
    surface: string,
    idGiver: IdGiver,
  ): Promise<CommitInput>;
}

export interface EchoDeps extends VisibleDeps {
  posts: PostsUnderWay;
  isKnown: (conversation: string) => boolean;
}

export function createEchoes(deps: EchoDeps): Echoes {
  const { shownAs } = deps;
  const mayNamePost: Echoes['mayNamePost'] = (event, surface) => {
    if (hasTarget(event)) return true;
    return shownAs.hasAny(surface) && (nameIn(event) !== undefined || isFirstInThread(deps, event));
  };
  return {
    matchEcho: (event, marks, surface) => matchEcho(deps, event, marks, surface),
    mayNamePost,
    async prepareWithEventIds(committer, event, surface, idGiver) {
      if (!mayNamePost(event, surface)) return committer.prepare(event, surface, idGiver);
      const { event: named, root } = await replaceNames(deps, event, surface);
      const input = await committer.prepare(named, surface, idGiver);
      return root === undefined ? input : { ...input, root };
    },
  };
}

async function matchEcho(
  deps: EchoDeps,
  event: ChatEvent,
  { echoOf, platformId }: EchoMarks,
  surface: string,
): Promise<Echo> {
  const { eventId, author } = event;
  if (echoOf !== undefined) {
    return confirmVisible(deps, echoOf, surface, { eventId, platformId, type: event.type });
  }
  if (platformId === undefined || author.kind === 'human') return { type: 'none' };
  const conversation = conversationKeyOf(placeOf(event));
  const posts = await findUnderWay(deps, event, conversation);
  const part = await partWithId(deps, posts, platformId);
  if (part !== undefined) return part;
  await waitForOutcomes(deps, posts);
  // The same echo may have come before with another mark. It is then known by its own id.
  const found =
    (await deps.shownAs.find(surface, conversation, platformId)) ??
    (await deps.shownAs.find(surface, conversation, eventId));
  const row = found === undefined ? undefined : await deps.context.store.get('log', found);
  if (row !== undefined) return { type: 'repeat', row };
  const later = await partWithId(deps, posts, platformId);
  return later ?? ((await isAnyUnderWay(deps, posts)) ? { type: 'later' } : { type: 'none' });
}

/** A part of a send, known by its platform id while other parts are still being posted. */
async function partWithId(
  { context: { store } }: EchoDeps,
  posts: readonly OutboxRow[],
  platformId: string,
): Promise<Echo | undefined> {
  for (const { key } of posts) {
    const row = await store.get('outbox', key);
    if (row !== undefined && partIds(row).includes(platformId)) return { type: 'part', eventId: row.eventId };
  }
  return undefined;
}

/** The echo proves the send visible, or this part of it, whatever its row says. */
async function confirmVisible(
  deps: EchoDeps,
  key: string,
  surface: string,
  { eventId, platformId, type }: Pick<ChatEvent, 'eventId' | 'type'> & Pick<EchoMarks, 'platformId'>,
): Promise<Echo> {
  const { store, accounts } = deps.context;
  const sent = await sendWithKey(store, key);
  const isOurs = sent !== undefined && accounts.doorsOf(surface).includes(sent.row.surface);
  if (!isOurs || sent.row.state === 'awaiting_approval') return { type: 'unknown' };
  const { row, number } = sent;
  if ((isAmendment(row) || type === 'edit' || type === 'delete') && row.kind !== type)
    return { type: 'unknown' };
  // The main id stays what it is: the platform's, of the last part.
  const main = isInParts(row) && row.state === 'visible' ? row.platformId : (platformId ?? row.platformId);
  const ids = [eventId, ...(platformId === undefined ? [] : [platformId]), main ?? eventId];
  await (row.state === 'visible' ? showSend(deps, row, ids) : showPart(deps, row, number, ids));
  const logged = await store.get('log', row.eventId);
  return logged === undefined ? { type: 'part', eventId: row.eventId } : { type: 'repeat', row: logged };
}

async function replaceNames(deps: EchoDeps, event: ChatEvent, surface: string): Promise<NamedEvent> {
  const name = nameIn(event);
  if (name !== undefined) {
    const found = await findNamed(deps, event, surface, name);
    if (found === undefined) return { event };
    const named = await byItsAgent(deps, withName(event, found));
    return { event: await whereTargetIs(deps, named) };
  }
  const root = isFirstInThread(deps, event)
    ? await findPost(deps, event, surface, event.conversation.id)
    : undefined;
  return root === undefined ? { event } : { event, root };
}

/** A platform knows only the account of a post. Where several agents share it, the log knows which of them wrote it. */
async function byItsAgent({ context: { store } }: EchoDeps, event: ChatEvent): Promise<ChatEvent> {
  if (event.type !== 'message' || event.replyTo?.authorId === undefined) return event;
  const { eventId } = event.replyTo;
  const author = (await store.get('log', eventId))?.record.event.author;
  return author?.kind === 'agent' ? { ...event, replyTo: { eventId, authorId: author.id } } : event;
}

/** What amends a message belongs to the conversation of that message, also when the platform tells only the room. */
async function whereTargetIs({ context: { store } }: EchoDeps, event: ChatEvent): Promise<ChatEvent> {
  if (!hasTarget(event)) return event;
  const target = (await store.get('log', event.targetEventId))?.record.event;
  const isInThread =
    target !== undefined && isNear(target, event) && target.conversation.parentId === event.conversation.id;
  if (!isInThread) return event;
  // It came before, when its target was not known yet: it is that event again.
  const said = conversationKeyOf(placeOf(event));
  for (const id of [event.eventId, scopedId(said, event.eventId)]) {
    if ((await store.get('log', id))?.conversation === said) return event;
  }
  return { ...event, conversation: target.conversation };
}

/** The event id behind a name. An edit or delete waits, because it may arrive before the outcome of its post. */
async function findNamed(
  deps: EchoDeps,
  event: ChatEvent,
  surface: string,
  name: string,
): Promise<string | undefined> {
  const found = (await findPost(deps, event, surface, name)) ?? (await findInThreads(deps, event, name));
  if (found !== undefined || (event.type !== 'edit' && event.type !== 'delete')) return found;
  if (!deps.shownAs.hasAny(surface) && deps.posts.count === 0) return undefined;
  const posts = await findUnderWay(deps, event, conversationKeyOf(placeOf(event)));
  if (posts.length === 0) return undefined;
  await waitForOutcomes(deps, posts);
  return findPost(deps, event, surface, name);
}

/**
 * Looks in the conversation and in its parent, because the root of a thread was posted in the parent. The platform's id
 * of a post and the source's id of an event are one space, so an event of the conversation goes before a post above it.
 */
export async function findPost(
  { context: { store }, shownAs }: EchoDeps,
  event: ChatEvent,
  surface: string,
  name: string,
): Promise<string | undefined> {
  const place = placeOf(event);
  for (const conversation of [conversationKeyOf(place), parentKeyOf(place)]) {
    if (conversation === undefined) continue;
    const post = shownAs.hasAny(surface) ? await shownAs.find(surface, conversation, name) : undefined;
    if (post !== undefined) return post;
    for (const id of [name, scopedId(conversation, name)]) {
      if ((await store.get('log', id))?.conversation === conversation) return id;
    }
  }
  return undefined;
}

/** How many events with the same source's id are looked through for one in a thread. */
const NAMESAKES = 256;

/** Some platforms name a message of a thread by the room alone. Only the log knows in which thread it is. */
async function findInThreads(
  { context: { store } }: EchoDeps,
  { platform, workspaceId, conversation }: ChatEvent,
  name: string,
): Promise<string | undefined> {
  const isInThread = ({ record: { event: other } }: LogRow): boolean =>
    other.platform === platform &&
    other.workspaceId === workspaceId &&
    other.conversation.parentId === conversation.id;
  const plain = await store.get('log', name);
  if (plain !== undefined && isInThread(plain)) return name;
  const rows = await store.scan('log', 'bySourceId', { eq: [name], limit: NAMESAKES, descending: true });
  return rows.find(isInThread)?.key;
}

/** The id by which the event names another one. */
function nameIn(event: ChatEvent): string | undefined {
  if (hasTarget(event)) return event.targetEventId;
  return event.type === 'message' ? event.replyTo?.eventId : undefined;
}

function withName(event: ChatEvent, found: string): ChatEvent {
  if (hasTarget(event)) return { ...event, targetEventId: found };
  if (event.type !== 'message' || event.replyTo === undefined) return event;
  return { ...event, replyTo: { ...event.replyTo, eventId: found } };
}

function hasTarget(event: ChatEvent): event is Extract<ChatEvent, { type: 'edit' | 'delete' | 'reaction' }> {
  return event.type === 'edit' || event.type === 'delete' || event.type === 'reaction';
}

/** The first event of a thread names the root: platforms use the root's id as the id of the thread. */
function isFirstInThread({ isKnown }: EchoDeps, event: ChatEvent): boolean {
  return event.conversation.kind === 'thread' && !isKnown(conversationKeyOf(placeOf(event)));
}

/** Posts in the conversation without a known outcome: of the author if it is an agent, else of every agent. */
async function findUnderWay(
  { context }: EchoDeps,
  event: ChatEvent,
  conversation: string,
): Promise<OutboxRow[]> {
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

async function waitForOutcomes(deps: EchoDeps, rows: readonly OutboxRow[]): Promise<void> {
  await Promise.all(rows.map(({ key }) => deps.posts.outcome(key, ECHO_LIMITS.waitMs)));
}

async function isAnyUnderWay({ context }: EchoDeps, rows: readonly OutboxRow[]): Promise<boolean> {
  for (const { key } of rows) {
    const row = await context.store.get('outbox', key);
    if (row !== undefined && isUnderWay(row)) return true;
  }
  return false;
}

// Becoming visible. The outbox row and the event in the log are one commit.

export interface VisibleDeps {
  context: HostContext;
  committer: Committer;
  shownAs: ShownAs;
}

/** Marks a send visible and logs its event. `ids` are its platform ids; the last one is its main id. */
export async function showSend(
  { context, committer, shownAs }: VisibleDeps,
  row: OutboxRow,
  given: readonly string[],
): Promise<OutboxRow> {
  const { store, apply } = context;
  // An edit has no message of its own on the platform: the ids are those of the message that it amends.
  const ids = isAmendment(row) ? [] : given;
  const place = await placeOfSend(store, row);
  const rows = [['outbox', row.key] as const];
  if (place === undefined) {
    return apply({ states: [], rows, run: (view) => visibleIn(view, row, ids) });
  }
  const identified = withPlatformIds({ ...row, platformId: null, body: { place } }, ids);
  const idKeys = shownAsKeys(identified);
  if (idKeys.length > 0) shownAs.expect(row.surface);
  const unit = (await isLogged(store, row)) ? undefined : await logUnitOf({ context, committer }, row, place);
  return apply({
    ...unit,
    states: [...(unit?.states ?? []), ...idKeys],
    rows: [...(unit?.rows ?? []), ...rows],
    run(view) {
      const { writes, news } = unit?.run(view) ?? noChange();
      const visible = visibleIn(view, row, ids);
      const change = { writes, news, result: visible.result };
      addChange(change, visible);
      change.writes.push(...shownAsWrites(identified));
      return change;
    },
  });
}

/** Marks one part visible. The send is visible, and logged, once all of its parts are. */
export async function showPart(
  deps: VisibleDeps,
  row: OutboxRow,
  number: number,
  ids: readonly string[],
): Promise<OutboxRow> {
  if (!isInParts(row)) return showSend(deps, row, ids);
  const noted = await deps.context.apply({
    states: [],
    rows: [['outbox', row.key]],
    run(view) {
      const current = currentSend(view, row);
      const shown = withShownPart(current, number, ids);
      const isAwaited = !isEnded(current) && nextPart(current).number === number;
      const next = isAwaited && !isWhole(shown) ? nextPartBegins(shown, view.now) : shown;
      const change = next.state === 'queued' && next.dueAt !== null ? queueSend(next, true) : putSend(next);
      return { ...change, result: next };
    },
  });
  return isWhole(noted) ? showSend(deps, noted, partIds(noted)) : noted;
}

/** A reaction that an agent set by a tool was logged with the call. */
async function isLogged(store: StoreReader, { kind, eventId }: OutboxRow): Promise<boolean> {
  return kind === 'reaction' && (await store.get('log', eventId)) !== undefined;
}

/** The unit that logs the event of the send. */
export async function logUnitOf(
  { context: { store, clock }, committer }: Pick<VisibleDeps, 'context' | 'committer'>,
  row: OutboxRow,
  place: Place,
): Promise<ChangeUnit<Committed>> {
  const answered = row.inReplyTo === null ? undefined : await store.get('log', row.inReplyTo);
  const event = eventOf(row, place, clock.now(), answered?.record.event.author.id);
  const input = await committer.prepare(event, row.surface, 'host');
  const { root } = messageBodyOf(row);
  return committer.unit(root === undefined ? input : { ...input, root });
}

function visibleIn(view: UnitView, row: OutboxRow, ids: readonly string[]): Change & { result: OutboxRow } {
  const shown = becomeVisible(withPlatformIds(currentSend(view, row), ids));
  const change = { ...noChange(), result: shown.row };
  addChange(change, shown);
  if (row.kind === 'message') addChange(change, settleApproved(view, row));
  return change;
}

/** An answer settles its delivery when it is sent. If a person had to agree first, it settles it here. */
function settleApproved(view: UnitView, row: OutboxRow): Change {
  const key = answeredDelivery(row);
  const delivery = key === undefined ? undefined : view.row('delivery', key);
  return delivery === undefined ? noChange() : settle(delivery, 'responded', null, view.now);
}

/** Where a send goes: the place of its conversation, or the place in its body if the conversation is new. */
export async function placeOfSend(store: StoreReader, row: OutboxRow): Promise<Place | undefined> {
  return (await readConversation(store, row.conversation))?.place ?? messageBodyOf(row).place;
}
