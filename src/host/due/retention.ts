// Retention: what is older than `limits.retentionMs` is removed, a batch at a time, the oldest first. One cutter for each
// table whose rows do not go with another row; table-bounds.ts says what bounds every table. Rows that an open
// obligation, delivery, offer or send needs stay until that has ended, and a later pass removes them.
import type { ObligationsState } from '../../attention/index.ts';
import { questionOf } from '../../protocol/derived-id.ts';
import type { Scanned, Write } from '../../store/store.ts';
import type { DeliveryRow, InboxRow, LogRow, OutboxRow, TableName } from '../../store/tables.ts';
import { removeLogged } from '../attend/amend.ts';
import { removeDelivery } from '../delivery/delivery-row.ts';
import { removeOffer } from '../delivery/offers.ts';
import { removeItem, waitsForPerson } from '../inbox/inbox-row.ts';
import { removeAudit } from '../kernel/audit.ts';
import type { HostContext } from '../kernel/context.ts';
import { readAllObligations } from '../kernel/obligations.ts';
import { removeMessageFiles } from '../outbox/file-row.ts';
import { shownAsKeys } from '../outbox/on-platform.ts';
import { isEnded, removeSend } from '../outbox/outbox-row.ts';
import { removeToken } from '../security/tokens.ts';

/** Reads one batch of its table, and says what to write so that those rows which are over are gone. */
export type Cutter = (context: HostContext, batch: Batch) => Promise<Cut>;

export interface Batch {
  /** Rows from before this time are old. */
  before: number;
  /** Where the batch begins. */
  after: number;
  limit: number;
}

export interface Cut {
  writes: Write[];
  /** Where the next batch begins. Undefined when no old rows follow. */
  next: number | undefined;
}

/** Deliveries about one event that go in one batch. The event itself stays until they are gone. */
const DELIVERIES_MAX = 1_000;
/** Nearly no event has so many. A store answers so few at once, and asks another thread for more. */
const DELIVERIES_USUAL = 64;

/** By table, in the order in which they run. */
export const CUTTERS = {
  log: cutLog,
  outbox: cutOutbox,
  inbox: cutInbox,
  audit: cutAudit,
  token: cutTokens,
} as const satisfies Partial<Record<TableName, Cutter>>;

/** Positions follow the order of insertion, so after the first recent row there are no old ones. */
function oldOf<R>(
  rows: readonly Scanned<R>[],
  limit: number,
  isOld: (row: Scanned<R>) => boolean,
): { old: Scanned<R>[]; next: number | undefined } {
  const old = rows.filter(isOld);
  return { old, next: old.length === limit ? old.at(-1)?.position : undefined };
}

/** All reads of a batch are asked at once: each waits for the running commit, and they wait for the same one. */
async function cutLog(context: HostContext, { before, ...range }: Batch): Promise<Cut> {
  const { store } = context;
  const rows = await store.scan('log', 'byPosition', range);
  const { old, next } = oldOf(rows, range.limit, ({ at }) => at < before);
  if (old.length === 0) return { writes: [], next };
  const isNeeded = neededByObligations(await readAllObligations(store));
  const removals = await Promise.all(
    old.filter((row) => !isNeeded(row)).map((row) => removalOf(context, row)),
  );
  return { writes: removals.flat(), next };
}

/** The questions of open obligations and the reactions to them are kept (spec/obligations.md, 7). */
function neededByObligations({ open, held }: ObligationsState): (row: LogRow) => boolean {
  const owed = new Set(open.flatMap(({ eventId, edits }) => [questionOf(eventId), ...edits]));
  for (const early of held) owed.add(early.type === 'reaction' ? early.reaction.reactionId : early.eventId);
  return ({ key, record: { event } }) => {
    if (owed.has(key)) return true;
    return (
      'targetEventId' in event &&
      event.targetEventId !== undefined &&
      owed.has(questionOf(event.targetEventId))
    );
  };
}

/** Removes the row and everything about it. Nothing while a delivery or offer about it is open. */
async function removalOf({ store }: HostContext, row: LogRow): Promise<Write[]> {
  const [deliveries, offer, sent] = await Promise.all([
    deliveriesAbout(store, row.key),
    store.get('offer', row.key),
    store.scan('outbox', 'byEvent', { eq: [row.key], limit: 10 }),
  ]);
  if (deliveries.some(({ open }) => open === 1) || offer?.open === 1) return [];
  const removals = deliveries.map(({ key }) => removeDelivery(key));
  if (deliveries.length === DELIVERIES_MAX) return removals;
  return [
    removeLogged(row.key),
    ...removeMessageFiles(row),
    ...removals,
    ...sent.flatMap(removalOfSend),
    ...(offer === undefined ? [] : [removeOffer(row.key)]),
  ];
}

async function deliveriesAbout(store: HostContext['store'], event: string): Promise<DeliveryRow[]> {
  const usual = await store.scan('delivery', 'bySource', { eq: [event], limit: DELIVERIES_USUAL });
  if (usual.length < DELIVERIES_USUAL) return usual;
  return store.scan('delivery', 'bySource', { eq: [event], limit: DELIVERIES_MAX });
}

function removalOfSend(row: OutboxRow): Write[] {
  return [...removeSend(row), ...shownAsKeys(row).map((state): Write => ({ state, value: undefined }))];
}

/** Sends that never became an event: failed, lost, cancelled. All others go with their event. */
async function cutOutbox({ store }: HostContext, { before, ...range }: Batch): Promise<Cut> {
  const rows = await store.scan('outbox', 'byPosition', range);
  const { old, next } = oldOf(rows, range.limit, ({ createdAt }) => createdAt < before);
  const ended = old.filter(isEnded);
  const events = await Promise.all(ended.map(({ eventId }) => store.get('log', eventId)));
  const alone = ended.filter((_, index) => events[index] === undefined);
  return { writes: alone.flatMap(removalOfSend), next };
}

/** An open item whose event is gone tells nobody anything. One that still waits for a decision stays. */
async function cutInbox({ store }: HostContext, { before, ...range }: Batch): Promise<Cut> {
  const rows = await store.scan('inbox', 'byPosition', range);
  const { old, next } = oldOf<InboxRow>(rows, range.limit, ({ createdAt }) => createdAt < before);
  const over = old.filter((row) => !waitsForPerson(row) && (row.closedAt ?? row.createdAt) < before);
  const events = await Promise.all(over.map(({ eventId }) => store.get('log', eventId)));
  const gone = over.filter(({ open }, index) => open === 0 || events[index] === undefined);
  return { writes: gone.map(({ key }) => removeItem(key)), next };
}

async function cutAudit({ store }: HostContext, { before, ...range }: Batch): Promise<Cut> {
  const rows = await store.scan('audit', 'byPosition', range);
  const { old, next } = oldOf(rows, range.limit, ({ at }) => at < before);
  return { writes: old.map(({ key }) => removeAudit(key)), next };
}

async function cutTokens({ store }: HostContext, { before, ...range }: Batch): Promise<Cut> {
  const rows = await store.scan('token', 'all', range);
  const { old, next } = oldOf(rows, range.limit, ({ createdAt }) => createdAt < before);
  const revoked = old.filter(({ revokedAt }) => revokedAt !== null && revokedAt < before);
  return { writes: revoked.map(({ key }) => removeToken(key)), next };
}
