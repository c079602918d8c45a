// The audit: who did what through a tool, the console or the command line. This file owns the audit rows. A row is
// written in the same unit as the change it is about, so neither exists without the other. A call that only looked has
// no unit: its row goes along with the next one that an agent's call writes, or is written after a second by itself.
import type { Cancel } from '../../runtime/clock.ts';
import type { Write } from '../../store/store.ts';
import type { AuditRow } from '../../store/tables.ts';
import type { HostContext } from './context.ts';

export const AUDIT_LIMITS = {
  /** A look is on record this late, at the most. A crash loses the looks of that time, never a change. */
  lateMs: 1_000,
  /** Looks that wait; one more, and all are written at once. */
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

/** The audit row of one call, under a key of its own: written twice, it is one row. */
export interface CallAudit {
  /** The row, and those of looks that wait: for the unit of the call. */
  write: (now: number, refused?: string) => Write[];
  /** The call is over: what its unit did not write is written now, or with the next one if it only looked. */
  end: (refused: string | undefined) => void;
}

export interface AuditTrail {
  call(who: string, what: string, detail: Record<string, unknown>): CallAudit;
  /** Writes what waits. */
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
  const wait = (row: AuditRow): void => {
    waiting.set(row.key, row);
    if (waiting.size >= AUDIT_LIMITS.waiting) return void flush();
    timer ??= clock.after(AUDIT_LIMITS.lateMs, () => void flush());
  };
  return {
    flush,
    call(who, what, detail) {
      let key: string | undefined;
      let taken: AuditRow[] | undefined;
      let told: string | undefined;
      const rowOf = (at: number, refused: string | undefined): AuditRow => {
        key ??= auditKey(random);
        const outcome = refused === undefined ? {} : { refused };
        return { key, at, who, what, detail: { ...detail, ...outcome } };
      };
      return {
        write(now, refused) {
          told = refused;
          taken = [...waiting.values()];
          return [...taken, rowOf(now, refused)].map(put);
        },
        end(refused) {
          for (const row of taken ?? []) waiting.delete(row.key);
          if (taken !== undefined && told === refused) return;
          wait(rowOf(clock.now(), refused));
          if (refused !== undefined) void flush();
        },
      };
    },
  };
}

function put(row: AuditRow): Write {
  return { table: 'audit', row };
}

function auditKey(random: HostContext['random']): string {
  return `audit_${random.id()}`;
}
