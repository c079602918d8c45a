// The ids by which a platform knows what was posted there. A message of ours is in the log before it has an id on the
// platform. Once it is visible, an event that names it by that id means the event in the log. Each id is a small state,
// written and removed together with the outbox row.
import type { Write } from '../../store/store.ts';
import type { StoreReader } from '../kernel/context.ts';
import type { OutboxRow } from '../../store/tables.ts';
import { messageBody } from './outbox-row.ts';

export interface ShownAs {
  /** False: nothing there has an id of the platform's own, so nothing need be looked up. */
  any(surface: string): boolean;
  /** The event that is known there by this id. */
  find(surface: string, conversation: string, id: string): Promise<string | undefined>;
  /** From now on there may be some. */
  expect(surface: string): void;
}

const PREFIX = 'sent/';

export async function createShownAs(store: StoreReader, surfaces: Iterable<string>): Promise<ShownAs> {
  const used = new Set<string>();
  for (const surface of surfaces) {
    if ((await store.stateKeys(ofSurface(surface), '', 1)).length > 0) used.add(surface);
  }
  return {
    any: (surface) => used.has(surface),
    find: async (surface, conversation, id) =>
      (await store.state(shownAsKey(surface, conversation, id))) as string | undefined,
    expect: (surface) => void used.add(surface),
  };
}

function ofSurface(surface: string): string {
  return `${PREFIX}${encodeURIComponent(surface)}/`;
}

function shownAsKey(surface: string, conversation: string, id: string): string {
  return `${ofSurface(surface)}${conversation}/${encodeURIComponent(id.toWellFormed())}`;
}

/** Every id the platform has given it so far. Its own key and eventId need no telling. */
export function shownIds(row: OutboxRow, more: readonly string[] = []): string[] {
  const earlier = messageBody(row).shownAs ?? [];
  const ids = [...earlier, ...(row.platformId === null ? [] : [row.platformId]), ...more];
  return [...new Set(ids)].filter((id) => id !== row.key && id !== row.eventId);
}

/** The row known by these ids too; the last of them is the one it goes by. */
export function shownUnder(row: OutboxRow, ids: readonly string[]): OutboxRow {
  const platformId = ids.at(-1) ?? row.platformId;
  const others = shownIds(row, ids).filter((id) => id !== platformId);
  const next = { ...row, platformId };
  return others.length === 0 ? next : { ...next, body: { ...row.body, shownAs: others } };
}

/** Where a row's ids are kept; a unit has to name the states that it writes. */
export function shownAsKeys(row: OutboxRow): string[] {
  return shownIds(row).map((id) => shownAsKey(row.surface, row.conversation, id));
}

export function shownAsWrites(row: OutboxRow): Write[] {
  return shownAsKeys(row).map((state) => ({ state, value: row.eventId }));
}
