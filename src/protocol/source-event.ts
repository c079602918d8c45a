// A ChatEvent as a source hands it over. Platforms hand back the host's own posts; a mark on such an event lets the
// host recognise it. The marks are never stored: the sent message is in the log already, under its own id.
import { z } from 'zod';
import { type ChatEvent, EVENT_LIMITS, chatEventSchema } from './chat-event.ts';

export interface EchoMarks {
  /** The `idempotencyKey` of the send that came back. Refused when this source was never handed such a send. */
  echoOf?: string | undefined;
  /** Its id on the platform. An event that no person wrote and that has the `platformId` of a send is that send. */
  platformId?: string | undefined;
}
export type SourceEvent = ChatEvent & EchoMarks;

/** An agent's id and the key it chose. */
const KEY_CHARS = 1_024;

const MARKS = {
  echoOf: z.string().min(1).max(KEY_CHARS).optional(),
  platformId: z.string().min(1).max(EVENT_LIMITS.idChars).optional(),
};

const [message, edit, remove, reaction, ...others] = chatEventSchema.options;

/** Agents post messages and reactions, so nothing else can be an echo. */
export const sourceEventSchema = z.discriminatedUnion('type', [
  message.extend(MARKS),
  edit,
  remove,
  reaction.extend(MARKS),
  ...others,
]);

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
