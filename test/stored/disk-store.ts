// The world's store on a real SQLite file. Everything it has under way is tracked, because here time really passes
// between asking and having: the world would go on too soon.
import type { StateCodec, Store } from '../../src/store/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { MemoryStore } from '../../src/store/memory/open.ts';
import type { StorePorts } from '../host/world.ts';

export async function openDiskStore(
  file: string,
  codec: StateCodec,
  { clock, schedule, track }: StorePorts,
): Promise<MemoryStore> {
  const store = await openSqliteStore({ file, clock, schedule, codec });
  const tracked: Store = {
    clock: store.clock,
    nodes: store.nodes,
    transact: (unit) => track(store.transact(unit)),
    get: (table, key) => track(store.get(table, key)),
    scan: (table, index, range) => track(store.scan(table, index, range)),
    state: (key) => track(store.state(key)),
    dueStates: (until, limit) => track(store.dueStates(until, limit)),
    stateKeys: (prefix, after, limit) => track(store.stateKeys(prefix, after, limit)),
    search: (words, limit) => track(store.search(words, limit)),
    horizon: () => track(store.horizon()),
    log: {
      find: (filter, range) => track(store.log.find(filter, range)),
      extent: (conversation, before) => track(store.log.extent(conversation, before)),
      seek: (place) => track(store.log.seek(place)),
      tally: (query) => track(store.log.tally(query)),
    },
    ready: () => store.ready(),
    stats: () => track(store.stats()),
    check: () => track(store.check()),
    backup: (to) => track(store.backup(to)),
    close: () => track(store.close()),
  };
  return { ...tracked, crash };
}

function crash(): never {
  throw new Error('a file is not crashed from inside: close it and open it again');
}
