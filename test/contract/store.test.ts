import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { storeContract } from './store-contract.ts';
import { codec } from './store-rows.ts';

storeContract('memory', async (clock) => {
  let store = openMemoryStore({ clock, codec });
  return {
    store,
    async reopen() {
      store = openMemoryStore({ clock, codec, image: store.crash() });
      return store;
    },
    dispose: () => store.close(),
  };
});

storeContract('sqlite', async (clock) => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-store-'));
  const file = join(folder, 'store.db');
  let store = await openSqliteStore({ file, clock, codec });
  return {
    store,
    async reopen() {
      await store.close();
      store = await openSqliteStore({ file, clock, codec });
      return store;
    },
    async dispose() {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
});
