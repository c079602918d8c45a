// The WAL stays within its limit by bytes, whatever is written and read. Texts of 60 KB, as people paste them, and
// readers that never pause. The limits are a sixteenth of the real ones, and so is what is written.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { CHECKPOINT_LIMITS, type CheckpointLimits } from '../../src/store/sqlite/checkpoints.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/store.ts';
import { cases } from '../long.ts';
import { codec, logRow, put } from './store-rows.ts';

const SHARE = 16;
const TEXT_CHARS = 60_000;
const AT_ONCE = 20;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-wal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const shareOf = (limits: CheckpointLimits): CheckpointLimits => ({
  checkpointBytes: limits.checkpointBytes / SHARE,
  finishBytes: limits.finishBytes / SHARE,
  walBytesMax: limits.walBytesMax / SHARE,
  // However slow the machine is.
  stallMs: 600_000,
  readerWaitMs: 60_000,
});

/** Reads without a pause, until told to stop: what pages of the log, searches and doctors do. */
async function readOn(store: Store, going: { on: boolean }): Promise<number> {
  let reads = 0;
  for (; going.on; reads++) {
    await Promise.all([
      store.scan('log', 'byPosition', { limit: 300, descending: true }),
      store.log.find({ conversation: 'room' }, { limit: 50 }),
    ]);
  }
  return reads;
}

it('the WAL stays within its limit under texts of 60 KB and constant readers', async () => {
  const file = join(folder, 'store.db');
  const limits = shareOf(CHECKPOINT_LIMITS);
  const lines: string[] = [];
  const store = await openSqliteStore({
    file,
    clock: systemClock,
    codec,
    walLimits: limits,
    log: (line) => lines.push(line),
  });
  const going = { on: true };
  const reading = [readOn(store, going), readOn(store, going)];
  let highest = 0;
  const count = cases(1_200, 10_000);
  for (let n = 0; n < count; n += AT_ONCE) {
    const rows = Array.from({ length: AT_ONCE }, (_, i) =>
      logRow(`e${n + i}`, { seq: n + i, text: textOf(n + i) }),
    );
    await Promise.all(rows.map((row) => put(store, { table: 'log', row })));
    highest = Math.max(highest, statSync(`${file}-wal`).size);
  }
  going.on = false;
  const reads = (await Promise.all(reading)).reduce((sum, one) => sum + one, 0);
  const written = count * TEXT_CHARS;
  process.stdout.write(
    `WAL: ${mib(written)} MiB written, ${reads} reads meanwhile, highest ${mib(highest)} MiB of ${mib(limits.walBytesMax)}\n`,
  );
  expect(reads).toBeGreaterThan(2);
  expect(lines).toEqual([]);
  expect(written).toBeGreaterThan(limits.walBytesMax * 4);
  expect(highest).toBeLessThan(limits.walBytesMax + AT_ONCE * TEXT_CHARS * 2);
  await store.close();
});

function textOf(n: number): string {
  return `${n} the quick brown fox jumps over the lazy dog `.repeat(TEXT_CHARS / 40).slice(0, TEXT_CHARS);
}

function mib(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1);
}
