// `earshot doctor --fix`: mends what can be mended without a host, after it has copied the files. Every rule of a row is its
// owner's (host/delivery/mend.ts, host/outbox/mend.ts), every rule of a column the store's (store/sqlite/repair.ts).
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../runtime/clock.ts';
import type { Finding } from './agent-findings.ts';
import { backupsDir, DamagedFile, readTokens, setTokensAside, storeFile } from './data-dir.ts';
import { CommandError } from './io.ts';
import { withStore } from './local-store.ts';

/** What was mended, a line each. Throws when a host uses the folder; then nothing was changed. */
export async function* fixData(dataDir: string): AsyncGenerator<Finding> {
  const file = storeFile(dataDir);
  if (!existsSync(file)) return;
  const [{ lockFile }, { repairColumns }] = await Promise.all([
    import('../store/sqlite/lock.ts'),
    import('../store/sqlite/repair.ts'),
  ]);
  const unlock = orStop(() => lockFile(file), ': stop it first');
  try {
    yield told(`the files as they were are in ${copyOf(dataDir)}`);
    if (tokensDamage(dataDir) !== undefined)
      yield told(
        `tokens.json was damaged and is now ${setTokensAside(dataDir)}; "earshot up" writes a new one`,
      );
    const rows = orStop(() => repairColumns(file));
    if (rows > 0) yield told(`columns that differed from their content, mended: ${rows}`);
  } finally {
    unlock();
  }
  const [deliveries, sends] = await mendRows(dataDir);
  if (deliveries > 0) yield told(`deliveries that nothing would have moved, due now: ${deliveries}`);
  if (sends > 0) yield told(`sends that nothing would have moved, due now: ${sends}`);
}

/** What is wrong with tokens.json, in words. */
export function tokensDamage(dataDir: string): string | undefined {
  try {
    readTokens(dataDir);
    return undefined;
  } catch (error) {
    if (error instanceof DamagedFile) return error.message;
    throw error;
  }
}

function told(said: string): Finding {
  return { what: 'fix', ok: true, said };
}

function orStop<R>(act: () => R, whatToDo = ''): R {
  try {
    return act();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(1, `doctor --fix: ${why}${whatToDo}`, { cause: error });
  }
}

/** Everything in the folder but earlier copies, the lock and the shared memory, which say nothing without their process. */
function copyOf(dataDir: string): string {
  const name = `before-fix-${new Date(systemClock.now()).toISOString().replaceAll(':', '-')}`;
  const target = join(backupsDir(dataDir), name);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    if (entry.isFile() && !/-(?:shm|lock)$/.test(entry.name))
      copyFileSync(join(dataDir, entry.name), join(target, entry.name));
  }
  return target;
}

async function mendRows(dataDir: string): Promise<[deliveries: number, sends: number]> {
  const [{ createApply }, { mendDeliveries }, { mendStuckSends }, { hostSettingsSchema }] = await Promise.all(
    [
      import('../host/kernel/change.ts'),
      import('../host/delivery/mend.ts'),
      import('../host/outbox/mend.ts'),
      import('../host/kernel/settings.ts'),
    ],
  );
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  return withStore({ dataDir, store: undefined }, false, async ({ store }) => {
    const context = { store, apply: createApply(store), log: silent, settings: hostSettingsSchema.parse({}) };
    return [await mendDeliveries(context), await mendStuckSends(context)];
  });
}
