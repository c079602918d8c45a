// The small fields that all wire schemas are made of, and every bound of the wire. Receivers drop unknown members
// without an error, so they understand a newer peer.
import { z } from 'zod';
import { EVENT_LIMITS } from './chat-event.ts';
import { IDENTITY_KINDS, type Identity } from './identity.ts';
import { AUTHOR_KINDS } from './vocabulary.ts';

export const WIRE_LIMITS = {
  /** An event's id plus the suffix of a follow-up delivery (`evt_123/return-2`). */
  idChars: EVENT_LIMITS.idChars + 64,
  /** An event's id and an agent's id in one key. */
  keyChars: 2 * EVENT_LIMITS.idChars + 128,
  wordChars: 64,
  lineChars: 160,
  /** Several fragments merged into one turn. It is still much smaller than a frame. */
  textChars: 4 * EVENT_LIMITS.textChars,
  /** A text that is read in pages may be longer: that of an attachment. */
  textFrom: 16_777_216,
  parts: 256,
  pageSize: 100,
  batchEvents: 500,
  holding: 1_000,
  /** Whom one line was for. */
  saidTo: 16,
} as const;

export const wireId = z.string().min(1).max(WIRE_LIMITS.idChars);
export const wireKey = z.string().min(1).max(WIRE_LIMITS.keyChars);
export const wireText = z.string().max(WIRE_LIMITS.textChars);
export const shortText = z.string().min(1).max(EVENT_LIMITS.defaultActionChars);
export const count = z.int().nonnegative();
export const timestamp = z.iso.datetime({ offset: true });

/** A code word of the protocol or the host. It is never free text, so it may stand in a header. */
export const codeWord = z
  .string()
  .max(WIRE_LIMITS.wordChars)
  .regex(/^[a-z][a-z0-9_]*$/);

/** One printable line: no control characters, no bidi or other format characters, no line separators. */
export const printable = z
  .string()
  .min(1)
  .max(2 * WIRE_LIMITS.idChars)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u);

export const identitySchema = z.templateLiteral([
  z.enum(IDENTITY_KINDS),
  ':',
  wireId,
]) satisfies z.ZodType<Identity>;

export const wireAuthorSchema = z.object({
  id: wireId,
  kind: z.enum(AUTHOR_KINDS),
  displayName: z.string().max(EVENT_LIMITS.nameChars).optional(),
});
