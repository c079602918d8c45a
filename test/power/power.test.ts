// The power goes at any moment under load: what was not synced is forgotten, torn or reordered. No acknowledged event is
// lost, nothing is said twice, every delivery ends. The control answers before the sync, and must lose.
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/runtime/random.ts';
import type { CheckpointLimits } from '../../src/store/sqlite/checkpoints.ts';
import { judge, makeWorld, momentOf, settle, type World } from '../crash/world.ts';
import { cases, SEED } from '../long.ts';
import { CutLife, lookAfterCut, powerFolder, powerJournal } from './cut-life.ts';

const CUTS = cases(10, 200);
const TIMEOUT_MS = cases(600_000, 1_200_000);
/** One cut may lose nothing: SQLite has just synced, or the draw keeps all that was written. */
const CONTROL_CUTS_MAX = 10;
/** So small that most lives move the WAL into the file, and the power goes in the middle of that too. */
const OFTEN: CheckpointLimits = {
  checkpointBytes: 1_048_576,
  finishBytes: 262_144,
  walBytesMax: 4_194_304,
  stallMs: 2_000,
  readerWaitMs: 50,
};

async function inWorld(use: (world: World, folder: string) => Promise<void>): Promise<void> {
  const folder = powerFolder();
  const world = await makeWorld(folder, seededRandom(SEED));
  try {
    await use({ ...world, opening: { walLimits: OFTEN } }, folder);
  } finally {
    await world.platform.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.skipIf(powerJournal === undefined)('a power cut', () => {
  it(
    'again and again under load: nothing acknowledged is lost, nothing is said twice, every delivery ends',
    () =>
      inWorld(async (world, folder) => {
        let next = new CutLife(folder, 0);
        let unsynced = 0;
        try {
          for (let cut = 0; cut < CUTS; cut++) {
            const life = next;
            next = new CutLife(folder, cut + 1);
            unsynced += await life.liveUntilCut(world, momentOf(cut));
            expect(await lookAfterCut(world), `cut ${cut}, seed ${SEED}`).toEqual({ lost: [], wrong: [] });
          }
          await settle(world, next.life);
          await judge(world);
        } finally {
          next.life.kill();
          rmSync(`${folder}.journal-${CUTS}`, { force: true });
        }
        expect(unsynced).toBeGreaterThan(0);
        console.log(
          `${CUTS} power cuts, seed ${SEED}: ${world.talk.acked.size} events acknowledged, ` +
            `${unsynced} unsynced changes, 0 lost`,
        );
      }),
    TIMEOUT_MS,
  );

  it(
    'loses acknowledged events where the store answers before its sync: the cuts are real',
    () =>
      inWorld(async (world, folder) => {
        const unsynced: World = { ...world, opening: { unsynced: true } };
        let lost: string[] = [];
        for (let cut = 0; cut < CONTROL_CUTS_MAX && lost.length === 0; cut++) {
          await new CutLife(folder, cut).liveUntilCut(unsynced, 'answered');
          lost = (await lookAfterCut(unsynced)).lost;
        }
        expect(lost).not.toEqual([]);
      }),
    TIMEOUT_MS,
  );
});
