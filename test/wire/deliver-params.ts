// Reads a delivered event by the schema that is published for its version (schema/methods.json says the same).
import { fullEnvelopeSchema } from '../../src/protocol/envelope.ts';
import { shortEventSchema } from '../../src/protocol/short-event.ts';

const SCHEMAS = { '2026-06-02': fullEnvelopeSchema, '2026-06-24': shortEventSchema } as const;

/** What is wrong with the event; undefined when nothing is. */
export function deliverParams(version: keyof typeof SCHEMAS, raw: unknown): string | undefined {
  const read = SCHEMAS[version].safeParse(raw);
  return read.success ? undefined : read.error.message;
}
