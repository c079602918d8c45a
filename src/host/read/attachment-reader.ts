// Reads the bytes of an attachment. What an agent or a person of the web chat sent is in the store. For anything else the host asks the surface of
// its message by id, with a limit of size and time. The host itself never fetches an address from chat. Secrets are removed (security/file-secrets.ts).
import type { Attachment } from '../../protocol/delivery.ts';
import { type WireError, wireError } from '../../protocol/errors.ts';
import type { LogRow } from '../../store/tables.ts';
import type { AttachmentOutcome, AttachmentRequest, Surface } from '../../surfaces/surface.ts';
import type { HostContext } from '../kernel/context.ts';
import { readConversation } from '../kernel/conversation.ts';
import { isHostIdOf } from '../../protocol/derived-id.ts';
import { bytesOfFile } from '../outbox/file-row.ts';
import { surfacePlace } from '../outbox/on-platform.ts';
import { cleanBytes, cleanText, textOfBytes } from '../security/file-secrets.ts';

export type AttachmentAnswer =
  /** The whole text. The caller shows a page of it. */
  | { ok: true; mediaType: string; bytes: number; text: string }
  | { ok: true; mediaType: string; bytes: number; data: string }
  | { ok: false; error: WireError };

export interface AttachmentReader {
  read(row: LogRow, attachment: Attachment, signal: AbortSignal | undefined): Promise<AttachmentAnswer>;
}

export function createAttachmentReader(
  context: HostContext,
  surfaceOf: (id: string) => Surface | undefined,
): AttachmentReader {
  return {
    async read(row, attachment, signal) {
      const { limits } = context.settings;
      if (isHostIdOf('send', row.key) || isHostIdOf('web', row.key))
        return readKept(context, row, attachment);
      const state = await readConversation(context.store, row.conversation);
      const surface = state === undefined ? undefined : surfaceOf(context.speakers.homeOf(state));
      if (state === undefined || surface?.attachment === undefined)
        return unreadable('the platform it came from hands over names only');
      if ((attachment.bytes ?? 0) > limits.attachmentBytes) return tooLarge(limits.attachmentBytes);
      const eventId = row.sourceId ?? row.key;
      const request = { place: surfacePlace(state.place), eventId, attachment };
      return answerFor(context, await askSurface(context, surface, request, signal));
    },
  };
}

/** A file that an agent or a person of the web chat sent with this very message. */
async function readKept(
  context: HostContext,
  { key }: LogRow,
  { id }: Attachment,
): Promise<AttachmentAnswer> {
  const kept = await bytesOfFile(context.store, key, id);
  return kept === undefined
    ? unreadable('its bytes are not kept any more')
    : answerFor(context, { type: 'bytes', ...kept });
}

/** Never rejects. A surface that fails or takes too long counts as one to ask again. */
async function askSurface(
  { clock, settings: { limits }, log }: HostContext,
  surface: Surface,
  request: Omit<AttachmentRequest, 'maxBytes' | 'signal'>,
  callerSignal: AbortSignal | undefined,
): Promise<AttachmentOutcome> {
  const abort = new AbortController();
  const late = Promise.withResolvers<AttachmentOutcome>();
  const cancel = clock.after(limits.attachmentTimeoutMs, () => {
    late.resolve({ type: 'retry', error: 'no answer in time' });
    abort.abort();
  });
  const signal = callerSignal === undefined ? abort.signal : AbortSignal.any([abort.signal, callerSignal]);
  const asked = Promise.resolve()
    .then(() => surface.attachment?.({ ...request, maxBytes: limits.attachmentBytes, signal }))
    .then((outcome): AttachmentOutcome => outcome ?? { type: 'refused', error: 'the surface cannot' })
    .catch((error: unknown): AttachmentOutcome => {
      log.warn({ err: error, surface: surface.id }, 'a surface failed while reading an attachment');
      return { type: 'retry', error: 'the surface failed' };
    });
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    cancel();
  }
}

async function answerFor(context: HostContext, outcome: AttachmentOutcome): Promise<AttachmentAnswer> {
  const { attachmentBytes } = context.settings.limits;
  switch (outcome.type) {
    case 'too_large':
      return tooLarge(attachmentBytes);
    case 'refused':
      return unreadable(outcome.error);
    case 'retry':
      return { ok: false, error: wireError('unavailable', { what: `The attachment (${outcome.error})` }) };
    case 'bytes': {
      const { bytes, contentType } = outcome;
      // A surface may ignore the limit it was given.
      if (bytes.length > attachmentBytes) return tooLarge(attachmentBytes);
      const mediaType = mediaTypeOf(contentType);
      const text = isText(mediaType) || mediaType === BYTES ? textOfBytes(bytes) : undefined;
      if (text === undefined) {
        const data = Buffer.from(cleanBytes(bytes, context.findSecrets)).toString('base64');
        return { ok: true, mediaType, bytes: bytes.length, data };
      }
      const clean = cleanText(text, context.findSecrets);
      return { ok: true, mediaType, bytes: bytes.length, text: clean.toWellFormed() };
    }
  }
}

function unreadable(problem: string): AttachmentAnswer {
  return { ok: false, error: wireError('not_readable', { problem }) };
}

function tooLarge(limit: number): AttachmentAnswer {
  return unreadable(`it is larger than ${limit} bytes`);
}

/** A source that does not know the type of a file says this. It may well be text. */
const BYTES = 'application/octet-stream';
const MEDIA_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}/;

/** The media type without its parameters. An unreadable one counts as plain bytes. */
function mediaTypeOf(contentType: string): string {
  return MEDIA_TYPE.exec(contentType.trim())?.[0].toLowerCase() ?? BYTES;
}

const TEXT = /^text\/|[/+](json|xml|yaml|x-yaml|toml|csv|javascript|x-ndjson|x-sh|sql)$/;

function isText(mediaType: string): boolean {
  return TEXT.test(mediaType);
}

/** Undefined when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
