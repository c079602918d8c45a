// Four at a time: memory, SQLite, one store on PostgreSQL, and two stores on one database with the commands dealt to them at
// random. Random commands, every answer compared. Stores stay open from list to list. In PostgreSQL the data goes behind
// their backs, so that what they remember is then all wrong; SQLite has no other writer, so there it goes through the store.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, it } from 'vitest';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { SqliteParts } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { check, type Command, commandLists, emptied, everything } from '../contract/store-model.ts';
import { codec } from '../contract/store-rows.ts';
import { cases } from '../long.ts';
import { StoreSchema } from './store-schema.ts';

const RUNS = cases(200, 2_000);
const COMMANDS_MAX = 40;
/** Only ends what hangs: 2,000 lists take minutes. */
const TIMEOUT_MS = cases(10, 60) * 60_000;
/** A state that another store wrote is locked first for five seconds, so both ways of writing are drawn. */
const STEP_MS = 700;

const clock = new VirtualClock(1_000);
const options = { clock, codec };

/** Two stores of one schema, one that guesses and one that locks. Each list has the one or the other, or both by turns. */
class Two {
  readonly schema = new StoreSchema();
  readonly #stores: Store[] = [];

  async open(): Promise<this> {
    for (const lockFirst of [false, true]) this.#stores.push(await this.#open(lockFirst));
    return this;
  }

  at(which: boolean): Store {
    const store = this.#stores[Number(which)];
    if (store === undefined) throw new Error('there are two');
    return store;
  }

  async reopen(which: boolean): Promise<void> {
    await this.at(which).close();
    this.#stores[Number(which)] = await this.#open(which);
  }

  #open(lockFirst: boolean): Promise<Store> {
    return this.schema.open({ ...options, lockFirst, ownTime: true });
  }
}

/** As on the server here: nothing cuts the power, and a busy disk would take longer than all the rest. */
const withoutSync = (parts: SqliteParts): SqliteParts => ({
  ...parts,
  wal: { sync: () => Promise.resolve(), close: () => parts.wal.close() },
});

const [alone, together] = [new Two(), new Two()];
afterAll(() => Promise.all([alone.schema.dispose(), together.schema.dispose()]));

const final = (commands: readonly Command[]): Command[] => [...commands, everything, check];

it(
  'memory, SQLite, PostgreSQL, and two stores on one database answer alike, whatever is asked of them',
  async () => {
    await Promise.all([alone.open(), together.open()]);
    const file = join(mkdtempSync(join(tmpdir(), 'earshot-model-')), 'store.db');
    const openSqlite = () => openSqliteStore({ ...options, file, wrap: withoutSync });
    let sqlite = await openSqlite();
    const lists = commandLists(COMMANDS_MAX);
    const deals = fc.infiniteStream(fc.boolean());
    const run = fc.asyncProperty(lists, fc.boolean(), deals, async (commands, lockFirst, dealt) => {
      await Promise.all([alone.schema.empty(), together.schema.empty(), sqlite.transact(emptied)]);
      let memory = openMemoryStore(options);
      for (const each of final(commands)) {
        clock.advance(STEP_MS);
        const which = dealt.next().value;
        const reopen = async () => {
          await Promise.all([sqlite.close(), alone.reopen(lockFirst), together.reopen(which)]);
          sqlite = await openSqlite();
          memory = openMemoryStore({ ...options, image: memory.crash() });
        };
        await each({ memory, others: [sqlite, alone.at(lockFirst), together.at(which)], reopen });
      }
    });
    try {
      await fc.assert(run, { numRuns: RUNS });
    } finally {
      await sqlite.close();
    }
  },
  TIMEOUT_MS,
);
