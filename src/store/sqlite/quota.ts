// Whether a quota keeps the store from growing. SQLite tells a full disk (ENOSPC) from a broken one, but a used-up quota
// (EDQUOT) it calls an error of the disk. So the kernel is asked itself, with a file beside the store.
import { rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';

/** As much as a few pages of a WAL. */
const PROBE = Buffer.alloc(65_536, 1);
/** By number: Node has no name for EDQUOT. */
const NO_ROOM: ReadonlySet<unknown> = new Set([-constants.errno.EDQUOT, -constants.errno.ENOSPC]);

/** Tries to write beside the file. True only when the kernel says that there is no room. */
export function hasNoRoomBeside(file: string): boolean {
  const probe = `${file}-room`;
  try {
    writeFileSync(probe, PROBE, { mode: 0o600 });
    return false;
  } catch (error) {
    return isNoRoom(error);
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Of an error of the file system: a full disk, or a quota that is used up. */
export function isNoRoom(error: unknown): boolean {
  return NO_ROOM.has((error as NodeJS.ErrnoException | null)?.errno);
}
