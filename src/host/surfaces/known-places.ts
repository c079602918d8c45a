// Where a surface was heard last. After a time without a connection it asks the platform, conversation by conversation,
// for what came after the newest event that the host has.
import { isHostId } from '../../protocol/derived-id.ts';
import { instantMs, sourceIdOf } from '../../protocol/log-record.ts';
import type { LogRow } from '../../store/tables.ts';
import type { KnownPlace } from '../../surfaces/surface.ts';
import type { StoreReader } from '../kernel/context.ts';
import { placeOf, readConversation } from '../kernel/conversation.ts';
import { surfacePlace } from '../outbox/on-platform.ts';

/** How much of the log is read, newest first. A conversation that was silent for longer is not asked for. */
const LOOKED_BACK = 100_000;
const PAGE = 1_000;

export async function knownPlaces(
  store: StoreReader,
  surface: string,
  limit: number,
): Promise<readonly KnownPlace[]> {
  const found: KnownPlace[] = [];
  const seen = new Set<string>();
  let before: number | undefined;
  for (let read = 0; read < LOOKED_BACK && found.length < limit; read += PAGE) {
    const page = await store.scan('log', 'byPosition', {
      limit: PAGE,
      descending: true,
      ...(before === undefined ? {} : { before }),
    });
    for (const row of page) {
      if (found.length === limit || isOwn(row) || seen.has(row.conversation)) continue;
      seen.add(row.conversation);
      if ((await readConversation(store, row.conversation))?.surface !== surface) continue;
      const { event } = row.record;
      const newest = { eventId: sourceIdOf(event), at: instantMs(event.at) };
      found.push({ place: surfacePlace(placeOf(event)), newest });
    }
    if (page.length < PAGE) break;
    before = page.at(-1)?.position;
  }
  return found;
}

/** The host's own records say nothing about what the platform has told. */
function isOwn({ key, sourceId }: LogRow): boolean {
  return sourceId === undefined && isHostId(key);
}
