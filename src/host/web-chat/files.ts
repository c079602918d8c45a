// The files of messages, for the page: their names with the message, and their bytes for whoever may see it.
import { isHostIdOf } from '../../protocol/derived-id.ts';
import { WEB_CHAT_LIMITS, type WebChatResult, type WebMessage } from '../../protocol/web-chat.ts';
import type { LogRow } from '../../store/tables.ts';
import { bytesOfFile } from '../outbox/file-row.ts';
import { decodeUtf8 } from '../read/attachment-reader.ts';
import type { Person } from './people.ts';
import { invalidInput, noSuch } from './refusals.ts';
import type { WebRoom } from './room.ts';
import { messageFor } from './where.ts';

/** What the page shows of a message's files: those that are kept here. */
export function filesIn({ key, record: { event } }: LogRow): Pick<WebMessage, 'files'> {
  const attachments = event.type === 'message' && isKeptHere(key) ? (event.attachments ?? []) : [];
  if (attachments.length === 0) return {};
  return {
    files: attachments.map(({ id, name = 'file', bytes = 0, contentType }) => ({
      id,
      name,
      bytes,
      ...(contentType === undefined ? {} : { contentType }),
    })),
  };
}

function isKeptHere(eventId: string): boolean {
  return isHostIdOf('send', eventId) || isHostIdOf('web', eventId);
}

export async function readFile(
  room: WebRoom,
  person: Person,
  wanted: { eventId: string; file: string },
): Promise<WebChatResult<'file'>> {
  const { name, contentType, bytes } = await bytesForPerson(room, person, wanted);
  if (bytes.length > WEB_CHAT_LIMITS.framedFileBytes)
    throw invalidInput(`This file is large: read it at /v1/web/files/${wanted.eventId}/${wanted.file}`);
  return { name, contentType, base64: Buffer.from(bytes).toString('base64') };
}

/** Text without its secrets; anything else as it is. */
export async function bytesForPerson(
  room: WebRoom,
  person: Person,
  { eventId, file: id }: { eventId: string; file: string },
): Promise<{ name: string; contentType: string; bytes: Uint8Array }> {
  const row = await messageFor(room, person.id, eventId);
  const { deleted } = (await room.messages.amendments(row.conversation)).of(row.key);
  const shown = deleted ? undefined : filesIn(row).files?.find((file) => file.id === id);
  const kept = shown === undefined ? undefined : await bytesOfFile(room.context.store, row.key, id);
  if (shown === undefined || kept === undefined) throw noSuch('file');
  const { bytes, contentType } = kept;
  return { name: shown.name, contentType, bytes: cleaned(room, bytes) };
}

function cleaned({ clean }: WebRoom, bytes: Uint8Array): Uint8Array {
  const text = decodeUtf8(bytes);
  return text === undefined ? bytes : new TextEncoder().encode(clean(text));
}
