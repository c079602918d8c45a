// Makes a committed batch durable: fdatasync of the WAL in a pool thread, so the event loop goes on while the disk
// works. Same promise as synchronous=FULL, which syncs the same file in COMMIT and blocks meanwhile: SQLite orders WAL
// header, WAL and file among themselves under NORMAL too; what NORMAL leaves out is the sync that is made here.
import { close, fdatasync, openSync } from 'node:fs';

export interface WalSync {
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Only ever the WAL: a process that closes any handle of a file loses its POSIX locks on that file, and SQLite's are on
 * the store's file and on -shm, never on -wal. The WAL exists from the first read on, and is the same file until the
 * last connection closes.
 */
export function openWalSync(file: string): WalSync {
  const handle = openSync(`${file}-wal`, 'r+');
  return {
    sync: () =>
      new Promise((resolve, reject) => {
        fdatasync(handle, (error) => {
          if (error === null) resolve();
          else reject(error);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        close(handle, () => resolve());
      }),
  };
}
