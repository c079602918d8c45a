// Prepares what leaves over HTTP: cuts secrets out of every text, and gives an outbox row the shape that a source
// reads.
import { iso } from '../../protocol/log-record.ts';
import { amendmentBody, messageBody, reactionBody } from '../../protocol/outbound-body.ts';
import type { Place } from '../../attention/index.ts';
import type { OutboxRow } from '../../store/tables.ts';
import { placeOfSend } from '../ingest/own-posts.ts';
import { agentsShown } from '../kernel/accounts.ts';
import type { HostContext } from '../kernel/context.ts';
import { amendmentOf } from '../outbox/amendment-row.ts';
import { messageOf, namedOnPlatform, reactionOf } from '../outbox/on-platform.ts';
import { isAmendment } from '../outbox/outbox-row.ts';

/**
 * An outbox row for a source that pulls, in the same shape that a source with a URL gets posted. Undefined for an
 * amendment whose message is no longer kept.
 */
export async function outboundOf(
  context: HostContext,
  row: OutboxRow,
): Promise<Record<string, unknown> | undefined> {
  const { store } = context;
  const place = await placeOfSend(store, row);
  if (place === undefined) throw new Error(`the conversation of ${row.key} is gone`);
  const body = await bodyOf(context, row, place);
  return body === undefined ? undefined : { ...body, createdAt: iso(row.createdAt) };
}

async function bodyOf(
  context: HostContext,
  row: OutboxRow,
  place: Place,
): Promise<Record<string, unknown> | undefined> {
  const { store } = context;
  const agents = agentsShown(context, place);
  if (isAmendment(row)) {
    const amendment = await amendmentOf(store, row, place, agents);
    return amendment === undefined ? undefined : amendmentBody(amendment);
  }
  const named = await namedOnPlatform(store, row);
  return row.kind === 'reaction'
    ? reactionBody(reactionOf(row, place, named))
    : messageBody(messageOf(row, place, named, agents));
}

/** The same value with `clean` applied to every string in it. All answers to operators pass through here. */
export function cleanDeep(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item: unknown) => cleanDeep(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleanDeep(item, clean)]));
}
