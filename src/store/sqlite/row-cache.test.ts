import { describe, expect, it } from 'vitest';
import type { AnyRow, Changes, RowChange } from '../batch.ts';
import { RowCache } from './row-cache.ts';

const MANY = 5_000;

function change(key: string, state: string, more: Partial<RowChange> = {}): RowChange {
  const row = { key, state } as AnyRow;
  const seen = { stored: null, assumedNew: false, position: 0, reinserted: false, unitIndex: 0 };
  return { table: 'delivery', key, row, ...seen, ...more };
}

function keep(cache: RowCache, ...rows: RowChange[]): void {
  const changes: Changes = {
    rows,
    states: [],
    lastPosition: 0,
    now: 0,
    onlyRead: () => ({ states: [], rows: [] }),
  };
  cache.keep(changes);
}

const stateOf = (cache: RowCache, key: string): string | undefined =>
  (cache.get('delivery', key) as { state: string } | undefined)?.state;

describe('the cache of rows', () => {
  it('keeps a new row while two thousand others come, and its place when it is changed', () => {
    const cache = new RowCache();
    const accepted = { stored: { key: 'a' } as AnyRow, position: 0 };
    keep(cache, change('a', 'queued', { position: 7 }));
    for (let nth = 0; nth < 2_000; nth++) keep(cache, change(`other-${nth}`, 'queued', { position: nth }));
    expect(stateOf(cache, 'a')).toBe('queued');
    keep(cache, change('a', 'accepted', accepted));
    expect([stateOf(cache, 'a'), cache.positionOf('delivery', 'a')]).toEqual(['accepted', 7]);
  });

  it('never gives a row as it was before its last change', () => {
    const cache = new RowCache();
    const rewritten = { stored: { key: 'x' } as AnyRow };
    keep(cache, change('a', 'queued', { position: 1 }), change('a', 'accepted', rewritten));
    for (let nth = 0; nth < MANY; nth++) keep(cache, change(`other-${nth}`, 'accepted', rewritten));
    expect(stateOf(cache, 'a')).toBeUndefined();
    expect(cache.positionOf('delivery', 'a')).toBe(1);
    keep(cache, change('a', 'settled', rewritten));
    expect([stateOf(cache, 'a'), cache.positionOf('delivery', 'a')]).toEqual(['settled', 1]);
  });

  it('forgets a removed row and its place', () => {
    const cache = new RowCache();
    keep(cache, change('a', 'queued', { position: 1 }), change('a', '', { row: undefined }));
    expect([stateOf(cache, 'a'), cache.positionOf('delivery', 'a')]).toEqual([undefined, 0]);
    keep(
      cache,
      change('a', 'queued', { position: 2 }),
      change('a', 'held', { position: 3, reinserted: true }),
    );
    expect([stateOf(cache, 'a'), cache.positionOf('delivery', 'a')]).toEqual(['held', 3]);
  });

  it('knows no place of a row that was written over another without a look', () => {
    const cache = new RowCache();
    keep(cache, change('a', 'queued', { stored: undefined, position: 9 }));
    expect([stateOf(cache, 'a'), cache.positionOf('delivery', 'a')]).toEqual(['queued', 0]);
  });

  it('forgets the oldest', () => {
    const cache = new RowCache();
    for (let nth = 0; nth < MANY; nth++) keep(cache, change(`row-${nth}`, 'queued', { position: nth + 1 }));
    expect(stateOf(cache, 'row-0')).toBeUndefined();
    expect(stateOf(cache, `row-${MANY - 1}`)).toBe('queued');
  });
});
