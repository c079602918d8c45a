// Memory and SQLite side by side. PostgreSQL joins them in test/postgres/store-model.test.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { it } from 'vitest';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { cases } from '../long.ts';
import { check, commandLists, everything } from './store-model.ts';
import { codec } from './store-rows.ts';

const RUNS = cases(15, 60);
const COMMANDS_MAX = 60;

it('memory and SQLite answer alike, whatever is asked of them', async () => {
  const run = fc.asyncProperty(commandLists(COMMANDS_MAX), async (commands) => {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-model-'));
    const options = { clock: new VirtualClock(1_000), codec };
    const openSqlite = () => openSqliteStore({ ...options, file: join(folder, 'store.db') });
    let memory = openMemoryStore(options);
    let sqlite = await openSqlite();
    const stores = {
      get memory() {
        return memory;
      },
      get others() {
        return [sqlite];
      },
      async reopen() {
        await sqlite.close();
        sqlite = await openSqlite();
        memory = openMemoryStore({ ...options, image: memory.crash() });
      },
    };
    try {
      for (const each of [...commands, everything, check]) {
        options.clock.advance(1);
        await each(stores);
      }
    } finally {
      await sqlite.close();
      rmSync(folder, { recursive: true });
    }
  });
  await fc.assert(run, { numRuns: RUNS });
});
