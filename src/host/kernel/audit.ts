// The audit: who did what through a tool, the console or the command line. This file owns the audit rows. A row is
// written in the same unit as the change it is about, so neither exists without the other. A call that only looked has
// no unit: its row goes along with the next one that an agent's call writes, or is written after a second by itself.
// Looks that are alike become one row while it waits, with the number of `times`, so a loop of looks writes a row a second.
import type { Cancel } from '../../runtime/clock.ts';
import type { Write } from '../../store/store.ts';
import type { AuditRow } from '../../store/tables.ts';
import type { HostContext } from './context.ts';

export const AUDIT_LIMITS = {
  /** The row of a reading call waits at most this long. A crash may lose it. The row of a change is never lost. */
  lateMs: 1_000,
  /** At most this many rows wait. When the limit is reached, all of them are written at once. */
  waiting: 256,
  /** Looks of one caller that wait and differ. Further ones are counted together by tool, without what they were about. */
  looksEach: 32,
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
  const waiting = createWaitingLooks();
  let timer: Cancel | undefined;
  /** When a refusal of a caller was last written at once. */
  const refusedAt = new Map<string, number>();

  const flush = async (): Promise<void> => {
    timer?.();
    timer = undefined;
    refusedAt.clear();
    const rows = waiting.rows();
    if (rows.length === 0) return;
    waiting.clear();
    await apply({ states: [], run: () => ({ writes: rows.map(put), news: [], result: undefined }) }).catch(
      (error: unknown) => log.warn({ err: error, calls: rows.length }, 'tool calls were not audited'),
    );
  };
  const writeLater = (row: AuditRow): void => {
    waiting.add(row);
    if (waiting.size() >= AUDIT_LIMITS.waiting) return void flush();
    timer ??= clock.after(AUDIT_LIMITS.lateMs, () => void flush());
  };
  /** Of a caller that is refused again and again, the first is written at once. The others wait as looks do. */
  const writeRefusal = (row: AuditRow): void => {
    const last = refusedAt.get(row.who);
    writeLater(row);
    if (last !== undefined && row.at - last < AUDIT_LIMITS.lateMs) return;
    void flush();
    refusedAt.set(row.who, row.at);
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
          written = waiting.rows();
          return [...written, rowOf(now, refused)].map(put);
        },
        end(refused) {
          for (const row of written ?? []) waiting.forget(row);
          if (written !== undefined && writtenRefusal === refused) return;
          const row = rowOf(clock.now(), refused);
          if (written !== undefined) {
            waiting.replace(row);
            void flush();
          } else if (refused === undefined) writeLater(row);
          else writeRefusal(row);
        },
      };
    },
  };
}

/** The rows of looks that are not written yet. */
function createWaitingLooks() {
  const rows = new Map<string, AuditRow>();
  /** The key of the waiting row, by what is alike in its looks. */
  const alike = new Map<string, string>();
  const waitingOf = (who: string): number => [...rows.values()].filter((row) => row.who === who).length;

  const countIn = (row: AuditRow, detail: Record<string, unknown>): boolean => {
    const sort = JSON.stringify([row.who, row.what, detail]);
    const known = rows.get(alike.get(sort) ?? '');
    if (known === undefined) {
      alike.set(sort, row.key);
      return false;
    }
    const { times = 1, ...about } = known.detail as { times?: number };
    rows.set(known.key, { ...known, detail: { ...about, times: times + 1 } });
    return true;
  };
  return {
    rows: () => [...rows.values()],
    size: () => rows.size,
    add(row: AuditRow): void {
      if (countIn(row, row.detail)) return;
      if (waitingOf(row.who) < AUDIT_LIMITS.looksEach) return void rows.set(row.key, row);
      const { refused } = row.detail;
      const detail = refused === undefined ? { various: true } : { various: true, refused };
      if (!countIn(row, detail)) rows.set(row.key, { ...row, detail });
    },
    /** A row that its call's unit has written with another outcome. */
    replace: (row: AuditRow): void => void rows.set(row.key, row),
    /** Forgets a row as it was written. One that has counted a further look since is written again. */
    forget(row: AuditRow): void {
      if (rows.get(row.key) === row) rows.delete(row.key);
    },
    clear(): void {
      rows.clear();
      alike.clear();
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
