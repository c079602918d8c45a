// The files that agents send, for the page: their names with the message, and their bytes for whoever may see it.
import { isHostIdOf } from '../../protocol/derived-id.ts';
import type { WebChatResult, WebMessage } from '../../protocol/web-chat.ts';
import type { LogRow } from '../../store/tables.ts';
import { bytesOfFile } from '../outbox/file-row.ts';
import { decodeUtf8 } from '../read/attachment-reader.ts';
import type { Person } from './people.ts';
import { noSuch } from './refusals.ts';
import type { WebRoom } from './room.ts';
import { messageFor } from './where.ts';

/** What the page shows of a message's files. Only what an agent sent is kept here. */
export function filesIn({ key, record: { event } }: LogRow): Pick<WebMessage, 'files'> {
  const attachments = event.type === 'message' && isHostIdOf('send', key) ? (event.attachments ?? []) : [];
  if (attachments.length === 0) return {};
  return { files: attachments.map(({ id, name = 'file', bytes = 0 }) => ({ id, name, bytes })) };
}

export async function readFile(
  room: WebRoom,
  person: Person,
  { eventId, file: id }: { eventId: string; file: string },
): Promise<WebChatResult<'file'>> {
  const row = await messageFor(room, person.id, eventId);
  const { deleted } = (await room.messages.amendments(row.conversation)).of(row.key);
  const shown = deleted ? undefined : filesIn(row).files?.find((file) => file.id === id);
  const kept = shown === undefined ? undefined : await bytesOfFile(room.context.store, row.key, id);
  if (shown === undefined || kept === undefined) throw noSuch('file');
  const { bytes, contentType } = kept;
  return { name: shown.name, contentType, base64: Buffer.from(cleaned(room, bytes)).toString('base64') };
}

/** Text without its secrets; anything else as it is. */
function cleaned({ clean }: WebRoom, bytes: Uint8Array): Uint8Array {
  const text = decodeUtf8(bytes);
  return text === undefined ? bytes : new TextEncoder().encode(clean(text));
}
