// ingest: the one door for everything that happened in chat. Each event is validated, freed of pairing codes, searched
// for secrets and committed; its caller hears about it after the sync. A repeat gets the first result.
import { isPairingText } from '../attention/index.ts';
import { type ChatEvent, EVENT_LIMITS, chatEventSchema } from '../protocol/chat-event.ts';
import { readParams } from '../protocol/read-params.ts';
import { StoreError } from '../store/store.ts';
import type { IngestResult } from '../surfaces/surface.ts';
import { type CommitInput, type Committed, commitUnit } from './attend-commit.ts';
import type { HostContext, Spans } from './context.ts';
import { INTERNAL_SURFACE, conversationKeyOf, placeOf } from './conversation.ts';

export interface IngestDeps {
  context: HostContext;
  /** Roles an account has been granted. */
  rolesOf(event: ChatEvent): readonly string[];
  /** Agents that asked to be left alone. */
  focus(): readonly { agent: string; until: number }[];
  rank(agent: string): number;
  /** Consumes a pairing code; the answer is only for the audit. */
  redeem(code: string, event: ChatEvent): Promise<boolean>;
  /** Conversations in which an event is still being looked into: what comes after it waits, so that order is kept. */
  gates: Map<string, Promise<void>>;
}

export interface Ingest {
  /** Any values: what is not an event is refused by name, the others go on. */
  (raw: readonly unknown[], surface: string): Promise<IngestResult[]>;
}

/** Scrubbed, and still of a code's shape, so that a replay decides the same. */
const SPENT_CODE = 'claim-xxxx-xxxx';

export function createIngest(deps: IngestDeps): Ingest {
  return (raw, surface) => Promise.all(raw.map((value) => ingestOne(deps, value, surface)));
}

async function ingestOne(deps: IngestDeps, value: unknown, surface: string): Promise<IngestResult> {
  const read = readParams(chatEventSchema, value);
  if (!read.ok) {
    return refused(claimedId(value), read.error.message);
  }
  const { eventId } = read.value;
  const broken = illFormedId(read.value);
  if (broken !== undefined) return refused('', `${broken}: not well-formed Unicode`);
  const forbidden = notForSources(read.value, surface);
  if (forbidden !== undefined) return refused(eventId, forbidden);
  try {
    const { status, seq } = await commit(deps, read.value, surface);
    return { eventId, status, seq };
  } catch (error) {
    deps.context.log.error({ err: error, eventId }, 'an event could not be stored');
    return { eventId, status: 'refused', error: refusalOf(error) };
  }
}

function refused(eventId: string, message: string): IngestResult {
  return { eventId, status: 'refused', error: { code: 'invalid_event', message } };
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
/** Ids the host derives for follow-ups: a source that used one could stand in for a delivery. */
const DERIVED_ID =
  /\/(claimed|loop-stopped|(edit|reminder|expired|lapsed|retry|return|escalation|escalated|unclear|undelivered|ack|seen|queued)-[^/]*)$/;

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
  return DERIVED_ID.test(eventId) ? 'eventId: this ending is reserved; use another id' : undefined;
}

/** What a refused value calls itself, as far as that is an id. */
function claimedId(value: unknown): string {
  const id = typeof value === 'object' && value !== null && 'eventId' in value ? value.eventId : undefined;
  return typeof id === 'string' ? id.slice(0, EVENT_LIMITS.idChars) : '';
}

/** Ids become keys: half a surrogate pair has no bytes in any store, and two such ids would become one. */
function illFormedId({
  eventId,
  platform,
  workspaceId,
  conversation,
  author,
}: ChatEvent): string | undefined {
  const ids = {
    eventId,
    platform,
    workspaceId,
    'conversation.id': conversation.id,
    'conversation.parentId': conversation.parentId ?? '',
    'author.id': author.id,
  };
  return Object.entries(ids).find(([, id]) => !id.isWellFormed())?.[0];
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
export async function commit(deps: IngestDeps, event: ChatEvent, surface: string): Promise<Committed> {
  const input = await prepareInOrder(deps, event, surface);
  const committed = await deps.context.store.transact(commitUnit(deps.context, input));
  for (const news of committed.news) deps.context.bus.tell(news);
  tellTyping(deps.context, committed);
  return committed;
}

async function prepareInOrder(deps: IngestDeps, event: ChatEvent, surface: string): Promise<CommitInput> {
  const { gates } = deps;
  const key = conversationKeyOf(placeOf(event));
  const before = gates.get(key);
  const ready =
    before === undefined ? prepare(deps, event, surface) : before.then(() => prepare(deps, event, surface));
  if (before === undefined && !isLookedInto(event)) return ready;
  const gate = ready.then(ignore, ignore).finally(() => {
    if (gates.get(key) === gate) gates.delete(key);
  });
  gates.set(key, gate);
  return ready;
}

const ignore = (): void => undefined;

function isLookedInto(event: ChatEvent): boolean {
  if (event.type === 'edit' || event.type === 'delete') return true;
  return event.type === 'message' && isPairingText(event.text ?? '');
}

export async function prepare(deps: IngestDeps, event: ChatEvent, surface: string): Promise<CommitInput> {
  const { context } = deps;
  const owned = withAgentId(context, event);
  const text = 'text' in owned ? (owned.text ?? '') : '';
  let clean = owned;
  if ((owned.type === 'message' || owned.type === 'edit') && isPairingText(text)) {
    // Said, it is consumed; edited in, it is only made unreadable.
    const paired = owned.type === 'message' && (await deps.redeem(text.trim(), owned));
    context.log.info({ eventId: owned.eventId, paired }, 'pairing code used');
    clean = { ...owned, text: SPENT_CODE };
  }
  const found = text === '' || clean !== owned ? NO_SPANS : context.findSecrets(text);
  const secrets = found instanceof Promise ? await found : found;
  return {
    event: clean,
    surface,
    secrets,
    authorRoles: deps.rolesOf(owned),
    focus: deps.focus(),
    rank: (agent) => deps.rank(agent),
    ...(await amended(context, owned)),
  };
}

/** Log rows looked through for earlier edits of the same message. */
const LOOKED_AT = 500;

async function amended(
  { store }: HostContext,
  event: ChatEvent,
): Promise<Pick<CommitInput, 'edits' | 'sent'> | undefined> {
  if (event.type !== 'edit' && event.type !== 'delete') return undefined;
  const { targetEventId, eventId } = event;
  const rows = await store.scan('log', 'byConversation', {
    eq: [conversationKeyOf(placeOf(event))],
    limit: LOOKED_AT,
    descending: true,
  });
  const edits = rows.flatMap(({ record, key }) =>
    record.event.type === 'edit' && record.event.targetEventId === targetEventId && key !== eventId
      ? [key]
      : [],
  );
  const [sent] = await store.scan('outbox', 'byEvent', { eq: [targetEventId], limit: 1 });
  return { edits: edits.toReversed(), sent: sent?.key };
}

const NO_SPANS: Spans = [];

/** An agent's platform account is the agent: everything behind this door knows it by its id. */
function withAgentId(context: HostContext, event: ChatEvent): ChatEvent {
  if (event.author.kind === 'human') return event;
  const agent = context.rosterAt(placeOf(event)).byIdentity.get(event.author.id);
  if (agent === undefined || event.author.id === agent.id) return event;
  return { ...event, author: { ...event.author, id: agent.id, kind: 'agent' } };
}

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
