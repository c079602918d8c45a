// The mailbox, and what the other tools that read share: which events an agent may read. Every event passes the rules of
// read/may-read.ts first. What an agent may not read is simply not in the answer.
import { wireError } from '../../protocol/errors.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import { instantMs } from '../../protocol/log-record.ts';
import type { ListedEvent } from '../../protocol/tool-fields.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import type { Scanned } from '../../store/store.ts';
import type { LogRow } from '../../store/tables.ts';
import { resolveTarget } from '../kernel/conversation.ts';
import { mayReadEvent, mayReadRoom } from '../read/may-read.ts';
import { answerPage } from './answer-page.ts';
import { owedEvent } from './debts.ts';
import { listedEvent } from './listed-event.ts';
import type { ToolAnswer, ToolContext } from './tool-context.ts';

/** Unless the caller says how many. */
export const PAGE = 20;
/** How many rows are searched for one page of a filtered list. The cursor continues after them. */
export const LOOKED_AT = 500;
/** How many of them are read at a time. Reading and listing them takes about a millisecond. */
const STEP = 20;
export const SHOWN = new Set(['message', 'edit', 'delete', 'reaction', 'progress']);

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
    const target = await resolveTarget(places, input.target, agent, undefined);
    if (target.type === 'unknown' || !(await mayReadRoom(context, agent, target.key)))
      return { ok: false, error: wireError('not_found', { what: 'conversation' }) };
    key = target.key;
  }
  const readable = readableRooms(tools);
  const listable = async (row: LogRow): Promise<ListedEvent | undefined> => {
    if (!SHOWN.has(row.type) || !isInTime(row, input)) return undefined;
    if (!(await readable(row.conversation)) || !(await mayReadEvent(context, row, agent))) return undefined;
    const listed = await listedEvent(tools, row);
    return matchesFilter(listed, row, input) ? listed : undefined;
  };
  const page = answerPage<ListedEvent>(limit);
  const shown = new Set<string>();
  let cursor: number | undefined;
  let looked = 0;
  for await (const row of rowsBefore(tools, key, before)) {
    const listed = await listable(row);
    if (listed !== undefined && !page.take(listed)) break;
    if (listed !== undefined) shown.add(row.conversation);
    cursor = key === undefined ? row.position : row.seq;
    looked++;
    if (page.full) break;
  }
  await tools.texts.noteReading(agent, shown);
  const { items: events } = page;
  const more = cursor !== undefined && (page.full || looked === LOOKED_AT);
  return { ok: true, result: more ? { events, nextCursor: String(cursor) } : { events } };
}

/** At most LOOKED_AT rows, newest first, read as they are needed: most pages are full after a few. */
export async function* rowsBefore(
  { context: { store, shares } }: ToolContext,
  key: string | undefined,
  before: number | undefined,
): AsyncGenerator<Scanned<LogRow>> {
  let from = before;
  for (let read = 0; read < LOOKED_AT; read += STEP) {
    const limit = Math.min(STEP, LOOKED_AT - read);
    const range = { limit, descending: true, ...(from === undefined ? {} : { before: from }) };
    await shares.nextSlice();
    const rows =
      key === undefined
        ? await store.scan('log', 'byPosition', range)
        : await store.scan('log', 'byConversation', { eq: [key], ...range });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    from = key === undefined ? last.position : last.seq;
  }
}

export function badCursor(): { ok: false; error: ReturnType<typeof wireError> } {
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
