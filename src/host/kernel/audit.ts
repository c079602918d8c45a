// Who did what by hand, beside the change itself in one transaction.
import type { Write } from '../../store/store.ts';
import type { HostContext } from './context.ts';

export function auditWrite(
  { random }: Pick<HostContext, 'random'>,
  at: number,
  who: string,
  what: string,
  detail: Record<string, unknown>,
): Write {
  return { table: 'audit', row: { key: `audit_${random.id()}`, at, who, what, detail } };
}
