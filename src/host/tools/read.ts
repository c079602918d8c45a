// The tools that read: the mailbox, a window of a thread, the open obligations. Every event passes the rules of
// read/may-read.ts first. What an agent may not read is simply not in the answer.
import {
  askedNow,
  blockedOn,
  blocks,
  dischargeable,
  listOf,
  mentionsOf,
  openById,
  owes,
  shortKey,
} from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { wireError } from '../../protocol/errors.ts';
import { deliveryKey, identity } from '../../protocol/identity.ts';
import { instantMs, iso } from '../../protocol/log-record.ts';
import type { ListedEvent } from '../../protocol/tool-fields.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import type { LogRow } from '../../store/tables.ts';
import { type ConversationState, placeOf, readConversation, resolveTarget } from '../kernel/conversation.ts';
import { decisionForAgent, textOf } from '../kernel/log-row.ts';
import { directoryOf } from '../kernel/context.ts';
import { mayReadEvent, mayReadRoom } from '../read/may-read.ts';
import { saidTo } from '../read/said-to.ts';
import { owedEvent, readObligations } from './debts.ts';
import type { ToolAnswer, ToolContext } from './tool-context.ts';

const PAGE = 20;
/** How many rows are searched for one page of a filtered list. The cursor continues after them. */
const LOOKED_AT = 500;
const SHOWN = new Set(['message', 'edit', 'delete', 'reaction', 'progress']);

export async function listEvents(
  input: ToolInput<'chat.list_events'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.list_events'>> {
  const { context, agent, places } = tools;
  const limit = input.limit ?? PAGE;
  const before = input.cursor === undefined ? undefined : Number(input.cursor);
  if (before !== undefined && !Number.isSafeInteger(before)) return badCursor();
  let key: string | undefined;
  if (input.target !== undefined) {
    const target = resolveTarget(places, input.target, agent, undefined);
    if (target.type === 'unknown' || !(await mayReadRoom(context, agent, target.key)))
      return { ok: false, error: wireError('not_found', { what: 'conversation' }) };
    key = target.key;
  }
  const readable = readableRooms(tools);
  const page = { limit: LOOKED_AT, descending: true, ...(before === undefined ? {} : { before }) };
  const rows =
    key === undefined
      ? await context.store.scan('log', 'byPosition', page)
      : await context.store.scan('log', 'byConversation', { eq: [key], ...page });
  const events: ListedEvent[] = [];
  const shown = new Set<string>();
  let cursor: number | undefined;
  for (const row of rows) {
    cursor = key === undefined ? row.position : row.seq;
    if (!SHOWN.has(row.type) || !isInTime(row, input)) continue;
    if (!(await readable(row.conversation)) || !(await mayReadEvent(context, row, agent))) continue;
    const listed = await listedEvent(tools, row);
    if (!matchesFilter(listed, row, input)) continue;
    shown.add(row.conversation);
    events.push(listed);
    if (events.length === limit) break;
  }
  await tools.texts.noteReading(agent, shown);
  const more = cursor !== undefined && (events.length === limit || rows.length === LOOKED_AT);
  return { ok: true, result: more ? { events, nextCursor: String(cursor) } : { events } };
}

function badCursor(): { ok: false; error: ReturnType<typeof wireError> } {
  return {
    ok: false,
    error: wireError('invalid_params', { problem: 'cursor: use nextCursor of the page before' }),
  };
}

function isInTime(row: LogRow, { since, until }: ToolInput<'chat.list_events'>): boolean {
  const at = instantMs(row.record.event.at);
  return (since === undefined || at >= Date.parse(since)) && (until === undefined || at <= Date.parse(until));
}

function matchesFilter(listed: ListedEvent, row: LogRow, input: ToolInput<'chat.list_events'>): boolean {
  if (input.streamId !== undefined && row.record.event.conversation.streamId !== input.streamId) return false;
  if (input.policy !== undefined && listed.policy !== input.policy) return false;
  return input.unsettled !== true || (listed.disposition === undefined && listed.policy === 'must_respond');
}

export async function readThread(
  input: ToolInput<'chat.read_thread'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.read_thread'>> {
  const { context, agent, places } = tools;
  const around = input.inReplyTo === undefined ? undefined : await readableOrOwed(tools, input.inReplyTo);
  if (input.inReplyTo !== undefined && around === undefined) {
    return { ok: false, error: wireError('not_found', { what: 'event' }) };
  }
  const target =
    input.target === undefined ? undefined : resolveTarget(places, input.target, agent, undefined);
  if (target?.type === 'unknown') return { ok: false, error: wireError('not_found', { what: target.what }) };
  const key = around?.conversation ?? target?.key ?? '';
  const mayReadAll = await mayReadRoom(context, agent, key);
  if (!mayReadAll && around === undefined)
    return { ok: false, error: wireError('not_found', { what: 'conversation' }) };
  const cursor = input.cursor === undefined ? undefined : Number(input.cursor);
  if (cursor !== undefined && !Number.isSafeInteger(cursor)) return badCursor();
  // The window includes some later events, because an answer may already be there.
  const before = cursor ?? (around === undefined ? undefined : around.seq + PAGE / 2 + 1);
  const limit = input.limit ?? PAGE;
  const rows = await context.store.scan('log', 'byConversation', {
    eq: [key],
    limit: LOOKED_AT,
    descending: true,
    ...(before === undefined ? {} : { before }),
  });
  const seen: typeof rows = [];
  for (const row of rows) {
    if (seen.length === limit) break;
    if (!SHOWN.has(row.type)) continue;
    // An agent that was handed one event of a room that it may not read sees only that event.
    if (row.key === around?.key || (mayReadAll && (await mayReadEvent(context, row, agent)))) seen.push(row);
  }
  const events = await Promise.all(seen.toReversed().map((row) => listedEvent(tools, row)));
  if (events.length > 0) await tools.texts.noteReading(agent, [key]);
  const oldest = seen.at(-1)?.seq;
  const state = await readConversation(context.store, key);
  const conversation = state?.place.conversation ?? { kind: 'channel' as const, id: key };
  const here = mayReadAll ? await tools.participants(agent, key) : {};
  const result = { target: `${conversation.kind}:${conversation.id}` as const, events, ...here };
  const more = oldest !== undefined && oldest > 1 && (seen.length === limit || rows.length === LOOKED_AT);
  return { ok: true, result: more ? { ...result, nextCursor: String(oldest) } : result };
}

/** The event with this id, or with the id of a delivery about it (`evt/claimed`). What was delivered may be read. */
export async function readableEvent(tools: ToolContext, eventId: string): Promise<LogRow | undefined> {
  const { context, agent } = tools;
  const delivery = await context.store.get('delivery', deliveryKey(eventId, agent));
  const row = await context.store.get('log', delivery?.source ?? eventId);
  if (row === undefined || (delivery !== undefined && delivery.state !== 'held')) return row;
  if (!(await mayReadRoom(context, agent, row.conversation))) return undefined;
  return (await mayReadEvent(context, row, agent)) ? row : undefined;
}

/** The event, also for an agent that has to do with it only through the debt it carries. */
export async function readableOrOwed(tools: ToolContext, eventId: string): Promise<LogRow | undefined> {
  const { context, agent } = tools;
  return (await readableEvent(tools, eventId)) ?? owedEvent(context, agent, eventId);
}

/** Whether the agent may read a conversation. Remembers the answers for the length of one call. */
export function readableRooms({ context, agent }: ToolContext): (key: string) => Promise<boolean> {
  const known = new Map<string, boolean>();
  return async (key) => {
    const readable = known.get(key) ?? (await mayReadRoom(context, agent, key));
    known.set(key, readable);
    return readable;
  };
}

export async function listedEvent({ context, agent }: ToolContext, row: LogRow): Promise<ListedEvent> {
  const { event } = row.record;
  const decided = decisionForAgent(row, agent);
  const delivery = await context.store.get('delivery', deliveryKey(row.key, agent));
  const state = await readConversation(context.store, row.conversation);
  const holder = holderOf(state, row.key, context.clock.now());
  const text = textOf(row);
  const to = await saidTo(context, row);
  const mentions = mentionsOf(row.record, context.rosterAt(placeOf(event), row.conversation));
  const holderId = context.attention.agents.find(({ id }) => holder === `@${id}`)?.id;
  return {
    eventId: row.key,
    ...(row.sourceId !== undefined && { sourceId: row.sourceId }),
    target: `${event.conversation.kind}:${event.conversation.id}`,
    author: { id: event.author.id, kind: event.author.kind },
    createdAt: iso(instantMs(event.at)),
    type: row.type as ListedEvent['type'],
    ...contentOf(text, event),
    ...(event.type === 'reaction' && {
      reaction: { targetEventId: event.targetEventId, signal: event.signal },
    }),
    ...(mentions.length > 0 && { mentions: mentions.map(({ kind, id }) => identity(kind, id)) }),
    ...(event.type === 'message' && event.inReplyTo !== undefined && { inReplyTo: event.inReplyTo }),
    ...(to.length > 0 && { to }),
    ...(decided && {
      directedness: decided.directedness,
      policy: delivery?.policy ?? decided.policy,
      mode: decided.mode,
    }),
    ...(delivery?.disposition && { disposition: delivery.disposition }),
    ...(holderId !== undefined && { claimedBy: identity('agent', holderId) }),
  };
}

/** The text and the list of attachments. The agent can read an attachment later by its id. */
function contentOf(text: string, event: ChatEvent): Pick<ListedEvent, 'content'> {
  const attachments = 'attachments' in event ? (event.attachments ?? []) : [];
  if (text === '' && attachments.length === 0) return {};
  const words = text === '' ? [] : [{ type: 'text' as const, text }];
  return { content: [...words, ...attachments.map((one) => ({ type: 'attachment' as const, ...one }))] };
}

const QUERIES = { owe: owes, blocking: blocks, blocked_on: blockedOn, may_discharge: dischargeable };

export async function openSet(
  input: ToolInput<'chat.open_set'>,
  { context, agent }: ToolContext,
): Promise<ToolAnswer<'chat.open_set'>> {
  const state = await readObligations(context);
  const open = openById(state);
  const query = QUERIES[input.query];
  const rows = query(state, identity('agent', agent), context.clock.now(), directoryOf(context));
  const from = input.cursor === undefined ? 0 : Number(input.cursor);
  if (!Number.isSafeInteger(from) || from < 0) return badCursor();
  const limit = input.limit ?? PAGE;
  const obligations = rows.slice(from, from + limit).map((row) => ({
    obligationId: row.id.slice(0, 256),
    eventId: row.eventId,
    author: row.author,
    recipient: row.recipient,
    obligation: { blocks: row.blocks, defaultAction: row.defaultAction },
    createdAt: iso(row.createdAt),
    ageMs: row.ageMs,
    returns: row.returned,
    askedNow: askedNow(open, row),
    ...(row.kind === 'escalation' ? { items: listOf(open, row).map(({ eventId }) => eventId) } : {}),
    state: row.paused
      ? ('paused' as const)
      : row.escalatedTo !== null
        ? ('escalated' as const)
        : ('open' as const),
  }));
  const more = rows.length > from + limit;
  return { ok: true, result: more ? { obligations, nextCursor: String(from + limit) } : { obligations } };
}

/** Who holds a claim on the event. */
function holderOf(state: ConversationState | undefined, eventId: string, now: number): string | undefined {
  const event = shortKey(eventId);
  return state?.attention.claims.find((claim) => claim.event === event && claim.until > now)?.agent;
}
