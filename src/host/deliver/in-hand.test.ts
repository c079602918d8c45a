import { expect, it } from 'vitest';
import { createInHand, type InHand } from './in-hand.ts';

function connection(lane: string[], requests: string[]): InHand {
  return { lane: new Set(lane), requests: new Map(requests.map((key) => [key, `request of ${key}`])) };
}

it('asks about all at once where they are few, each once', () => {
  const next = createInHand(new Map([['lead', connection(['a', 'b'], ['b', 'c'])]]));
  expect(next(10)).toEqual(['a', 'b', 'c']);
  expect(next(10)).toEqual(['a', 'b', 'c']);
});

it('asks about many by turns, and begins again after the last', () => {
  const connections = new Map([
    ['lead', connection(['a', 'b'], ['c', 'd'])],
    ['builder', connection([], ['e'])],
  ]);
  const next = createInHand(connections);
  expect([next(2), next(2), next(2), next(2)]).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'a'],
    ['b', 'c'],
  ]);
});

it('goes on when what is in hand changes between two turns', () => {
  const requests = new Map(['a', 'b', 'c', 'd'].map((key) => [key, key]));
  const next = createInHand(new Map([['lead', { lane: new Set<string>(), requests }]]));
  expect(next(2)).toEqual(['a', 'b']);
  requests.delete('c');
  requests.set('e', 'e');
  expect(next(2)).toEqual(['d', 'e']);
  requests.clear();
  expect(next(2)).toEqual([]);
  requests.set('f', 'f');
  expect(next(2)).toEqual(['f']);
});
