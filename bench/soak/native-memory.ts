// Memory of a process besides V8's, as the kernel counts it. What is left of RSS when V8's committed memory is taken away says
// something else: V8 gives pages back late and keeps others for later, the store's thread has a heap of its own, and a
// file that is mapped counts as RSS. All of that comes and goes by hundreds of MB while nothing is lost.
import { readFileSync } from 'node:fs';

/** On this machine V8 asks for its memory below this address, and the kernel gives all other mappings at the top. */
const V8_BELOW = 0x4000_0000_0000;
const MAPPING = /^([0-9a-f]+)-[0-9a-f]+ \S+ \S+ \S+ (\d+) *(.*)$/;
const RESIDENT = /^Rss: +(\d+) kB$/;
const KB = 1_024;

/**
 * Bytes that malloc has of the system (SQLite, buffers, N-API, fragments that are free), and stacks. Undefined where the
 * kernel does not say it.
 */
export function nativeBytesOf(pid: number): number | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    return nativeBytesIn(readFileSync(`/proc/${pid}/smaps`, 'utf8'));
  } catch {
    return undefined;
  }
}

export function nativeBytesIn(smaps: string): number {
  let total = 0;
  let counts = false;
  for (const line of smaps.split('\n')) {
    const [, start, inode, name = ''] = MAPPING.exec(line) ?? [];
    if (start !== undefined) {
      const isOwn = inode === '0' && (name === '[heap]' || Number.parseInt(start, 16) >= V8_BELOW);
      counts = isOwn && name !== '[vdso]' && name !== '[vvar]';
    } else if (counts) total += Number(RESIDENT.exec(line)?.[1] ?? 0) * KB;
  }
  return total;
}
