// What every store promises about states whose stored text cannot be read: they are rebuilt from the rows, or whoever
// names them hears why not.
import { expect, it } from 'vitest';
import type { Write } from '../../src/store/store.ts';
import type { Current } from './store-contract.ts';
import { counting, logRow, put } from './store-rows.ts';

/** Log rows of one conversation, from this seq up to that. */
function room(from: number, to: number): Write[] {
  return Array.from({ length: to - from }, (_, n) => ({
    table: 'log',
    row: logRow(`m${from + n}`, { conversation: 'room', seq: from + n }),
  }));
}

export function unreadableContract({ store, reopen, lines }: Current): void {
  it('are rebuilt from the rows, in order, however many, and the operator is told once', async () => {
    await put(store(), ...room(1, 601), { table: 'log', row: logRow('x', { conversation: 'other' }) });
    await put(store(), ...room(601, 1_201), { state: 'of/room', value: 'fine', wakeAt: 7 });
    const again = await reopen({ 'of/room': 'damaged a little' });
    const seqs = Array.from({ length: 1_200 }, (_, n) => n + 1);
    expect(await again.state('of/room')).toEqual({ text: 'damaged a little', seqs, all: 1_201, one: 1 });
    expect(await again.state('of/room')).toMatchObject({ seqs });
    expect(lines).toEqual([
      'state of/room cannot be read: it is damaged; it was rebuilt from what else is stored',
    ]);
    expect(await again.dueStates(10, 10)).toEqual([{ key: 'of/room', wakeAt: 7 }]);
  });

  it('are seen rebuilt by the units that name them, and sound again once written', async () => {
    await put(store(), ...room(1, 3), { state: 'of/room', value: 'fine' });
    const again = await reopen({ 'of/room': 'damaged' });
    expect(await again.check()).toEqual(['state of/room cannot be read: it is damaged']);
    const seen = await again.transact({
      states: ['of/room'],
      run: (view) => ({
        writes: [{ table: 'log', row: logRow('m3', { conversation: 'room', seq: 3 }) }],
        result: view.state('of/room'),
      }),
    });
    expect(seen).toMatchObject({ seqs: [1, 2] });
    await put(again, { state: 'of/room', value: 'written' });
    expect(await again.check()).toEqual([]);
    expect(await again.state('of/room')).toBe('written');
  });

  it('that cannot be rebuilt fail who names them and nobody else', async () => {
    await put(store(), { state: 'lost', value: 1 }, { state: 'other', value: 2 });
    const again = await reopen({ lost: 'damaged', other: 'of a newer version' });
    await expect(again.state('lost')).rejects.toThrow('nothing is left of it');
    await expect(again.transact(counting('lost'))).rejects.toMatchObject({ kind: 'unit' });
    // Not damaged, only not understood: never rebuilt over.
    await expect(again.state('other')).rejects.toThrow('other is not a state');
    expect(await again.transact(counting('n'))).toBe(1);
    expect(lines).toEqual([]);
  });
}
