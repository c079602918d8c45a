// A process that locks a state and is stopped before it commits. Whoever started it wakes it up.
import { writeSync } from 'node:fs';
import { systemClock } from '../../src/runtime/clock.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { codec, counting } from '../contract/store-rows.ts';

const [, , url = '', schema = ''] = process.argv;
const store = await openPostgresStore({ url, schema, codec, clock: systemClock, lockFirst: true });
const unit = counting('held');
let isFirst = true;
const count = await store.transact({
  ...unit,
  run(view) {
    if (isFirst) {
      isFirst = false;
      writeSync(1, 'stops\n');
      process.kill(process.pid, 'SIGSTOP');
    }
    return unit.run(view);
  },
});
writeSync(1, `counted ${count}\n`);
process.stdin.resume().once('end', () => void store.close());
