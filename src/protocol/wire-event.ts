// Which event shape a protocol version puts into `chat/deliver`. A closed table: a new version does not compile
// until it says what its events look like.
import { z } from 'zod';
import { type FullEnvelope, fullEnvelopeSchema } from './envelope.ts';
import {
  type ShortEvent,
  type ShortObligationEvent,
  shortEventSchema,
  shortObligationEventSchema,
} from './short-event.ts';
import type { ProtocolVersion } from './vocabulary.ts';

export interface WireEvents {
  '2026-06-02': FullEnvelope;
  '2026-06-24': ShortEvent;
  '2026-08-11': ShortObligationEvent;
}
export type WireEvent = WireEvents[ProtocolVersion];

export const WIRE_EVENT_SCHEMAS: { [V in ProtocolVersion]: z.ZodType<WireEvents[V]> } = {
  '2026-06-02': fullEnvelopeSchema,
  '2026-06-24': shortEventSchema,
  '2026-08-11': shortObligationEventSchema,
};

/** Any version's event; the widest short shape stands for both, since it only adds optional fields. */
export const wireEventSchema = z.union([fullEnvelopeSchema, shortObligationEventSchema]);

/** One key for one conversation, whichever shape named it. */
export function conversationKey(conversation: { id: string; threadId?: string | undefined }): string {
  return conversation.threadId ?? conversation.id;
}
