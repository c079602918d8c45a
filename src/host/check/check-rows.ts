// What must hold of the stored rows at any moment, also right after a crash. One list for everybody who judges a store:
// `earshot doctor`, the crash tests and the simulation. It reads and repairs nothing. What the store itself must keep
// (columns, gaps in the log) is checked by `store.check()`.
import { rootEventId } from '../../protocol/derived-id.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { StoreReader } from '../kernel/context.ts';
import type { DeliveryRow, DeliveryState, OutboxRow, OutboxState } from '../../store/tables.ts';
import { detailOf } from '../delivery/delivery-row.ts';
import { DELIVERY_MOVES } from '../delivery/move.ts';
import { inboxKeys } from '../inbox/inbox-row.ts';
import { surfacesOf } from '../kernel/surfaces-of.ts';
import { isEnded, OUTBOX_MOVES } from '../outbox/outbox-row.ts';
import { pages } from './pages.ts';

/** How many findings of one kind are told. The rest are counted. */
const TOLD_MAX = 5;

/** In words, with the key of the row. Empty when nothing is wrong. */
export async function checkRows(store: StoreReader): Promise<string[]> {
  const findings = new Findings();
  await checkDeliveries(store, findings);
  await checkOffers(store, findings);
  await checkSends(store, findings);
  await checkInbox(store, findings);
  return findings.lines();
}

class Findings {
  readonly #found = new Map<string, string[]>();

  add(kind: string, key: string): void {
    const keys = this.#found.get(kind);
    if (keys === undefined) this.#found.set(kind, [key]);
    else keys.push(key);
  }

  lines(): string[] {
    return [...this.#found].flatMap(([kind, keys]) => {
      const told = keys.slice(0, TOLD_MAX).map((key) => `${key} ${kind}`);
      return keys.length > TOLD_MAX ? [...told, `… and ${keys.length - TOLD_MAX} more that ${kind}`] : told;
    });
  }
}

async function checkDeliveries(store: StoreReader, findings: Findings): Promise<void> {
  for (const state of Object.keys(DELIVERY_MOVES) as DeliveryState[]) {
    for await (const row of pages((range) => store.scan('delivery', 'byState', { eq: [state], ...range })))
      for (const kind of await aboutDelivery(store, row)) findings.add(kind, `delivery ${row.key}`);
  }
}

async function aboutDelivery(store: StoreReader, row: DeliveryRow): Promise<string[]> {
  const { state, open, disposition, settledAt, dueAt, key } = row;
  const found: string[] = [];
  if (open === 0) {
    if (disposition === null || settledAt === null) found.push('has ended without saying how');
    if (dueAt !== null) found.push('has ended and is still due');
    if (state === 'dead_lettered' && (await store.get('inbox', inboxKeys.deadLetter(key))) === undefined)
      found.push('was given up and no person was told');
  } else {
    if (settledAt !== null) found.push('is open and has a time at which it ended');
    if (state === 'handed' && dueAt === null) found.push('is handed out and never comes back');
    if (state === 'held' && dueAt === null && (await store.get('offer', row.source))?.open !== 1)
      found.push('is held and nothing releases it');
  }
  const { replacedBy } = detailOf(row);
  if (replacedBy !== undefined && (await isMissing(store, replacedBy, row.agent)))
    found.push('was replaced by a delivery that is not there');
  return found;
}

/** Retention removes a delivery together with its event, which may be older than that of the one it replaced. */
async function isMissing(store: StoreReader, key: string, agent: string): Promise<boolean> {
  if ((await store.get('delivery', key)) !== undefined) return false;
  const eventId = key.slice(0, -deliveryKey('', agent).length);
  return (await store.get('log', rootEventId(eventId))) !== undefined;
}

async function checkOffers(store: StoreReader, findings: Findings): Promise<void> {
  for await (const row of pages(
    (range) => store.scan('offer', 'byDue', range),
    ({ dueAt }) => dueAt ?? 0,
  )) {
    if (row.open === 0) findings.add('is closed and still due', `offer ${row.key}`);
  }
}

async function checkSends(store: StoreReader, findings: Findings): Promise<void> {
  for (const surface of await surfacesOf(store)) {
    for (const state of Object.keys(OUTBOX_MOVES) as OutboxState[]) {
      const rows = pages((range) => store.scan('outbox', 'bySurface', { eq: [surface, state], ...range }));
      for await (const row of rows)
        for (const kind of await aboutSend(store, row)) findings.add(kind, `send ${row.key}`);
    }
  }
}

async function aboutSend(store: StoreReader, row: OutboxRow): Promise<string[]> {
  const { state, dueAt, kind, eventId, platformId } = row;
  const found: string[] = [];
  if (isEnded(row) && dueAt !== null) found.push('has ended and is still due');
  if ((state === 'sending' || state === 'unknown') && dueAt === null)
    found.push(`is ${state} and is never looked at again`);
  if (state === 'awaiting_approval') {
    const item = await store.get('inbox', inboxKeys.approval(row.key));
    if (item?.open !== 1) found.push('waits for agreement and nobody is asked');
    if (dueAt === null) found.push('waits for agreement without an end');
  }
  if (kind !== 'message') return found;
  const logged = (await store.get('log', eventId)) !== undefined;
  if (state === 'visible' && platformId === null) found.push('is visible under no id');
  // Retention removes a send together with its event.
  if (state === 'visible' && !logged) found.push('is visible and not in the log');
  if (state !== 'visible' && logged) found.push(`is ${state} and in the log`);
  return found;
}

async function checkInbox(store: StoreReader, findings: Findings): Promise<void> {
  for await (const row of pages((range) => store.scan('inbox', 'byOpen', { eq: [1], ...range }))) {
    if (row.kind !== 'approval') continue;
    const { outbox } = row.detail as { outbox: string };
    if ((await store.get('outbox', outbox))?.state !== 'awaiting_approval')
      findings.add('asks a person about a send that does not wait', `inbox item ${row.key}`);
  }
}
