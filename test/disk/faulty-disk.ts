// Compiles faulty-disk.c once, and runs hosts on such a disk. Without a C compiler, or not on Linux, there is none.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The library to preload. Undefined where it cannot be made; then the reason is printed. */
export const faultyDisk = compiled();

function compiled(): string | undefined {
  const library = join(mkdtempSync(join(tmpdir(), 'earshot-disk-')), 'faulty-disk.so');
  try {
    if (process.platform !== 'linux') throw new Error('only Linux preloads it');
    execFileSync(
      'cc',
      ['-shared', '-fPIC', '-O1', '-o', library, join(import.meta.dirname, 'faulty-disk.c'), '-ldl'],
      {
        stdio: 'pipe',
      },
    );
    return library;
  } catch (error) {
    process.stderr.write(`tests on a faulty disk are skipped: ${String(error).split('\n')[0]}\n`);
    return undefined;
  }
}

export interface FaultyFolder {
  folder: string;
  env: Record<string, string>;
  /** Every write to the folder fails with ENOSPC, EDQUOT or EIO, or every sync with EIO, until `mend`. */
  break(fault: 'full' | 'quota' | 'write' | 'sync'): void;
  mend(): void;
}

export function faultyFolder(library: string): FaultyFolder {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'earshot-faulty-')));
  const control = `${folder}.fault`;
  return {
    folder,
    env: { LD_PRELOAD: library, EARSHOT_FAULT_FOLDER: folder, EARSHOT_FAULT_FILE: control },
    break: (fault) => writeFileSync(control, fault),
    mend: () => rmSync(control, { force: true }),
  };
}
