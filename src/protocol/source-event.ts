// A ChatEvent as a source hands it over. Platforms hand back the host's own posts; a mark on such an event lets the
// host recognise it. The marks are never stored: the sent message is in the log already, under its own id. A reaction
// may have a glyph in place of its signal.
import { z } from 'zod';
import { type ChatEvent, type ChatEventOf, EVENT_LIMITS, chatEventSchema } from './chat-event.ts';
import { GLYPH_CHARS } from './glyphs.ts';

export interface EchoMarks {
  /** The `idempotencyKey` of the send that came back. Refused when this source was never handed such a send. */
  echoOf?: string | undefined;
  /** Its id on the platform. An event that no person wrote and that has the `platformId` of a send is that send. */
  platformId?: string | undefined;
}
export type SourceEvent = ChatEvent & EchoMarks;
/** A reaction by its glyph. The host reads the signal that it stands for. */
export type GlyphReaction = Omit<ChatEventOf<'reaction'>, 'signal'> & { glyph: string };

/** An agent's id and the key it chose. */
const KEY_CHARS = 1_024;

const MARKS = {
  echoOf: z.string().min(1).max(KEY_CHARS).optional(),
  platformId: z.string().min(1).max(EVENT_LIMITS.idChars).optional(),
};

/** On the platform. The host reads it as the signal that it stands for where it was set. */
const GLYPH = z.string().min(1).max(GLYPH_CHARS).optional();

const [message, edit, remove, reaction, ...others] = chatEventSchema.options;

/**
 * Agents post messages and reactions and amend their own messages, so nothing else can be an echo. What amends has no id
 * of its own on a platform.
 */
const KEY_ONLY = { echoOf: MARKS.echoOf };
const marked = [message.extend(MARKS), edit.extend(KEY_ONLY), remove.extend(KEY_ONLY)] as const;

/** What a source may hand over. A reaction has a signal or a glyph. */
export const sourceEventSchema = z.discriminatedUnion('type', [
  ...marked,
  reaction.extend({ ...MARKS, signal: reaction.shape.signal.optional(), glyph: GLYPH }),
  ...others,
]);

/** The same once a glyph has been read as the signal that it stands for. */
export const markedEventSchema = z.discriminatedUnion('type', [...marked, reaction.extend(MARKS), ...others]);

export function isMarked(value: unknown): value is EchoMarks {
  return typeof value === 'object' && value !== null && ('echoOf' in value || 'platformId' in value);
}

/** People do not post what agents send. */
export function mayBeEcho({ echoOf, author }: SourceEvent): boolean {
  return echoOf !== undefined || author.kind !== 'human';
}

export function withoutMarks(event: SourceEvent): ChatEvent {
  const { echoOf: _, platformId: __, ...bare } = event;
  return bare;
}
