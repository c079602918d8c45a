// Lives of a host that end in a power cut. Each starts on what the cut before has left.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkRows } from '../../src/host/check/check-rows.ts';
import { hostStateCodec } from '../../src/host/kernel/conversation.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { Life } from '../crash/lives.ts';
import { HOST, liveAndDie, type Moment, type World, wholeLog } from '../crash/world.ts';
import { cutPower, diskOf } from './power-cut.ts';

/** The library to preload. Undefined where it cannot be made; then the reason is printed. */
export const powerJournal = compiled();

function compiled(): string | undefined {
  const library = join(mkdtempSync(join(tmpdir(), 'earshot-power-')), 'power-journal.so');
  const source = join(import.meta.dirname, 'power-journal.c');
  try {
    if (process.platform !== 'linux') throw new Error('only Linux preloads it');
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-lpthread'], {
      stdio: 'pipe',
    });
    return library;
  } catch (error) {
    process.stderr.write(`tests with power cuts are skipped: ${String(error).split('\n')[0]}\n`);
    return undefined;
  }
}

export function powerFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'earshot-cut-')));
}

/** A host that loads already, and whose changes to the folder will be written down. */
export class CutLife {
  readonly life: Life;
  readonly #folder: string;
  readonly #journal: string;

  constructor(folder: string, nth: number) {
    this.#folder = folder;
    this.#journal = `${folder}.journal-${nth}`;
    this.life = new Life(HOST, {
      LD_PRELOAD: powerJournal ?? '',
      EARSHOT_POWER_FOLDER: folder,
      EARSHOT_POWER_JOURNAL: this.#journal,
    });
  }

  /** Returns how many changes were not synced when the power went. */
  async liveUntilCut(world: World, moment: Moment): Promise<number> {
    const before = diskOf(this.#folder);
    await liveAndDie(world, this.life, moment).finally(() => this.life.kill());
    const unsynced = cutPower(this.#folder, this.#journal, before, world.random);
    rmSync(this.#journal);
    return unsynced;
  }
}

/** What is wrong with a copy of the folder: acknowledged events that are not there, and rows that do not fit. */
export async function lookAfterCut({ talk, file }: World): Promise<{ lost: string[]; wrong: string[] }> {
  const copy = `${dirname(file)}.copy`;
  cpSync(dirname(file), copy, { recursive: true });
  const store = await openSqliteStore({
    file: join(copy, 'host.db'),
    clock: systemClock,
    codec: hostStateCodec,
  });
  try {
    const seqOf = new Map((await wholeLog(store)).map((row) => [row.key, row.seq]));
    const lost = [...talk.acked].filter(([eventId, seq]) => seqOf.get(eventId) !== seq).map(([id]) => id);
    return { lost, wrong: [...(await store.check()), ...(await checkRows(store))] };
  } finally {
    await store.close();
    rmSync(copy, { recursive: true });
  }
}
