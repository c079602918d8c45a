// The same question once more: a reminder, an expired deadline, a lapse, a turn that failed, an edit. What was never
// accepted is changed where it lies. What was accepted goes out under a derived id, because every harness drops repeats
// of an eventId; the first delivery ends `superseded` and names the one that took its place.
import type { Decision } from '../../attention/index.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { UnitView, Write } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import type { HostNews } from '../kernel/context.ts';
import { supersede } from './delivery-state.ts';

export type FollowUpKind = 'reminder' | 'expired' | 'lapsed' | 'retry' | 'edit';

export interface FollowUp {
  writes: Write[];
  news: HostNews[];
}

/** Suffixes that follow-ups add; one replaces the other, so that ids stay short. */
const SUFFIX = /\/(reminder|expired|lapsed|retry|edit)-\d+$/;
/** Reasons after which an answer to the first delivery still answers the one in its place. */
const STILL_ASKED: ReadonlySet<string> = new Set(['reminder', 'expired', 'lapsed', 'retry', 'merged']);
const LONGEST_CHAIN = 100;

export function followUp(
  row: DeliveryRow,
  kind: FollowUpKind,
  now: number,
  change: Partial<DeliveryRow>,
  detail: Record<string, unknown>,
): FollowUp {
  if (row.open === 0) return { writes: [], news: [] };
  const common = { disposition: null, turnId: null, ...change } as const;
  if (row.state === 'queued' || row.state === 'held') {
    const next: DeliveryRow = { ...row, ...common, state: 'queued', detail: { ...row.detail, ...detail } };
    return {
      writes: [{ table: 'delivery', row: next }],
      news: [{ type: 'deliver', delivery: next, event: undefined }],
    };
  }
  const attempt = row.attempt + 1;
  const eventId = `${row.eventId.replace(SUFFIX, '')}/${kind}-${attempt}`;
  const first = row.detail['decision'] as Decision;
  const decision: Decision = { ...first, eventId, refersTo: first.refersTo ?? row.eventId };
  const next: DeliveryRow = {
    ...row,
    ...common,
    key: deliveryKey(eventId, row.agent),
    eventId,
    state: 'queued',
    attempt,
    createdAt: now,
    sends: 0,
    detail: { ...row.detail, ...detail, decision },
  };
  const old = replacedBy(supersede(row, kind === 'edit' ? 'edited' : kind, now) ?? row, next.key);
  return {
    writes: [
      { table: 'delivery', row: old },
      { table: 'delivery', row: next },
    ],
    news: [
      { type: 'withdraw', delivery: old, reason: old.why ?? kind },
      { type: 'deliver', delivery: next, event: undefined },
    ],
  };
}

export function replacedBy(row: DeliveryRow, key: string): DeliveryRow {
  return { ...row, detail: { ...row.detail, replacedBy: key } };
}

/** The delivery that stands for this one now, whatever replaced it; itself when nothing did. */
export function newestOf(view: UnitView, key: string): DeliveryRow | undefined {
  let row = view.row('delivery', key);
  for (let step = 0; row !== undefined && step < LONGEST_CHAIN; step++) {
    const next = row.detail['replacedBy'];
    if (typeof next !== 'string') return row;
    row = view.row('delivery', next) ?? row;
  }
  return row;
}

/** What an answer to this delivery answers: the one in its place, unless that asks something else by now. */
export function answeredBy(view: UnitView, key: string): DeliveryRow | undefined {
  let row = view.row('delivery', key);
  for (let step = 0; row !== undefined && step < LONGEST_CHAIN; step++) {
    const next = row.detail['replacedBy'];
    if (typeof next !== 'string' || !STILL_ASKED.has(row.why ?? '')) return row;
    row = view.row('delivery', next) ?? row;
  }
  return row;
}
