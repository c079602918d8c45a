// The files that an agent sends with a message: their bounds, and how they are written on the wire. A file is given as
// text or as base64. The bounds are chosen so that a message with its files fits into one frame of any transport.
import { z } from 'zod';

export const SENT_FILE_LIMITS = {
  /** Files in one send. */
  files: 5,
  /** All files of one send together. In base64 they fill half of a frame. */
  bytes: 384 * 1_024,
  nameChars: 128,
  contentTypeChars: 100,
} as const;

/** A media type without parameters. */
const MEDIA_TYPE = /^[\w.+-]{1,48}\/[\w.+-]{1,48}$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text);
}

/** The host measures the bytes and answers `too_large` with the limit. No frame holds a longer text than this. */
const CONTENT_CHARS = 1_048_576;

export const sentFileSchema = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(SENT_FILE_LIMITS.nameChars)
      .describe('As people see it, with its ending: report.csv.'),
    contentType: z
      .string()
      .max(SENT_FILE_LIMITS.contentTypeChars)
      .regex(MEDIA_TYPE, 'expected a media type such as text/csv')
      .optional()
      .describe('Media type. Left out: read from the ending of the name.'),
    text: z.string().min(1).max(CONTENT_CHARS).optional().describe('The content of a text file.'),
    base64: z
      .string()
      .min(1)
      .max(CONTENT_CHARS)
      .refine(isBase64, 'expected base64 without line breaks')
      .optional()
      .describe('The content of any other file.'),
  })
  .refine(({ text, base64 }) => (text === undefined) !== (base64 === undefined), {
    error: 'give exactly one of text, base64',
  })
  .meta({ oneOf: [{ required: ['text'] }, { required: ['base64'] }] });
export type SentFile = z.infer<typeof sentFileSchema>;

export const sentFilesSchema = z
  .array(sentFileSchema)
  .min(1)
  .max(SENT_FILE_LIMITS.files)
  .describe(
    `Files to send with the text: at most ${SENT_FILE_LIMITS.files}, ${SENT_FILE_LIMITS.bytes / 1_024} KiB together.`,
  );
