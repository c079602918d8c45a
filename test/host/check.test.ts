// Doctor's checks of stored rows: a sound store has no finding, and each damage by hand is named with its row.
import { expect, it } from 'vitest';
import { createHostStateCodec } from '../../src/host/attend/rebuild-state.ts';
import { checkDecisions } from '../../src/host/check/check-decisions.ts';
import { checkRows } from '../../src/host/check/check-rows.ts';
import type { MemoryImage } from '../../src/store/memory/disk.ts';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import type { TableName } from '../../src/store/tables.ts';
import { type World, world } from './world.ts';

async function scene(): Promise<World> {
  const w = await world({ settings: { sensitive: [{ reason: 'money', words: ['refund'] }] } });
  const lead = await w.harness('lead');
  const first = await w.say('@lead is it out?');
  await lead.reply(first, 'Yes, since this morning.', { idempotencyKey: 'k1' });
  const second = await w.say('@lead and the invoice?');
  await lead.reply(second, 'I refund it.', { idempotencyKey: 'k2' });
  await w.advance(0);
  return w;
}

/** The image with one row changed. */
function damaged(
  table: TableName,
  key: (key: string) => boolean,
  change: Record<string, unknown>,
): (image: MemoryImage) => MemoryImage {
  return (image) => {
    const rows = (image.tables[table] ?? []).map(([name, row]) =>
      key(name)
        ? ([
            name,
            { ...row, doc: JSON.stringify({ ...(JSON.parse(row.doc) as object), ...change }) },
          ] as const)
        : ([name, row] as const),
    );
    return { ...image, tables: { ...image.tables, [table]: rows } };
  };
}

const DAMAGES: readonly [string, ReturnType<typeof damaged>, RegExp][] = [
  [
    'a delivery that ended without a disposition',
    damaged('delivery', (key) => key.startsWith('e1:'), { disposition: null }),
    /delivery e1:agent_lead has ended without saying how/,
  ],
  [
    'a delivery that was replaced by one that is lost',
    damaged('delivery', (key) => key.startsWith('e1:'), { detail: { replacedBy: 'e1/retry-2:agent_lead' } }),
    /delivery e1:agent_lead was replaced by a delivery that is not there/,
  ],
  [
    'a send that is visible and not in the log',
    damaged('outbox', (key) => key === 'lead:k1', { eventId: 'out_nothing' }),
    /send lead:k1 is visible and not in the log/,
  ],
  [
    'a send that is under way and never looked at again',
    damaged('outbox', (key) => key === 'lead:k2', { state: 'sending', dueAt: null }),
    /send lead:k2 is sending and is never looked at again/,
  ],
  [
    'an approval that nobody is asked for',
    damaged('inbox', (key) => key.startsWith('approval:'), { open: 0, closedAt: 1 }),
    /send lead:k2 waits for agreement and nobody is asked/,
  ],
  [
    'a decision that the record does not give',
    damaged('log', (key) => key === 'e1', { decisions: [] }),
    /what was decided about e1 is not what its record gives/,
  ],
];

/** The store alone, as doctor reads it: a host that starts mends some of this by itself. */
async function findings(w: World, change: (image: MemoryImage) => MemoryImage): Promise<string[]> {
  const { attention } = w.host.context;
  const image = change(w.store.crash());
  const store = openMemoryStore({ clock: w.clock, codec: createHostStateCodec(attention), image });
  const decided = { attention, configVersion: 'test' };
  return [...(await checkRows(store)), ...(await checkDecisions(store, ['c/web/w/C1'], decided))];
}

it('a sound store has no finding', async () => {
  expect(await findings(await scene(), (image) => image)).toEqual([]);
});

it('a delivery that was replaced by one that retention has removed is no damage', async () => {
  const gone = { detail: { replacedBy: 'e0:agent_lead' } };
  expect(
    await findings(
      await scene(),
      damaged('delivery', (key) => key.startsWith('e1:'), gone),
    ),
  ).toEqual([]);
});

it.each(DAMAGES)('names %s', async (_, damage, expected) => {
  expect((await findings(await scene(), damage)).join('\n')).toMatch(expected);
});
