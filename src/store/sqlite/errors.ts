// Explains SQLite's error numbers to whoever runs Earshot: one line with the file and what to do.
import { hasNoRoomBeside } from './quota.ts';

const WORDS: Readonly<Record<number, (file: string) => string>> = {
  5: (file) => `${file} is locked by another program: close it and try again`,
  6: (file) => `${file} is locked by another program: close it and try again`,
  8: (file) => `${file} cannot be written: check its permissions and those of its folder`,
  10: (file) => `the disk holding ${file} failed to read or write: check the disk and its free space`,
  11: (file) => `${file} is damaged: restore the newest backup (earshot backup makes them)`,
  13: (file) =>
    `the disk holding ${file} is full, or its quota is used up: free some space, nothing acknowledged is lost`,
  14: (file) => `${file} cannot be opened: check that its folder exists and may be written`,
  26: (file) => `${file} is not an Earshot store (not a SQLite file), or it is damaged: restore a backup`,
};

/** Errors that one row alone causes: too big, a constraint, a datatype. */
const ROW_FAULTS: ReadonlySet<number> = new Set([18, 19, 20]);

/** SQLite's primary result code. Undefined when the error is not SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}

export function inWords(error: unknown, file: string): Error {
  const code = faultOf(error, file) === 'no_room' ? FULL : sqliteCode(error);
  const words = code === undefined ? undefined : WORDS[code];
  if (words !== undefined) return new Error(words(file), { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

/** SQLITE_IOERR_SHMSIZE: the shared memory could not grow. Only a full disk does that. */
const SHM_SIZE = 4_874;
/** SQLITE_IOERR_WRITE: a write failed, on a broken disk or for want of a quota. */
const IO_WRITE = 778;
const IO_ERROR = 10;
const FULL = 13;

/**
 * What a failed write says about the disk. `no_room`: nothing was stored, and there may be room again later. `disk`: it
 * failed to read, write or sync, so nobody knows what is on it. Undefined: it is about something else.
 */
export function faultOf(error: unknown, file: string): 'no_room' | 'disk' | undefined {
  const code = sqliteCode(error);
  const exactly = (error as { errcode?: unknown } | null)?.errcode;
  if (code === FULL || exactly === SHM_SIZE) return 'no_room';
  if (exactly === IO_WRITE && hasNoRoomBeside(file)) return 'no_room';
  return code === IO_ERROR ? 'disk' : undefined;
}

/** Corrupt, or not a database at all. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 11 || code === 26;
}

/** Whether a single write is at fault. Then the rest of its batch may go on without it. */
export function isRowFault(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === undefined ? error instanceof TypeError : ROW_FAULTS.has(code);
}

/** SQLITE_CONSTRAINT_UNIQUE. */
const UNIQUE = 2_067;

export function isRepeatedKey(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === UNIQUE;
}
