// File rows: the bytes of what agents and people send. Those of an agent are stored in the same commit as their send, and
// a send has the list of its files in its body. Those of a person are stored in the commit of their message, which lists
// them itself. A row goes with what it is for: with a send that is never shown, with a message that is deleted, and with
// the retention of its event.
import { isHostIdOf } from '../../protocol/derived-id.ts';
import type { Attachment } from '../../protocol/delivery.ts';
import type { Write } from '../../store/store.ts';
import type { FileRow, LogRow, OutboxRow } from '../../store/tables.ts';
import type { OutboundFile } from '../../surfaces/surface.ts';
import type { StoreReader } from '../kernel/context.ts';

/** A file as its send lists it. */
export interface ListedFile {
  id: string;
  kind: Attachment['kind'];
  name: string;
  contentType: string;
  bytes: number;
  /** Tells it from another file of the same name, for sends that are repeated. */
  digest: string;
}

/** A file that is about to be stored. */
export interface NewFile extends ListedFile {
  data: Buffer;
}

export function listed({ id, kind, name, contentType, bytes, digest }: NewFile): ListedFile {
  return { id, kind, name, contentType, bytes, digest };
}

/** Stores a file of a new send. */
export function putFile(send: OutboxRow, { id, name, contentType, data }: NewFile): Write {
  const { key, eventId, createdAt } = send;
  const base64 = data.toString('base64');
  const row: FileRow = { key: id, send: key, eventId, name, contentType, data: base64, createdAt };
  return { table: 'file', row };
}

/** Stores a file of a person's message. */
export function putMessageFile({ key, at }: LogRow, { id, name, contentType, data }: NewFile): Write {
  const base64 = data.toString('base64');
  const row: FileRow = { key: id, send: '', eventId: key, name, contentType, data: base64, createdAt: at };
  return { table: 'file', row };
}

/** Removes the files that a person's message lists. Nobody else's message can list them as its own. */
export function removeMessageFiles({ key, record: { event } }: LogRow): Write[] {
  if (event.type !== 'message' || !isHostIdOf('web', key)) return [];
  return (event.attachments ?? []).map(({ id }) => ({ table: 'file', remove: id }));
}

export function removeFile({ id }: ListedFile): Write {
  return { table: 'file', remove: id };
}

/** A file as the event of its send lists it. */
export function attachmentOf({ id, kind, name, contentType, bytes }: ListedFile): Attachment {
  return { id, kind, name, contentType, bytes };
}

/** The bytes of a file that the event itself carries. Undefined: they are not kept, or the id is somebody else's. */
export async function bytesOfFile(
  store: StoreReader,
  eventId: string,
  id: string,
): Promise<{ bytes: Uint8Array; contentType: string } | undefined> {
  const row = await store.get('file', id);
  if (row === undefined || row.eventId !== eventId) return undefined;
  return { bytes: Buffer.from(row.data, 'base64'), contentType: row.contentType };
}

/** A file of a send as a surface gets it. The bytes are read when they are asked for. */
export function outboundFile(
  store: StoreReader,
  send: OutboxRow,
  { id, name, contentType, bytes: size }: ListedFile,
): OutboundFile {
  return {
    id,
    name,
    contentType,
    size,
    async bytes() {
      const kept = await bytesOfFile(store, send.eventId, id);
      if (kept === undefined) throw new Error(`the file ${id} of ${send.key} is gone`);
      return kept.bytes;
    },
  };
}
