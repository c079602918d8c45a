// Notices that a file of the store was deleted or replaced while it was open. Writes then go to a file that nobody will
// ever open again, and every commit still succeeds. A file is the one that was opened while its path leads to the same
// device and inode. Four looks take about 10 µs.
import { statSync } from 'node:fs';

/** The store, its WAL, the memory its connections share, and the lock that keeps a second Earshot away. */
const SUFFIXES = ['', '-wal', '-shm', '-lock'] as const;

export interface FileIdentity {
  /** What has happened to one of the files, in words. Undefined while all are as they were. */
  problem(): string | undefined;
}

/** Call it when the store is open: all files exist from then on and stay the same until the last connection closes. */
export function identityOf(file: string): FileIdentity {
  const opened = SUFFIXES.map((suffix) => ({ path: file + suffix, id: idOf(file + suffix) }));
  return {
    problem() {
      for (const { path, id } of opened) {
        const now = idOf(path);
        if (now === id) continue;
        return now === undefined ? `${path} was deleted` : `${path} was replaced by another file`;
      }
      return undefined;
    },
  };
}

/** As bigint: inodes of some file systems are larger than a number can tell apart. */
function idOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
