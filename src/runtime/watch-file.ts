// Watches one file, as a port. Editors replace a file, truncate it first, or move a folder of links under it; so its
// folder is watched, and after a quiet moment the file's own marks are compared. Where a folder cannot be watched, and
// on file systems that tell of nothing, the marks are looked at now and then.
import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Cancel, Clock } from './clock.ts';

export const WATCH_LIMITS = {
  /** A change counts after so long without another one. */
  quietMs: 150,
  /** How often the marks are looked at where the system tells of nothing. */
  lookMs: 5_000,
} as const;

export type WatchFile = (file: string, clock: Clock, changed: () => void) => Cancel;

export const watchFile: WatchFile = (file, clock, changed) => {
  let known = marksOf(file);
  let quiet: Cancel | undefined;
  let next: Cancel | undefined;
  let ended = false;
  const look = (): void => {
    const now = marksOf(file);
    if (now === known || ended) return;
    known = now;
    changed();
  };
  const soon = (): void => {
    quiet?.();
    if (!ended) quiet = clock.after(WATCH_LIMITS.quietMs, look);
  };
  const again = (): void => {
    look();
    if (!ended) next = clock.after(WATCH_LIMITS.lookMs, again);
  };
  const watcher = openWatcher(dirname(file), soon);
  next = clock.after(WATCH_LIMITS.lookMs, again);
  return () => {
    ended = true;
    quiet?.();
    next?.();
    watcher?.close();
  };
};

function openWatcher(folder: string, soon: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, () => soon());
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

/** A file that is replaced has another inode; one that is written has another time or size. */
function marksOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? `no ${basename(file)}` : `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
}
