// Upkeep: work that nobody waits for. Log rows older than the retention are removed in small batches, with the ended
// deliveries, offers and sends about them. The conversation's state does not need them. Rows that an open obligation,
// delivery or offer needs stay until that has ended. Spent pairing codes and old prompts are removed too.
import type { ObligationsState } from '../../attention/index.ts';
import { initialObligations } from '../../attention/index.ts';
import type { Write } from '../../store/store.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { OBLIGATIONS_KEY } from '../kernel/conversation.ts';
import { questionOf } from '../../protocol/derived-id.ts';
import { removeLogged } from '../attend/amend.ts';
import { removeDelivery } from '../delivery/delivery-row.ts';
import { removeOffer } from '../delivery/offers.ts';
import { removeSend } from '../outbox/outbox-row.ts';
import type { Prompts } from '../turn/prompts.ts';
import { shownAsKeys } from '../outbox/on-platform.ts';

export interface Upkeep {
  run(): Promise<void>;
  nextAt(): number | undefined;
}

/** Log rows in one batch. It costs a few milliseconds of the writer's time. */
const BATCH = 200;
const EVERY_MS = 3_600_000;
const SOON_MS = 1_000;

export interface UpkeepDeps {
  /** Removes spent pairing codes. */
  purge: () => Promise<unknown>;
  prompts: Pick<Prompts, 'removeOld'>;
}

export function createUpkeep(context: HostContext, { purge, prompts }: UpkeepDeps): Upkeep {
  const { clock, settings } = context;
  const { retentionMs } = settings.limits;
  const everyMs = retentionMs === 0 ? EVERY_MS : Math.min(EVERY_MS, Math.max(SOON_MS, retentionMs / 24));
  let next = clock.now() + everyMs;
  /** Where the next batch begins. Rows that had to stay are skipped until the next pass over the log. */
  let position = 0;
  return {
    nextAt: () => next,
    async run() {
      if (clock.now() < next) return;
      const more =
        retentionMs === 0 ? undefined : await removeOldRows(context, clock.now() - retentionMs, position);
      position = more ?? 0;
      if (more === undefined) await purge();
      const morePrompts = await prompts.removeOld();
      next = clock.now() + (more === undefined && !morePrompts ? everyMs : SOON_MS);
    },
  };
}

/** Removes one batch. Returns the position to continue from; undefined when the pass is over. */
async function removeOldRows(
  context: HostContext,
  before: number,
  after: number,
): Promise<number | undefined> {
  const { store } = context;
  const rows = await store.scan('log', 'byPosition', { after, limit: BATCH });
  const old = rows.filter(({ at }) => at < before);
  const isNeeded = neededByObligations(
    ((await store.state(OBLIGATIONS_KEY)) as ObligationsState | undefined) ?? initialObligations(),
  );
  const writes: Write[] = [];
  for (const row of old) {
    if (!isNeeded(row)) writes.push(...(await removalOf(context, row)));
  }
  const states = writes.flatMap((write) => ('state' in write ? [write.state] : []));
  if (writes.length > 0)
    await context.apply({ states, run: () => ({ writes, news: [], result: undefined }) });
  // Positions follow the order of insertion, so after the first recent row there are no old ones.
  return old.length === BATCH ? old.at(-1)?.position : undefined;
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
  const deliveries = await store.scan('delivery', 'bySource', { eq: [row.key], limit: 1_000 });
  if (deliveries.some(({ open }) => open === 1)) return [];
  const offer = await store.get('offer', row.key);
  if (offer?.open === 1) return [];
  const sent = await store.scan('outbox', 'byEvent', { eq: [row.key], limit: 10 });
  return [
    removeLogged(row.key),
    ...deliveries.map(({ key }) => removeDelivery(key)),
    ...sent.flatMap(removeSend),
    ...sent.flatMap(shownAsKeys).map((state): Write => ({ state, value: undefined })),
    ...(offer === undefined ? [] : [removeOffer(row.key)]),
  ];
}
