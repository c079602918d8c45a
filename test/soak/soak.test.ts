// The soak, short: that it counts, judges and ends. Nothing is asserted about times. `npm run soak` is the long one.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { nativeBytesIn, nativeBytesOf } from '../../bench/soak/native-memory.ts';
import { compareThirds, type Slice, SLICES_MIN } from '../../bench/soak/verdict.ts';
import { childEnv } from '../server/up.ts';
import { cases, SEED } from '../long.ts';

const SECONDS = cases(12, 180);
const RATE = cases(60, 300);

it(
  'loses nothing, settles everything and ends with a verdict',
  async () => {
    const argv = ['--minutes', String(SECONDS / 60), '--rate', String(RATE), '--seed', String(SEED)];
    const ran = await promisify(execFile)(process.execPath, ['bench/soak/main.ts', ...argv], {
      env: childEnv(),
    }).catch((error: unknown) => error as { stdout: string; stderr: string });
    const [, sent, acknowledged, stored, answers, left] =
      /(\d+) sent, (\d+) acknowledged, (\d+) stored; (\d+) answers; (\d+) left open/.exec(ran.stdout) ?? [];
    expect([acknowledged, stored, left], ran.stdout + ran.stderr).toEqual([sent, sent, '0']);
    expect(Number(answers)).toBeGreaterThan(0);
    // A long one may be judged by a busy machine's times; what was lost or left is in the words either way.
    expect(ran.stdout).not.toMatch(/is lost|has a gap|was not acknowledged|was answered with/);
    expect(ran.stdout).toMatch(/the soak (holds|does not hold)/);
  },
  cases(600_000, 900_000),
);

it(
  'is red when the host keeps something at each event',
  async () => {
    const argv = ['--minutes', '0.4', '--rate', '60', '--leak', '100000'];
    const ran = await promisify(execFile)(process.execPath, ['bench/soak/main.ts', ...argv], {
      env: childEnv(),
    }).catch((error: unknown) => error as { stdout: string; stderr: string; code: number });
    expect('code' in ran && ran.code, ran.stdout + ran.stderr).toBe(1);
    expect(ran.stdout).toMatch(/the soak does not hold:[^]*heap in use: .* more than/);
  },
  cases(180_000, 180_000),
);

const GROWN_BYTES = 64 * 1_048_576;
/** A process that keeps so much in its heap, then as much in SQLite, and tells its mappings before, between and after. */
const GROWS = `
  const maps = () => require('node:fs').readFileSync('/proc/self/smaps', 'utf8');
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE kept (bytes BLOB)');
  const keep = db.prepare('INSERT INTO kept VALUES (zeroblob(65536))');
  const said = [maps()];
  globalThis.kept = Array.from({ length: ${GROWN_BYTES / 65_536} }, () => new Array(8192).fill(0.5));
  said.push(maps());
  for (let at = 0; at < ${GROWN_BYTES / 65_536}; at++) keep.run();
  said.push(maps());
  console.log(JSON.stringify(said));
`;

describe('memory besides V8', () => {
  const SMAPS = `00400000-00746000 r--p 00000000 fe:00 2163159  /usr/bin/node
Rss:                3000 kB
03a00000-0aa00000 rw-p 00000000 00:00 0  [heap]
Rss:               50000 kB
108d1a000000-108d1a040000 rw-p 00000000 00:00 0
Rss:                 256 kB
7f35e0000000-7f35e4000000 rw-p 00000000 00:00 0
Rss:               20000 kB
7f35e8000000-7f35e8100000 r--s 00000000 00:1a 77  /data/host.db-shm
Rss:                  32 kB
7ffc10000000-7ffc10021000 rw-p 00000000 00:00 0  [stack]
Rss:                 100 kB
7ffc10030000-7ffc10032000 r-xp 00000000 00:00 0  [vdso]
Rss:                   8 kB
`;

  it('is what malloc and the stacks have, without files and what V8 has asked for', () => {
    expect(nativeBytesIn(SMAPS)).toBe((50_000 + 20_000 + 100) * 1_024);
  });

  // On other systems the verdict says that it was not judged.
  it.runIf(nativeBytesOf(process.pid) !== undefined)(
    'grows with what SQLite keeps, and not with the heap',
    async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', GROWS], {
        env: childEnv(),
        maxBuffer: GROWN_BYTES,
      });
      const [before = 0, afterHeap = 0, afterSqlite = 0] = (JSON.parse(stdout) as string[]).map(
        nativeBytesIn,
      );
      expect(afterHeap - before).toBeLessThan(0.25 * GROWN_BYTES);
      expect(afterSqlite - afterHeap).toBeGreaterThan(0.9 * GROWN_BYTES);
    },
  );

  it('says 2.5 MB a minute that are lost in half an hour of 1,000 a second', () => {
    const MINUTES = 28;
    const all = Array.from({ length: MINUTES * 6 }, (_, at) => ({
      ...slice({}, 0),
      nativeBytes: 1.6e8 + (at % 5) * 4e6 + (at / 6) * 2.5e6,
    }));
    expect(grown(all)).toEqual(['nativeBytes']);
  });

  it('is not judged where the system does not say it', () => {
    const judged = compareThirds(slices({}).map((one) => ({ ...one, nativeBytes: undefined })));
    expect(judged?.find(({ what }) => what === 'nativeBytes')?.isFlat).toBeUndefined();
  });
});

const slice = (grow: Partial<Record<keyof Slice, number>>, at: number): Slice => ({
  p99Ms: 8 * (grow.p99Ms ?? 1) ** at,
  rss: 2e8 * (grow.rss ?? 1) ** at,
  heapFloor: 8e7 * (grow.heapFloor ?? 1) ** at,
  externalFloor: 2e7 * (grow.externalFloor ?? 1) ** at,
  nativeBytes: 1e8 * (grow.nativeBytes ?? 1) ** at,
  dbBytes: 6e7 * (grow.dbBytes ?? 1) ** at,
  dbUsedBytes: 5e7 * (grow.dbUsedBytes ?? 1) ** at,
  walBytes: 6e7,
  waited: grow.waited ?? 0,
});
const slices = (grow: Partial<Record<keyof Slice, number>>) =>
  Array.from({ length: 30 }, (_, at) => slice(grow, at));
const grown = (all: readonly Slice[]) =>
  compareThirds(all)?.flatMap(({ what, isFlat }) => (isFlat === false ? [what] : []));

describe('the verdict of a soak', () => {
  it.each(['p99Ms', 'rss', 'heapFloor', 'externalFloor', 'nativeBytes', 'dbBytes', 'dbUsedBytes'] as const)(
    'sees that %s grows',
    (what) => {
      expect(grown(slices({ [what]: 1.04 }))).toEqual([what]);
    },
  );

  it('does not judge times of slices in which others had the processor, and says so', () => {
    const judged = compareThirds(slices({ p99Ms: 1.04, waited: 0.5 }));
    expect(judged?.find(({ what }) => what === 'p99Ms')?.isFlat).toBeUndefined();
    expect(judged?.find(({ what }) => what === 'heapFloor')?.isFlat).toBe(true);
  });

  it('does not mind single slices that the machine has disturbed', () => {
    const all = slices({});
    for (const at of [2, 11, 23, 28]) Object.assign(all[at] ?? {}, { p99Ms: 4_000, rss: 9e8 });
    expect(grown(all)).toEqual([]);
  });

  it('does not mind memory besides V8 that comes and goes', () => {
    const all = slices({});
    for (const [at, one] of all.entries()) if (at > 15 && at % 3 > 0) one.nativeBytes = 3e8;
    expect(grown(all)).toEqual([]);
  });

  it('says nothing of a run that was too short', () => {
    expect(compareThirds(slices({}).slice(0, 3 * SLICES_MIN - 1))).toBeUndefined();
  });
});
