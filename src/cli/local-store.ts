// Opens the store directly, for commands that work without a running host. A running host holds the file alone. SQLite
// and the host's code are loaded only when a command opens the store: the other commands start faster without them.
import { existsSync } from 'node:fs';
import type { Pairing } from '../host/security/pairing.ts';
import type { Tokens } from '../host/security/tokens.ts';
import { systemClock } from '../runtime/clock.ts';
import { systemRandom } from '../runtime/random.ts';
import type { Store } from '../store/store.ts';
import { makeDataDir, storeFile } from './data-dir.ts';
import { CommandError } from './io.ts';

export interface LocalStore {
  store: Store;
  tokens: Tokens;
  pairing: Pairing;
}

/** `create` makes the folder, so that a token can be made before the first start. */
export async function withStore<R>(
  dataDir: string,
  create: boolean,
  use: (local: LocalStore) => Promise<R>,
): Promise<R> {
  const file = storeFile(dataDir);
  if (create) makeDataDir(dataDir);
  else if (!existsSync(file)) {
    throw new CommandError(
      1,
      `there is no data in ${dataDir} yet: start a host with "earshot up", or name another folder with --data DIR`,
    );
  }
  const store = await open(file);
  try {
    const [{ createApply }, { createTokens }, { createPairing }] = await Promise.all([
      import('../host/kernel/change.ts'),
      import('../host/security/tokens.ts'),
      import('../host/security/pairing.ts'),
    ]);
    const ports = { store, apply: createApply(store), clock: systemClock, random: systemRandom };
    return await use({ store, tokens: createTokens(ports), pairing: createPairing(ports) });
  } finally {
    await store.close();
  }
}

async function open(file: string): Promise<Store> {
  const [{ openSqliteStore }, { hostStateCodec }] = await Promise.all([
    import('../store/sqlite/open.ts'),
    import('../host/kernel/conversation.ts'),
  ]);
  try {
    return await openSqliteStore({ file, clock: systemClock, codec: hostStateCodec });
  } catch (error) {
    throw new CommandError(1, error instanceof Error ? error.message : String(error), { cause: error });
  }
}
