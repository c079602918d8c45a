// ingest: the one door for everything that happened in chat. Each event is validated, freed of pairing codes, searched
// for secrets and committed; its caller hears about it after the sync. A repeat gets the first result.
import { type ChatEvent, chatEventSchema, isChatEvent, EVENT_LIMITS } from '../../protocol/chat-event.ts';
import { type ReadParams, readParams } from '../../protocol/read-params.ts';
import {
  type SourceEvent,
  isMarked,
  mayBeEcho,
  sourceEventSchema,
  withoutMarks,
} from '../../protocol/source-event.ts';
import { StoreError } from '../../store/store.ts';
import type { IngestResult } from '../../surfaces/surface.ts';
import type { CommitInput } from '../attend/commit-event.ts';
import { conversationKeyOf, placeOf, INTERNAL_SURFACE } from '../kernel/conversation.ts';
import type { HostLog } from '../kernel/change.ts';
import { type Committer, needsAsyncPreparation } from './committer.ts';
import { type Echo, ECHO_LIMITS, type Echoes } from './own-posts.ts';
import type { Histories } from './ask-surface.ts';
import { isDerivedId } from '../../protocol/derived-id.ts';

export interface IngestDeps {
  committer: Committer;
  echoes: Echoes;
  histories: Histories;
  log: HostLog;
}

export interface Ingest {
  /** Takes any values. What is not an event is refused by name; the others are the host's from then on. */
  (raw: readonly unknown[], surface: string): Promise<IngestResult[]>;
}

export function createIngest(deps: IngestDeps): Ingest {
  return (raw, surface) => Promise.all(raw.map((value) => ingestOne(deps, value, surface)));
}

async function ingestOne(deps: IngestDeps, value: unknown, surface: string): Promise<IngestResult> {
  const marked = isMarked(value);
  const read = marked ? readParams(sourceEventSchema, value) : readEvent(value);
  if (!read.ok) return refused(claimedId(value), read.error.message);
  const event = marked ? withoutMarks(read.value) : read.value;
  const { eventId } = event;
  const problem = refusedBy(event, surface);
  if (problem !== undefined) return refused(illFormedId(event) === undefined ? eventId : '', problem);
  try {
    if (marked && mayBeEcho(read.value)) return await ingestMarked(deps, read.value, surface);
    const input = prepareInOrder(deps, event, surface);
    const ready = input instanceof Promise ? await input : input;
    const { status, seq } = await deps.committer.commit(ready);
    return { eventId, status, seq };
  } catch (error) {
    deps.log.error({ err: error, eventId }, 'an event could not be stored');
    return { eventId, status: 'refused', error: refusalOf(error) };
  }
}

function readEvent(value: unknown): ReadParams<ChatEvent> {
  return isChatEvent(value) ? { ok: true, value } : readParams(chatEventSchema, value);
}

function refused(eventId: string, message: string): IngestResult {
  return { eventId, status: 'refused', error: { code: 'invalid_event', message } };
}

/** What comes after it waits, whether it is an echo or not, so that order is kept. */
async function ingestMarked(deps: IngestDeps, marked: SourceEvent, surface: string): Promise<IngestResult> {
  const event = withoutMarks(marked);
  const found = await deps.committer.queueByConversation(event, async () => {
    const echo = await deps.echoes.match(event, marked, surface);
    return echo.type === 'none' ? { input: await prepareSlowly(deps, event, surface) } : { echo };
  });
  if ('echo' in found) return echoResult(event.eventId, found.echo);
  const { status, seq } = await deps.committer.commit(found.input);
  return { eventId: event.eventId, status, seq };
}

function echoResult(eventId: string, echo: Exclude<Echo, { type: 'none' }>): IngestResult {
  switch (echo.type) {
    case 'repeat':
      return { eventId, status: 'repeat', seq: echo.seq };
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
  if (!(error instanceof StoreError) || !error.retryable)
    return { code: 'internal', message: 'The event could not be processed; it was not stored.' };
  return {
    code: 'unavailable',
    message: 'The store is busy. Send the same event again.',
    retryAfterMs: 1_000,
  };
}

/** At once for nearly everything: nothing is awaited that need not be. */
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
    echoes.names(event, surface);
  if (!waits) return committer.prepare(event, surface);
  return committer.queueByConversation(event, () => prepareSlowly(deps, event, surface));
}

/** With its history in front of it where that is due, and naming posts of ours by their ids in the log. */
async function prepareSlowly(
  { committer, echoes, histories }: IngestDeps,
  event: ChatEvent,
  surface: string,
): Promise<CommitInput> {
  const key = conversationKeyOf(placeOf(event));
  if (histories.isDue(event, key, surface)) await histories.take(event, key, surface);
  return echoes.prepareNamed(committer, event, surface);
}

// What a source may hand over: agents act through their tools, time passes by itself, derived ids and the host's own
// platforms are the host's. Every refusal names the field.

/** What no source may hand over, in words. */
export function refusedBy(event: ChatEvent, surface: string): string | undefined {
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
/** Platforms of the host's own, and the surfaces that speak for them: another source could forge people there. */
const OWN_PLATFORMS: ReadonlyMap<string, readonly string[]> = new Map([
  [INTERNAL_SURFACE, [INTERNAL_SURFACE, 'web']],
  ['web', ['web']],
]);

/** What a source may not say: agents act through their tools, time passes by itself, derived ids are the host's. */
function notForSources({ type, author, eventId, platform }: ChatEvent, surface: string): string | undefined {
  if (OWN_PLATFORMS.get(platform)?.includes(surface) === false) {
    return `platform: "${platform}" is the host's own; name the platform this source speaks for`;
  }
  if (type === 'tick' || (ACTS.has(type) && author.kind !== 'human')) {
    return `type: "${type}" is for agents' tools and the host; a source posts what happened in chat`;
  }
  return isDerivedId(eventId) ? 'eventId: this ending is reserved; use another id' : undefined;
}

/** What a refused value calls itself, as far as that is an id. */
export function claimedId(value: unknown): string {
  const id = typeof value === 'object' && value !== null && 'eventId' in value ? value.eventId : undefined;
  return typeof id === 'string' ? id.slice(0, EVENT_LIMITS.idChars) : '';
}

/** Ids become keys: half a surrogate pair has no bytes in any store, and two such ids would become one. */
export function illFormedId({
  eventId,
  platform,
  workspaceId,
  conversation,
  author,
}: ChatEvent): string | undefined {
  if (!eventId.isWellFormed()) return 'eventId';
  if (!platform.isWellFormed()) return 'platform';
  if (!workspaceId.isWellFormed()) return 'workspaceId';
  if (!conversation.id.isWellFormed()) return 'conversation.id';
  if (conversation.parentId?.isWellFormed() === false) return 'conversation.parentId';
  return author.id.isWellFormed() ? undefined : 'author.id';
}
