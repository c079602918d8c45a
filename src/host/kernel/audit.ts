// The audit: who did what through a tool, the console or the command line. This file owns the audit rows. A row is
// written in the same unit as the change it is about, so neither exists without the other. A call that only looked has
// no unit: its row goes along with the next one that an agent's call writes, or is written after a second by itself.
import type { Cancel } from '../../runtime/clock.ts';
import type { Write } from '../../store/store.ts';
import type { AuditRow } from '../../store/tables.ts';
import type { HostContext } from './context.ts';

export const AUDIT_LIMITS = {
  /** The row of a reading call waits at most this long. A crash may lose it. The row of a change is never lost. */
  lateMs: 1_000,
  /** At most this many rows wait. When the limit is reached, all of them are written at once. */
  waiting: 256,
} as const;

export function auditWrite(
  { random }: Pick<HostContext, 'random'>,
  at: number,
  who: string,
  what: string,
  detail: Record<string, unknown>,
): Write {
  return put({ key: auditKey(random), at, who, what, detail });
}

/** The audit row of one call. It has its own key, so writing it twice gives one row. */
export interface CallAudit {
  /** The writes for the call's unit: its own row, and the rows that wait. */
  write: (now: number, refused?: string) => Write[];
  /** Ends the call. If its unit has not written the row, a refusal is written now and any other row waits. */
  end: (refused: string | undefined) => void;
}

export interface AuditTrail {
  call(who: string, what: string, detail: Record<string, unknown>): CallAudit;
  /** Writes every row that waits. */
  flush(): Promise<void>;
}

export function createAuditTrail(
  context: Pick<HostContext, 'apply' | 'random' | 'clock' | 'log'>,
): AuditTrail {
  const { apply, random, clock, log } = context;
  const waiting = new Map<string, AuditRow>();
  let timer: Cancel | undefined;

  const flush = async (): Promise<void> => {
    timer?.();
    timer = undefined;
    const rows = [...waiting.values()];
    if (rows.length === 0) return;
    waiting.clear();
    await apply({ states: [], run: () => ({ writes: rows.map(put), news: [], result: undefined }) }).catch(
      (error: unknown) => log.warn({ err: error, calls: rows.length }, 'tool calls were not audited'),
    );
  };
  const writeLater = (row: AuditRow): void => {
    waiting.set(row.key, row);
    if (waiting.size >= AUDIT_LIMITS.waiting) return void flush();
    timer ??= clock.after(AUDIT_LIMITS.lateMs, () => void flush());
  };
  return {
    flush,
    call(who, what, detail) {
      let key: string | undefined;
      /** The waiting rows that the call's unit has written too. Undefined when it has written nothing. */
      let written: AuditRow[] | undefined;
      let writtenRefusal: string | undefined;
      const rowOf = (at: number, refused: string | undefined): AuditRow => {
        key ??= auditKey(random);
        const outcome = refused === undefined ? {} : { refused };
        return { key, at, who, what, detail: { ...detail, ...outcome } };
      };
      return {
        write(now, refused) {
          writtenRefusal = refused;
          written = [...waiting.values()];
          return [...written, rowOf(now, refused)].map(put);
        },
        end(refused) {
          for (const row of written ?? []) waiting.delete(row.key);
          if (written !== undefined && writtenRefusal === refused) return;
          writeLater(rowOf(clock.now(), refused));
          if (refused !== undefined) void flush();
        },
      };
    },
  };
}

function put(row: AuditRow): Write {
  return { table: 'audit', row };
}

/** Only retention removes an audit row. */
export function removeAudit(key: string): Write {
  return { table: 'audit', remove: key };
}

function auditKey(random: HostContext['random']): string {
  return `audit_${random.id()}`;
}
