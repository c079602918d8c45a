// Ends what a cell has left behind: programs start programs, and a killed parent no longer ends them. Everything that a
// cell starts inherits a mark in its environment, so nothing else is ever touched. Where there is no /proc, it stays.
import { readdirSync, readFileSync } from 'node:fs';

/** The environment variable that holds the mark. */
export const MARK = 'EARSHOT_CLIENTS_CELL';

export function endMarked(mark: string): void {
  for (const pid of processes()) {
    if (pid === process.pid || !environmentOf(pid).includes(`${MARK}=${mark}`)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
