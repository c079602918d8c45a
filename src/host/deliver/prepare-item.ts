// A delivery row made ready to be handed: with its logged event, with the text of every fragment the host has merged into
// it as the log has it now, in a mode that the harness can take, and projected onto the wire.
import type { Agreement } from '../../protocol/initialize.ts';
import { project } from '../../protocol/project.ts';
import type { InjectionMode } from '../../protocol/vocabulary.ts';
import type { WireEvent } from '../../protocol/wire-event.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { decisionOf, detailOf } from '../delivery/delivery-row.ts';
import type { HostContext } from '../kernel/context.ts';
import { payloadOf, textOf } from '../read/payload.ts';
import type { LaneItem } from './lane.ts';

/** Undefined when the event is gone: there is nothing to hand over. */
export async function laneItem(
  { store }: Pick<HostContext, 'store'>,
  delivery: DeliveryRow,
): Promise<LaneItem | undefined> {
  const event = await store.get('log', delivery.source);
  if (event === undefined) return undefined;
  const ids = detailOf(delivery).fragments;
  if (ids === undefined) return { delivery, event };
  const texts: string[] = [];
  for (const id of ids) {
    const logged = await store.get('log', id);
    if (logged !== undefined) texts.push(textOf(logged));
  }
  return { delivery, event, text: texts.join('\n') };
}

type InjectionCapabilities = Readonly<
  Record<'immediate' | 'buffered' | 'notify' | 'tool_mailbox' | 'digest', boolean>
>;

/** The mode in which a harness of these capabilities takes it: lowered at the last moment, never dropped. */
export function lowerModeFor(row: DeliveryRow, can: InjectionCapabilities): InjectionMode {
  if (row.mode === 'immediate' && !can.immediate) return 'buffered';
  if (row.mode === 'notify' && !can.notify) {
    const answers = row.policy === 'must_respond' || decisionOf(row).claimFirst === true;
    return answers ? 'buffered' : 'tool_mailbox';
  }
  return row.mode === 'digest' && !can.digest ? 'tool_mailbox' : row.mode;
}

/** What the harness reads, in the shape it agreed to. */
export function wireEventOf(
  { clock, attention }: Pick<HostContext, 'clock' | 'attention'>,
  { delivery, event, text }: LaneItem,
  agreement: Agreement,
): WireEvent {
  const payload = payloadOf(delivery, event, clock.now(), attention.limits.deadlineMs);
  if (text !== undefined) payload.text = text;
  return project(payload, agreement);
}
