// ingest: the one door for everything that happened in chat. Each event is validated, freed of pairing codes, searched
// for secrets and committed; its caller hears about it after the sync. A repeat gets the first result.
import { type ChatEvent, chatEventSchema, isChatEvent } from '../../protocol/chat-event.ts';
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
import { type CommitInput, type Committed, commitUnit } from '../attend/commit-event.ts';
import type { HostContext } from '../kernel/context.ts';
import { conversationKeyOf, placeOf } from '../kernel/conversation.ts';
import { type Echo, ECHO_LIMITS, type Echoes } from './echo.ts';
import type { Histories } from './history.ts';
import { isLookedInto, prepare } from './prepare.ts';
import { claimedId, illFormedId, refusedBy } from './source-rules.ts';

export interface IngestDeps {
  context: HostContext;
  /** Roles an account has been granted. */
  rolesOf(event: ChatEvent): readonly string[];
  /** Agents that asked to be left alone. */
  focus(): readonly { agent: string; until: number }[];
  rank: (agent: string) => number;
  /** Consumes a pairing code; the answer is only for the audit. */
  redeem(code: string, event: ChatEvent): Promise<boolean>;
  /** Conversations in which an event is still being looked into: what comes after it waits, so that order is kept. */
  gates: Map<string, Promise<void>>;
  echoes: Echoes;
  histories: Histories;
}

export interface Ingest {
  /** Any values: what is not an event is refused by name, the others go on, and are the host's from then on. */
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
    const { status, seq } = await commit(deps, event, surface);
    return { eventId, status, seq };
  } catch (error) {
    deps.context.log.error({ err: error, eventId }, 'an event could not be stored');
    return { eventId, status: 'refused', error: refusalOf(error) };
  }
}

function readEvent(value: unknown): ReadParams<ChatEvent> {
  return isChatEvent(value) ? { ok: true, value } : readParams(chatEventSchema, value);
}

function refused(eventId: string, message: string): IngestResult {
  return { eventId, status: 'refused', error: { code: 'invalid_event', message } };
}

/** Known again or not, what comes after it waits: order is kept either way. */
async function ingestMarked(deps: IngestDeps, marked: SourceEvent, surface: string): Promise<IngestResult> {
  const event = withoutMarks(marked);
  const found = await inOrder(deps, event, async () => {
    const echo = await deps.echoes.match(event, marked, surface);
    return echo.type === 'none' ? { input: await look(deps, event, surface) } : { echo };
  });
  if ('echo' in found) return echoResult(event.eventId, found.echo);
  const { status, seq } = await commitInput(deps, found.input);
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

/** Also for what the host itself writes: acts of agents, their visible sends. */
export function commit(deps: IngestDeps, event: ChatEvent, surface: string): Promise<Committed> {
  const input = prepareInOrder(deps, event, surface);
  return input instanceof Promise
    ? input.then((ready) => commitInput(deps, ready))
    : commitInput(deps, input);
}

function commitInput({ context }: IngestDeps, input: CommitInput): Promise<Committed> {
  return context.store.transact(commitUnit(context, input)).then((committed) => {
    for (const news of committed.news) context.bus.tell(news);
    tellTyping(context, committed);
    return committed;
  });
}

/** At once for nearly everything: nothing is awaited that need not be. */
function prepareInOrder(
  deps: IngestDeps,
  event: ChatEvent,
  surface: string,
): CommitInput | Promise<CommitInput> {
  const { gates, echoes, histories } = deps;
  const key = conversationKeyOf(placeOf(event));
  const first = histories.isDue(event, key, surface);
  if (!first && !gates.has(key) && !isLookedInto(event) && !echoes.names(event, surface))
    return prepare(deps, event, surface);
  return inOrder(deps, event, () => look(deps, event, surface));
}

/** Behind what is being looked into there, and in front of what comes after. */
function inOrder<T>({ gates }: IngestDeps, event: ChatEvent, run: () => Promise<T>): Promise<T> {
  const key = conversationKeyOf(placeOf(event));
  const before = gates.get(key);
  const ready = before === undefined ? run() : before.then(run);
  const gate = ready.then(ignore, ignore).finally(() => {
    if (gates.get(key) === gate) gates.delete(key);
  });
  gates.set(key, gate);
  return ready;
}

async function look(deps: IngestDeps, event: ChatEvent, surface: string): Promise<CommitInput> {
  const key = conversationKeyOf(placeOf(event));
  if (deps.histories.isDue(event, key, surface)) await deps.histories.take(event, key, surface);
  return named(deps, event, surface);
}

/** Ready to be committed, naming posts of ours by their ids in the log. */
export async function named(deps: IngestDeps, event: ChatEvent, surface: string): Promise<CommitInput> {
  if (!deps.echoes.names(event, surface)) return prepare(deps, event, surface);
  const { event: meant, root } = await deps.echoes.resolve(event, surface);
  const input = await prepare(deps, meant, surface);
  return root === undefined ? input : { ...input, root };
}

const ignore = (): void => undefined;

function tellTyping({ bus }: HostContext, { row }: Committed): void {
  const { event } = row.record;
  if (event.type !== 'typing') return;
  bus.tell({
    type: 'typing',
    conversation: row.conversation,
    author: event.author,
    typing: event.typing ?? true,
  });
}
