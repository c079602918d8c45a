// Backends are terminated while stores write, as an operator or a failover does it.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seededRandom } from '../../src/runtime/random.ts';
import type { Store, Unit } from '../../src/store/store.ts';
import { logRow } from '../contract/store-rows.ts';
import { cases, SEED } from '../long.ts';
import { StoreSchema } from './store-schema.ts';

const TERMINATIONS = cases(12, 60);
const ROOMS = 5;

let schema: StoreSchema;
beforeEach(() => {
  schema = new StoreSchema();
});
afterEach(() => schema.dispose());

function saying(room: string): Unit<number> {
  return {
    states: [room],
    run(view) {
      const seq = ((view.state(room) as number | undefined) ?? 0) + 1;
      const row = logRow(`${room} ${seq}`, { conversation: room, seq });
      return {
        writes: [
          { state: room, value: seq },
          { table: 'log', row },
        ],
        result: seq,
      };
    },
  };
}

/** Says something in every room, again and again, and notes the answers. */
async function speak(store: Store, said: Map<string, number[]>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await Promise.all(
      [...said].map(async ([room, seqs]) => void seqs.push(await store.transact(saying(room)))),
    );
  }
}

it('stores whose backends are terminated lose nothing, store nothing twice, and go on', async () => {
  const random = seededRandom(SEED);
  const stores = [await schema.open(), await schema.open()];
  const rooms = Array.from({ length: ROOMS }, (_, index) => `room ${index}`);
  const said = new Map(rooms.map((room) => [room, [] as number[]]));
  const operator = await schema.client();
  let left = TERMINATIONS;
  const speaking = stores.map((store) => speak(store, said, () => left === 0));
  while (left > 0) {
    const backends = await schema.backends(operator);
    const victim = backends[Math.floor(random.next() * backends.length)];
    if (victim === undefined) continue;
    await operator.query('SELECT pg_terminate_backend($1)', [victim]);
    left--;
    // The next one goes only once somebody was answered again.
    const before = said.get('room 0')?.length ?? 0;
    await expect.poll(() => said.get('room 0')?.length ?? 0).toBeGreaterThan(before);
  }
  await Promise.all(speaking);
  for (const [room, seqs] of said) {
    const all = seqs.map((_, index) => index + 1);
    expect(seqs.toSorted((a, b) => a - b)).toEqual(all);
    const rows = await stores[0]?.scan('log', 'byConversation', { eq: [room], limit: 100_000 });
    expect(rows?.map(({ seq }) => seq)).toEqual(all);
  }
  expect(await stores[0]?.check()).toEqual([]);
});
