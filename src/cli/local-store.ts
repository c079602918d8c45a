// Opens the store directly, for commands that work without a running host. A running host holds the file alone; a
// database is shared. The store and the host's code are loaded only when a command opens it: the other commands start
// faster without them.
import { existsSync } from 'node:fs';
import type { Pairing } from '../host/security/pairing.ts';
import type { Tokens } from '../host/security/tokens.ts';
import { systemClock } from '../runtime/clock.ts';
import { systemRandom } from '../runtime/random.ts';
import type { Store } from '../store/store.ts';
import { makeDataDir, storeFile } from './data-dir.ts';
import type { StorePlace } from './host-config.ts';
import { CommandError } from './io.ts';
import type { StoreAddress } from './store-address.ts';

export interface LocalStore {
  store: Store;
  tokens: Tokens;
  pairing: Pairing;
}

/** `create` makes the folder, so that a token can be made before the first start. */
export async function withStore<R>(
  place: StorePlace,
  create: boolean,
  use: (local: LocalStore) => Promise<R>,
): Promise<R> {
  const store = place.store === undefined ? await openFile(place.dataDir, create) : await open(place.store);
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

async function openFile(dataDir: string, create: boolean): Promise<Store> {
  const file = storeFile(dataDir);
  if (create) makeDataDir(dataDir);
  else if (!existsSync(file)) {
    throw new CommandError(
      1,
      `there is no data in ${dataDir} yet: start a host with "earshot up", or name another folder with --data DIR`,
    );
  }
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

/** Whoever types a command does not wait long for a database that is not there. */
const PATIENCE_MS = 3_000;

async function open(address: StoreAddress): Promise<Store> {
  const [{ openDatabase }, { hostStateCodec }] = await Promise.all([
    import('./open-store.ts'),
    import('../host/kernel/conversation.ts'),
  ]);
  return openDatabase(address, { codec: hostStateCodec, patienceMs: PATIENCE_MS });
}
