// The audit: who did what through a tool, the console or the command line. This file owns the audit rows. A row is
// written in the same unit as the change it is about, so neither exists without the other.
import type { Write } from '../../store/store.ts';
import type { HostContext } from './context.ts';

export function auditWrite(
  { random }: Pick<HostContext, 'random'>,
  at: number,
  who: string,
  what: string,
  detail: Record<string, unknown>,
): Write {
  return { table: 'audit', row: { key: auditKey(random), at, who, what, detail } };
}

/** The audit row of one call, under a key of its own: written twice, it is one row. */
export function createCallAudit(
  { random }: Pick<HostContext, 'random'>,
  who: string,
  what: string,
  detail: Record<string, unknown>,
): {
  write: (now: number, refused?: string) => Write;
  covers: (refused: string | undefined) => boolean;
} {
  let key: string | undefined;
  let written: { refused: string | undefined } | undefined;
  return {
    write(at, refused) {
      key ??= auditKey(random);
      written = { refused };
      const outcome = refused === undefined ? {} : { refused };
      return { table: 'audit', row: { key, at, who, what, detail: { ...detail, ...outcome } } };
    },
    covers: (refused) => written !== undefined && written.refused === refused,
  };
}

function auditKey(random: HostContext['random']): string {
  return `audit_${random.id()}`;
}
