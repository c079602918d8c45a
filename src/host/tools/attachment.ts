// chat.read_attachment: an attachment by its id, the newest first, over what the agent may see, also what it watched
// while quiet. Named a place, it is looked for there; named an event, on it, then around it, then everywhere.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { Attachment } from '../../protocol/delivery.ts';
import { wireError } from '../../protocol/errors.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import type { ScanRange, Scanned } from '../../store/store.ts';
import type { LogRow } from '../../store/tables.ts';
import { resolveTarget } from '../kernel/conversation.ts';
import { maySee, mayReadRoom } from '../read/may-read.ts';
import { observed } from '../read/seen-while-quiet.ts';
import { readableEvent, readableRooms } from './read.ts';
import type { ToolAnswer, ToolContext } from './tool-context.ts';

/** Log rows looked through for one id, and read at a time. */
const LOOKED_AT = 5_000;
const PAGE = 200;

interface Found {
  row: LogRow;
  attachment: Attachment;
}

export async function readAttachment(
  input: ToolInput<'chat.read_attachment'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.read_attachment'>> {
  const found = await find(input, tools);
  if (found === undefined) return { ok: false, error: wireError('not_found', { what: 'attachment' }) };
  const { row, attachment } = found;
  const read = await tools.attachments.read(row, attachment, tools.signal);
  if (!read.ok) return read;
  const { id: attachmentId, kind, name } = attachment;
  const { mediaType, bytes } = read;
  const about = {
    attachmentId,
    eventId: row.key,
    kind,
    ...(name === undefined ? {} : { name }),
    mediaType,
    bytes,
  };
  if ('text' in read)
    return { ok: true, result: { ...about, text: read.text, ...(read.cut ? { cut: true } : {}) } };
  return { ok: true, result: { ...about, data: read.data }, shown: about };
}

async function find(
  { attachmentId, inReplyTo, target }: ToolInput<'chat.read_attachment'>,
  tools: ToolContext,
): Promise<Found | undefined> {
  const { agent, places } = tools;
  const about = inReplyTo === undefined ? undefined : await readableEvent(tools, inReplyTo);
  if (inReplyTo !== undefined && about === undefined) return undefined;
  const own = about === undefined ? undefined : attached(about, attachmentId);
  if (own !== undefined) return own;
  if (target !== undefined) {
    const place = resolveTarget(places, target, agent, undefined);
    return place.type === 'unknown' ? undefined : newestIn(tools, place.key, attachmentId);
  }
  const near = about === undefined ? undefined : await newestIn(tools, about.conversation, attachmentId);
  return near ?? newestIn(tools, undefined, attachmentId);
}

/** In one room, or in all. */
async function newestIn(
  tools: ToolContext,
  room: string | undefined,
  attachmentId: string,
): Promise<Found | undefined> {
  const { context, agent } = tools;
  if (room !== undefined && !(await mayReadRoom(context, agent, room))) return undefined;
  const readable = readableRooms(tools);
  /** What the newest edit left of a message's attachments. */
  const edited = new Map<string, readonly Attachment[]>();
  for await (const row of newestFirst(tools, room)) {
    const { event } = row.record;
    const hit = attached(row, attachmentId);
    const replaced = edited.get(row.key);
    if (event.type === 'edit' && event.attachments !== undefined && !edited.has(event.targetEventId))
      edited.set(event.targetEventId, event.attachments);
    if (hit === undefined || replaced?.some(({ id }) => id === attachmentId) === false) continue;
    const open = observed(row, agent) || (await maySee(context, row, agent));
    if (open && (await readable(row.conversation))) return hit;
  }
  return undefined;
}

async function* newestFirst({ context }: ToolContext, room: string | undefined): AsyncGenerator<LogRow> {
  let before: number | undefined;
  for (let read = 0; read < LOOKED_AT; read += PAGE) {
    const page: ScanRange = { limit: PAGE, descending: true, ...(before === undefined ? {} : { before }) };
    const rows: Scanned<LogRow>[] =
      room === undefined
        ? await context.store.scan('log', 'byPosition', page)
        : await context.store.scan('log', 'byConversation', { eq: [room], ...page });
    yield* rows;
    if (rows.length < PAGE) return;
    const last = rows.at(-1);
    before = room === undefined ? last?.position : last?.seq;
  }
}

function attached(row: LogRow, id: string): Found | undefined {
  const attachment = attachmentsOf(row.record.event).find((one) => one.id === id);
  return attachment === undefined ? undefined : { row, attachment };
}

function attachmentsOf(event: ChatEvent): readonly Attachment[] {
  return 'attachments' in event ? (event.attachments ?? []) : [];
}
