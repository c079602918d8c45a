// A delivery row made ready to be handed: with its logged event, and with the text of every fragment the host has
// merged into it, as it stands in the log now.
import type { DeliveryRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import type { LaneItem } from './lane.ts';
import { textOf } from '../read/payload.ts';

/** Ids of the logged events whose texts make up a merged turn, in order; undefined when it is one event. */
export function fragmentsOf(row: DeliveryRow): readonly string[] | undefined {
  const ids = row.detail['fragments'];
  return Array.isArray(ids) ? (ids as string[]) : undefined;
}

export async function laneItem(
  { store }: Pick<HostContext, 'store'>,
  delivery: DeliveryRow,
): Promise<LaneItem | undefined> {
  const event = await store.get('log', delivery.source);
  if (event === undefined) return undefined;
  const ids = fragmentsOf(delivery);
  if (ids === undefined) return { delivery, event };
  const texts: string[] = [];
  for (const id of ids) {
    const logged = await store.get('log', id);
    if (logged !== undefined) texts.push(textOf(logged));
  }
  return { delivery, event, text: texts.join('\n') };
}
