// A value from a source as a ChatEvent. Every event enters through this one schema, so it has the quick way; only what
// that declines is put to zod, which says what is wrong with it.
import { type ChatEvent, chatEventSchema } from './chat-event.ts';
import { plainReader } from './plain-reader.ts';
import { type ReadParams, readParams } from './read-params.ts';

const readPlain = plainReader(chatEventSchema);

export function readChatEvent(value: unknown): ReadParams<ChatEvent> {
  const event = readPlain(value);
  return event === undefined ? readParams(chatEventSchema, value) : { ok: true, value: event };
}
