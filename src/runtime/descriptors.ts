// How many file descriptors this process has open, and how many it may have. Sockets and files share them. Linux and
// macOS tell; where nobody tells, both are unknown.
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

export interface Descriptors {
  /** Undefined when the system does not tell, or sets no limit. */
  readonly limit: number | undefined;
  /** Undefined when the system does not tell. Counting takes one itself: when none is left, this is the limit. */
  open(): Promise<number | undefined>;
}

/** The first that is there. */
const LISTS = ['/proc/self/fd', '/dev/fd'];

export function systemDescriptors(): Descriptors {
  const limit = readLimit();
  return {
    limit,
    async open() {
      for (const list of LISTS) {
        try {
          // The list holds the descriptor it is read with.
          return (await readdir(list)).length - 1;
        } catch (error) {
          if (isOutOfDescriptors(error)) return limit;
        }
      }
      return undefined;
    },
  };
}

/** True for the errors of a call that found no descriptor left, in this process or on the machine. */
export function isOutOfDescriptors(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}

function readLimit(): number | undefined {
  const said = fromProc() ?? fromReport();
  const limit = Number(said);
  return said === undefined || !Number.isFinite(limit) ? undefined : limit;
}

/** Node raises the soft limit to the hard one at its start, so this is what it may use. */
function fromProc(): string | undefined {
  try {
    return /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

interface Report {
  userLimits?: { open_files?: { soft?: string | number } };
}

function fromReport(): string | undefined {
  const { userLimits } = process.report.getReport() as Report;
  const soft = userLimits?.open_files?.soft;
  return soft === undefined ? undefined : String(soft);
}
