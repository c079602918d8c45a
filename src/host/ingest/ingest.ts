// ingest: the entry for every event from a source. Each event is validated, checked for what a source may not post,
// recognised if it is an echo, prepared and committed. The caller gets its result after the sync. A repeat gets the
// first result.
import { type ChatEvent, chatEventSchema, isChatEvent, EVENT_LIMITS } from '../../protocol/chat-event.ts';
import { type ReadParams, readParams } from '../../protocol/read-params.ts';
import {
  type EchoMarks,
  isMarked,
  mayBeEcho,
  markedEventSchema,
  withoutMarks,
} from '../../protocol/source-event.ts';
import type { IngestResult } from '../../surfaces/surface.ts';
import type { CommitInput, Committed } from '../attend/commit-event.ts';
import { sourceIdOf } from '../../protocol/log-record.ts';
import type { IdGiver } from '../attend/scoped-event.ts';
import { conversationKeyOf, placeOf, INTERNAL_SURFACE, WEB_SURFACE } from '../kernel/conversation.ts';
import type { HostContext } from '../kernel/context.ts';
import { rememberSharedIds } from '../kernel/event-id.ts';
import { logFailure, storeRefusal } from '../kernel/store-refusal.ts';
import { type Committer, needsAsyncPreparation } from './committer.ts';
import { type AmendingEvent, isAmending } from './own-amendments.ts';
import { type Echo, ECHO_LIMITS, type Echoes } from './own-posts.ts';
import type { Histories } from './ask-surface.ts';
import { hasGlyph, readGlyph } from './read-glyph.ts';
import type { ShownAs } from '../outbox/on-platform.ts';
import { isHostIdOf } from '../../protocol/derived-id.ts';

export interface IngestDeps {
  context: Pick<HostContext, 'log' | 'sharedIds' | 'store' | 'glyphsOf'>;
  shownAs: ShownAs;
  committer: Committer;
  echoes: Echoes;
  /** Whether an edit or delete is one that the host has made itself. */
  matchAmendment: (event: AmendingEvent, surface: string) => Promise<Echo>;
  histories: Histories;
}

export interface Ingest {
  /** Takes any values. A value that is no event is refused with the reason. An accepted event is durable. */
  (raw: readonly unknown[], surface: string): Promise<IngestResult[]>;
}

export function createIngest(deps: IngestDeps): Ingest {
  return (raw, surface) => Promise.all(raw.map((value) => ingestOne(deps, value, surface)));
}

async function ingestOne(deps: IngestDeps, given: unknown, surface: string): Promise<IngestResult> {
  const named = mayHaveGlyph(given) && hasGlyph(given) ? await readGlyph(deps, given, surface) : undefined;
  if (named?.ok === false) return refused(eventIdIn(given), named.problem);
  const value = named === undefined ? given : named.value;
  const marked = isMarked(value);
  const read = marked ? readParams(markedEventSchema, value) : readEvent(value);
  if (!read.ok) return refused(eventIdIn(value), read.error.message);
  const event = marked ? withoutMarks(read.value) : read.value;
  const { eventId } = event;
  const problem = refusalFor(event, surface);
  if (problem !== undefined) return refused(illFormedId(event) === undefined ? eventId : '', problem);
  try {
    if (marked && mayBeEcho(read.value)) {
      const marks = read.value as EchoMarks;
      return await ingestUnlessEcho(deps, event, surface, () => deps.echoes.matchEcho(event, marks, surface));
    }
    if (isAmending(event))
      return await ingestUnlessEcho(deps, event, surface, () => deps.matchAmendment(event, surface));
    const input = prepareInOrder(deps, event, surface);
    const ready = input instanceof Promise ? await input : input;
    return storedAs(deps, event, await deps.committer.commit(ready));
  } catch (error) {
    logFailure(deps.context.log, error, { eventId }, 'an event could not be stored');
    return { eventId, status: 'refused', error: refusalOf(error) };
  }
}

function mayHaveGlyph(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'glyph' in value;
}

function readEvent(value: unknown): ReadParams<ChatEvent> {
  return isChatEvent(value) ? { ok: true, value } : readParams(chatEventSchema, value);
}

/** The event id that the host gave, and the source's own where that is another one. */
function storedAs({ context }: IngestDeps, event: ChatEvent, { status, seq, row }: Committed): IngestResult {
  if (row.sourceId !== undefined) rememberSharedIds(context.sharedIds, row);
  return { ...idsOf(event, row.key), status, seq };
}

function idsOf(event: ChatEvent, eventId: string): { eventId: string; sourceId?: string } {
  const sourceId = sourceIdOf(event);
  return sourceId === eventId ? { eventId } : { eventId, sourceId };
}

function refused(eventId: string, message: string): IngestResult {
  return { eventId, status: 'refused', error: { code: 'invalid_event', message } };
}

/** Later events of the conversation wait until it is known whether this one is an echo, so that order is kept. */
async function ingestUnlessEcho(
  deps: IngestDeps,
  event: ChatEvent,
  surface: string,
  match: () => Promise<Echo>,
): Promise<IngestResult> {
  const found = await deps.committer.queueByConversation(event, async () => {
    const echo = await match();
    return echo.type === 'none' ? { input: await prepareSlowly(deps, event, surface) } : { echo };
  });
  if ('echo' in found) return echoResult(event, found.echo);
  return storedAs(deps, event, await deps.committer.commit(found.input));
}

function echoResult(event: ChatEvent, echo: Exclude<Echo, { type: 'none' }>): IngestResult {
  const { eventId } = event;
  switch (echo.type) {
    case 'repeat':
      return { ...idsOf(event, echo.row.key), status: 'repeat', seq: echo.row.seq };
    case 'part':
      return { ...idsOf(event, echo.eventId), status: 'repeat', seq: 0 };
    case 'unknown':
      return refused(
        eventId,
        'echoOf: no send with this idempotencyKey was handed to this source; leave it out if somebody else wrote this',
      );
    case 'later': {
      const message =
        'It may be the echo of a send whose outcome is not known yet. Send the same event again.';
      const { retryAfterMs } = ECHO_LIMITS;
      return { eventId, status: 'refused', error: { code: 'unavailable', message, retryAfterMs } };
    }
  }
}

function refusalOf(error: unknown): { code: string; message: string; retryAfterMs?: number } {
  const refusal = storeRefusal(error);
  if (refusal === undefined)
    return { code: 'internal', message: 'The event could not be processed; it was not stored.' };
  const { message, retryAfterMs } = refusal;
  return { code: 'unavailable', message, retryAfterMs };
}

/** Nearly every event is ready at once, without waiting. */
function prepareInOrder(
  deps: IngestDeps,
  event: ChatEvent,
  surface: string,
): CommitInput | Promise<CommitInput> {
  const { committer, echoes, histories } = deps;
  const key = conversationKeyOf(placeOf(event));
  const waits =
    histories.isDue(event, key, surface) ||
    committer.isQueued(key) ||
    needsAsyncPreparation(event) ||
    echoes.mayNamePost(event, surface);
  if (!waits) return committer.prepare(event, surface, idGiverOf(event, surface));
  return committer.queueByConversation(event, () => prepareSlowly(deps, event, surface));
}

/** Loads the history first where it is due, and replaces platform ids of the host's own posts by event ids. */
async function prepareSlowly(
  { committer, echoes, histories }: IngestDeps,
  event: ChatEvent,
  surface: string,
): Promise<CommitInput> {
  const key = conversationKeyOf(placeOf(event));
  if (histories.isDue(event, key, surface)) await histories.load(event, key, surface);
  return echoes.prepareWithEventIds(committer, event, surface, idGiverOf(event, surface));
}

/** The web chat is the host's own, and so are the ids it makes. */
function idGiverOf({ eventId }: ChatEvent, surface: string): IdGiver {
  return surface === WEB_SURFACE && isHostIdOf('web', eventId) ? 'host' : 'source';
}

// What a source may not post: acts of agents (they use tools), ticks, and events of the host's own platforms. Every
// refusal names the field.

/** Why a source may not post this event; undefined when it may. */
export function refusalFor(event: ChatEvent, surface: string): string | undefined {
  const broken = illFormedId(event);
  return broken === undefined ? notForSources(event, surface) : `${broken}: not well-formed Unicode`;
}

const ACTS: ReadonlySet<ChatEvent['type']> = new Set([
  'claim',
  'mode',
  'focus',
  'disengage',
  'turn',
  'resolve',
  'tick',
]);
/** The host's own platforms, and the surfaces that may post for them. Another source could forge people there. */
const OWN_PLATFORMS: ReadonlyMap<string, readonly string[]> = new Map([
  [INTERNAL_SURFACE, [INTERNAL_SURFACE, WEB_SURFACE]],
  [WEB_SURFACE, [WEB_SURFACE]],
]);

function notForSources({ type, author, platform }: ChatEvent, surface: string): string | undefined {
  if (OWN_PLATFORMS.get(platform)?.includes(surface) === false) {
    return `platform: "${platform}" is the host's own; name the platform this source speaks for`;
  }
  if (type === 'tick' || type === 'escalation' || (ACTS.has(type) && author.kind !== 'human')) {
    return `type: "${type}" is for agents' tools and the host; a source posts what happened in chat`;
  }
  return undefined;
}

/** The event id of a value that is no event, if it has one. The refusal names it. */
function eventIdIn(value: unknown): string {
  const id = typeof value === 'object' && value !== null && 'eventId' in value ? value.eventId : undefined;
  return typeof id === 'string' ? id.slice(0, EVENT_LIMITS.idChars) : '';
}

/** The first id that is not well-formed Unicode. Ids become keys, and a lone surrogate cannot be stored. */
function illFormedId({
  eventId,
  sourceId,
  platform,
  workspaceId,
  conversation,
  author,
}: ChatEvent): string | undefined {
  if (!eventId.isWellFormed()) return 'eventId';
  if (sourceId?.isWellFormed() === false) return 'sourceId';
  if (!platform.isWellFormed()) return 'platform';
  if (!workspaceId.isWellFormed()) return 'workspaceId';
  if (!conversation.id.isWellFormed()) return 'conversation.id';
  if (conversation.parentId?.isWellFormed() === false) return 'conversation.parentId';
  return author.id.isWellFormed() ? undefined : 'author.id';
}
