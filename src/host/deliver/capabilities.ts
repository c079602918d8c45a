// What a session cannot take is lowered for it at the last moment, never dropped: the same rule as the fold's, applied to
// what the harness declared in `initialize`.
import type { InjectionMode } from '../../protocol/vocabulary.ts';
import type { DeliveryRow } from '../../store/tables.ts';

type InjectionCapabilities = Readonly<
  Record<'immediate' | 'buffered' | 'notify' | 'tool_mailbox' | 'digest', boolean>
>;

export function capMode(row: DeliveryRow, can: InjectionCapabilities): InjectionMode {
  const claimFirst = (row.detail['decision'] as { claimFirst?: boolean } | undefined)?.claimFirst === true;
  if (row.mode === 'immediate' && !can.immediate) return 'buffered';
  if (row.mode === 'notify' && !can.notify) {
    return row.policy === 'must_respond' || claimFirst ? 'buffered' : 'tool_mailbox';
  }
  return row.mode === 'digest' && !can.digest ? 'tool_mailbox' : row.mode;
}
