// ingest: the one door for every event from a source, whatever way it came. Each event is validated, checked for what a
// source may not post and for how much (door.ts), recognised if it is an echo, prepared and committed. The caller gets its
// result after the sync. A repeat gets the first result.
import { type ChatEvent, chatEventSchema, isChatEvent, EVENT_LIMITS } from '../../protocol/chat-event.ts';
import { type ReadParams, readParams } from '../../protocol/read-params.ts';
import {
  type EchoMarks,
  isMarked,
  mayBeEcho,
  markedEventSchema,
  withoutMarks,
} from '../../protocol/source-event.ts';
import { StoreError } from '../../store/store.ts';
import type { IngestResult } from '../../surfaces/surface.ts';
import type { CommitInput, Committed } from '../attend/commit-event.ts';
import { sourceIdOf } from '../../protocol/log-record.ts';
import type { IdGiver } from '../attend/scoped-event.ts';
import { conversationKeyOf, placeOf, WEB_SURFACE } from '../kernel/conversation.ts';
import type { HostContext } from '../kernel/context.ts';
import { rememberSharedIds } from '../kernel/event-id.ts';
import { RoomOfAnother } from '../kernel/speakers.ts';
import { logFailure, storeRefusal } from '../kernel/store-refusal.ts';
import type { InboundLimits } from '../security/rate-limit.ts';
import { type Committer, needsAsyncPreparation } from './committer.ts';
import { illFormedId, type Refusal, refusalFor, tooManyOf, tooManyFrom } from './door.ts';
import { charsOf, createInTurns } from './in-turns.ts';
import { type AmendingEvent, isAmending } from './own-amendments.ts';
import { type Echo, ECHO_LIMITS, type Echoes } from './own-posts.ts';
import type { Histories } from './ask-surface.ts';
import { hasGlyph, readGlyph } from './read-glyph.ts';
import type { ShownAs } from '../outbox/on-platform.ts';
import { isHostIdOf } from '../../protocol/derived-id.ts';

export interface IngestDeps {
  context: Pick<HostContext, 'log' | 'schedule' | 'sharedIds' | 'store' | 'glyphsOf' | 'speakers'>;
  limits: InboundLimits;
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
  const inTurns = createInTurns(deps.context.schedule);
  return (raw, surface) => {
    const chars = charsOf(raw);
    const problem = tooManyFrom(deps.limits, surface, { count: raw.length, chars });
    if (problem !== undefined)
      return Promise.resolve(raw.map((value) => refusedWith(eventIdIn(value), problem)));
    return inTurns({ source: surface, values: raw, chars }, (value) => ingestOne(deps, value, surface));
  };
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
  const problem = refusalFor(deps.context.speakers, event, surface) ?? tooManyOf(deps.limits, event, surface);
  if (problem !== undefined) return refusedWith(illFormedId(event) === undefined ? eventId : '', problem);
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
    const room =
      error instanceof StoreError && error.cause instanceof RoomOfAnother ? error.cause : undefined;
    if (room !== undefined) return refusedWith(eventId, { code: 'wrong_source', message: room.message });
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
  const { key: eventId } = row;
  const sourceId = sourceIdOf(event);
  return sourceId === eventId ? { eventId, status, seq } : { eventId, sourceId, status, seq };
}

function idsOf(event: ChatEvent, eventId: string): { eventId: string; sourceId?: string } {
  const sourceId = sourceIdOf(event);
  return sourceId === eventId ? { eventId } : { eventId, sourceId };
}

function refused(eventId: string, message: string): IngestResult {
  return refusedWith(eventId, { code: 'invalid_event', message });
}

function refusedWith(eventId: string, error: Refusal): IngestResult {
  return { eventId, status: 'refused', error };
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
  if (!waits) return committer.prepare(event, surface, idGiverOf(event, surface), false);
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

/** The event id of a value that is no event, if it has one. The refusal names it. */
function eventIdIn(value: unknown): string {
  const id = typeof value === 'object' && value !== null && 'eventId' in value ? value.eventId : undefined;
  return typeof id === 'string' ? id.slice(0, EVENT_LIMITS.idChars) : '';
}
