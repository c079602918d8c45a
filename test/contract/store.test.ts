import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { storeContract } from './store-contract.ts';
import { codec } from './store-rows.ts';

storeContract('memory', async (clock, log) => {
  let store = openMemoryStore({ clock, codec, log });
  return {
    store,
    async reopen(changed = {}) {
      const image = store.crash();
      const states = image.states.map(
        ([key, state]) => [key, { ...state, text: changed[key] ?? state.text }] as const,
      );
      store = openMemoryStore({ clock, codec, log, image: { ...image, states } });
      return store;
    },
    dispose: () => store.close(),
  };
});

storeContract('sqlite', async (clock, log) => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-store-'));
  const file = join(folder, 'store.db');
  let store = await openSqliteStore({ file, clock, codec, log });
  return {
    store,
    async reopen(changed = {}) {
      await store.close();
      const db = new DatabaseSync(file);
      const change = db.prepare('UPDATE state SET text = ? WHERE key = ?');
      for (const [key, text] of Object.entries(changed)) change.run(text, key);
      db.close();
      store = await openSqliteStore({ file, clock, codec, log });
      return store;
    },
    async dispose() {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
});
