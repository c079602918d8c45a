// The sweeper closes the sessions of nodes that are gone. One that has just begun is not gone: nobody has heard of it yet.
import { expect, it } from 'vitest';
import type { HostContext } from '../../src/host/kernel/context.ts';
import { createDirectory } from '../../src/host/session/directory.ts';
import { aloneNode } from '../../src/store/nodes.ts';
import type { UnitView } from '../../src/store/store.ts';
import type { SessionRow } from '../../src/store/tables.ts';

const session: SessionRow = {
  key: 'lead',
  epoch: 1,
  openedAt: 0,
  closedAt: null,
  protocolVersion: '2026-06-02',
  node: 'b',
};

const view: UnitView = { now: 1, state: () => undefined, row: () => session as never };

function sweeper() {
  const closed: string[] = [];
  const alive = new Set<string>();
  const failing = { times: 0 };
  const apply: HostContext['apply'] = (unit) => {
    if (failing.times-- > 0) return Promise.reject(new Error('the database is away'));
    const outcome = unit.run(view);
    closed.push(...outcome.writes.flatMap((write) => ('row' in write ? [write.row.key] : [])));
    return Promise.resolve(outcome.result);
  };
  const nodes = { ...aloneNode(), id: 'a', isAlive: (node: string) => alive.has(node) };
  const store = { nodes } as unknown as HostContext['store'];
  return { directory: createDirectory({ store, apply }), closed, alive, failing };
}

it('leaves the session of a node that is heard of by the next time', async () => {
  const { directory, closed, alive } = sweeper();
  directory.note([session]);
  await directory.closeLost();
  alive.add('b');
  await directory.closeLost();
  await directory.closeLost();
  expect(closed).toEqual([]);
});

it('closes the session of a node that is not, also when that could not be stored at first', async () => {
  const { directory, closed, failing } = sweeper();
  directory.note([session]);
  await directory.closeLost();
  failing.times = 1;
  await expect(directory.closeLost()).rejects.toThrow('away');
  expect(closed).toEqual([]);
  await directory.closeLost();
  await directory.closeLost();
  expect(closed).toEqual(['lead']);
});
