// Makes a committed batch durable: it calls fdatasync on the WAL in a pool thread, so the event loop goes on while the
// disk works. The promise is that of synchronous=FULL, which syncs the same file in COMMIT and blocks meanwhile. NORMAL
// also keeps the order of WAL header, WAL and file; it only leaves out the sync that is made here.
import { close, fdatasync, openSync } from 'node:fs';

export interface WalSync {
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens only the WAL. A process that closes any handle of a file loses its POSIX locks on that file; SQLite locks the
 * store's file and -shm, never -wal. The WAL exists from the first read on and is the same file until the last
 * connection closes.
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
