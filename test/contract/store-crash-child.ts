// Writes until it is killed: each unit's id goes to stdout only after its promise has resolved. Small limits would be
// cheating; it writes as the host does, many units at once, with a state, a log row and now and then a removal.
import { flushCompileCache } from 'node:module';
import { systemClock } from '../../src/runtime/clock.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Unit } from '../../src/store/store.ts';
import { codec, deliveryRow, logRow } from './store-rows.ts';

const [, , file = '', life = '0'] = process.argv;
const WRITERS = 20;
// It never ends by itself: the next life finds what this one has compiled.
flushCompileCache();
const store = await openSqliteStore({ file, clock: systemClock, codec });

function ingest(writer: number, n: number): Unit<string> {
  const key = `${life}-${writer}-${n}`;
  const conversation = `room${writer}`;
  return {
    states: [conversation],
    rows: [['log', key]],
    run(view) {
      const seq = ((view.state(conversation) as number | undefined) ?? 0) + 1;
      return {
        result: key,
        writes: [
          { table: 'log', row: logRow(key, { conversation, seq }) },
          { table: 'delivery', row: deliveryRow(key, { conversation, dueAt: n }) },
          { state: conversation, value: seq, wakeAt: n },
        ],
      };
    },
  };
}

async function write(writer: number): Promise<void> {
  for (let n = 0; ; n++) process.stdout.write(`${await store.transact(ingest(writer, n))}\n`);
}

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
