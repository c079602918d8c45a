// Puts a new file in the place of an old one. It is synced first, so after a power cut there is the old file or the new one,
// never half.
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isNoRoom } from '../store/sqlite/quota.ts';
import { CommandError } from './io.ts';

/** `mode`: the rights of the new file. */
export function replaceFile(file: string, text: string, mode: number): void {
  const partial = `${file}.${process.pid}.partial`;
  try {
    writeFileSync(partial, text, { mode, flush: true });
    chmodSync(partial, mode);
    renameSync(partial, file);
    syncFolder(dirname(file));
  } catch (error) {
    rmSync(partial, { force: true });
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const why = isNoRoom(error) ? 'the disk is full, or its quota is used up' : code;
    throw new CommandError(
      1,
      `${file} cannot be written (${why}): make room or check the folder, then try again`,
      { cause: error },
    );
  }
}

/** Makes a rename durable. Windows knows no such thing and needs none. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
