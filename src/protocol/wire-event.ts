// The event shape that each protocol version uses in `chat/deliver`. The table is closed: a new version does not
// compile until its shape is here.
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

/** An event of any version. The shape with obligations covers both short ones, because it only adds optional fields. */
export const wireEventSchema = z.union([fullEnvelopeSchema, shortObligationEventSchema]);

/** The same key for a conversation in both shapes. */
export function conversationKey(conversation: { id: string; threadId?: string | undefined }): string {
  return conversation.threadId ?? conversation.id;
}
