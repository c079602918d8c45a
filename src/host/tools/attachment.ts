// chat.read_attachment: finds an attachment by its id, newest message first, among the messages that the agent may read
// or has observed. With a target it searches that conversation. With an event it searches the event, then its
// conversation, then everything.
import type { Attachment } from '../../protocol/delivery.ts';
import { wireError } from '../../protocol/errors.ts';
import { charStart, jsonBytes, pageEnd } from '../../protocol/fit.ts';
import { READ_ATTACHMENT_LIMITS } from '../../protocol/read-tools.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import { aTurn } from '../../runtime/schedule.ts';
import type { ScanRange, Scanned } from '../../store/store.ts';
import type { LogRow } from '../../store/tables.ts';
import { resolveTarget } from '../kernel/conversation.ts';
import { mayReadEvent, mayReadRoom } from '../read/may-read.ts';
import { wasObserved } from '../read/seen-while-quiet.ts';
import { PAGE_BYTES } from './answer-page.ts';
import { attachmentsOf } from './listed-event.ts';
import { readableEvent, readableRooms } from './read.ts';
import type { ToolAnswer, ToolContext } from './tool-context.ts';

/** How many log rows are searched for one id. */
const LOOKED_AT = 5_000;
/** How many rows are read at a time. Reading and parsing them takes half a millisecond. */
const PAGE = 50;
/** What a row that is looked at counts as, in bytes. */
const ROW_BYTES = 1_024;

interface FoundAttachment {
  row: LogRow;
  attachment: Attachment;
}

export async function readAttachment(
  input: ToolInput<'chat.read_attachment'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.read_attachment'>> {
  const found = await findAttachment(input, tools);
  if (found === undefined) return { ok: false, error: wireError('not_found', { what: 'attachment' }) };
  const { row, attachment } = found;
  const read = await tools.attachments.read(row, attachment, tools.signal);
  if (!read.ok) return read;
  const { id: attachmentId, kind, name } = attachment;
  const { mediaType, bytes } = read;
  // The whole file was fetched and searched for secrets, also when a page of it is shown.
  tools.context.shares.looked(`agent:${tools.agent}`, bytes);
  const about = {
    attachmentId,
    eventId: row.key,
    kind,
    ...(name === undefined ? {} : { name }),
    mediaType,
    bytes,
  };
  if ('text' in read) {
    const { text, end } = pageOf(read.text, input.textFrom ?? 0, jsonBytes(about));
    await tools.texts.noteText(tools.agent, row.conversation, text);
    const rest = end < read.text.length ? { cut: true, nextTextFrom: end } : {};
    return { ok: true, result: { ...about, text, ...rest } };
  }
  return { ok: true, result: { ...about, data: read.data }, shown: about };
}

/** The text from a character on, as far as it fits into one answer. `used`: the bytes of what stands beside it. */
function pageOf(whole: string, textFrom: number, used: number): { text: string; end: number } {
  const from = charStart(whole, Math.min(textFrom, whole.length));
  const most = charStart(whole, Math.min(whole.length, from + READ_ATTACHMENT_LIMITS.textChars));
  const end = Math.min(most, pageEnd(whole, from, PAGE_BYTES - used));
  return { text: whole.slice(from, end), end };
}

async function findAttachment(
  { attachmentId, inReplyTo, target }: ToolInput<'chat.read_attachment'>,
  tools: ToolContext,
): Promise<FoundAttachment | undefined> {
  const { agent, places } = tools;
  const about = inReplyTo === undefined ? undefined : await readableEvent(tools, inReplyTo);
  if (inReplyTo !== undefined && about === undefined) return undefined;
  const own = about === undefined ? undefined : attachmentOn(about, attachmentId);
  if (own !== undefined) return own;
  if (target !== undefined) {
    const place = await resolveTarget(places, target, agent, undefined);
    return place.type === 'unknown' ? undefined : newestIn(tools, place.key, attachmentId);
  }
  const near = about === undefined ? undefined : await newestIn(tools, about.conversation, attachmentId);
  return near ?? newestIn(tools, undefined, attachmentId);
}

/** Searches one conversation, or all of them. */
async function newestIn(
  tools: ToolContext,
  room: string | undefined,
  attachmentId: string,
): Promise<FoundAttachment | undefined> {
  const { context, agent } = tools;
  if (room !== undefined && !(await mayReadRoom(context, agent, room))) return undefined;
  const readable = readableRooms(tools);
  /** The attachments of a message after its newest edit. */
  const edited = new Map<string, readonly Attachment[]>();
  for await (const row of newestFirst(tools, room)) {
    const { event } = row.record;
    const hit = attachmentOn(row, attachmentId);
    const replaced = edited.get(row.key);
    if (event.type === 'edit' && event.attachments !== undefined && !edited.has(event.targetEventId))
      edited.set(event.targetEventId, event.attachments);
    if (hit === undefined || replaced?.some(({ id }) => id === attachmentId) === false) continue;
    const isOpen = wasObserved(row, agent) || (await mayReadEvent(context, row, agent));
    if (isOpen && (await readable(row.conversation))) return hit;
  }
  return undefined;
}

/** Others have their turn between two pages. */
async function* newestFirst(
  { context, agent }: ToolContext,
  room: string | undefined,
): AsyncGenerator<LogRow> {
  let before: number | undefined;
  for (let read = 0; read < LOOKED_AT; read += PAGE) {
    const page: ScanRange = { limit: PAGE, descending: true, ...(before === undefined ? {} : { before }) };
    const rows: Scanned<LogRow>[] =
      room === undefined
        ? await context.store.scan('log', 'byPosition', page)
        : await context.store.scan('log', 'byConversation', { eq: [room], ...page });
    context.shares.looked(`agent:${agent}`, rows.length * ROW_BYTES);
    yield* rows;
    if (rows.length < PAGE) return;
    await aTurn(context.schedule);
    const last = rows.at(-1);
    before = room === undefined ? last?.position : last?.seq;
  }
}

function attachmentOn(row: LogRow, id: string): FoundAttachment | undefined {
  const attachment = attachmentsOf(row.record.event).find((one) => one.id === id);
  return attachment === undefined ? undefined : { row, attachment };
}
