// What one host tells the others about deliveries that have ended, and what it does when it is told.
import { expect, it, vi } from 'vitest';
import type { Follower, Hint } from '../../store/nodes.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import type { HostNews } from '../kernel/change.ts';
import { type ElsewhereDeps, followOthers } from './elsewhere.ts';

const IN_HAND = Array.from({ length: 3_000 }, (_, at) => `d${at}`);

const delivery = (agent: string) => ({ key: 'd1', agent, why: null }) as unknown as DeliveryRow;

const get = (_: string, key: string) => Promise.resolve({ key, agent: 'here', open: 0 });

function setUp() {
  const hints: Hint[] = [];
  const ended: string[] = [];
  const looks = vi.fn();
  let follower: Follower | undefined;
  let listener: ((news: HostNews) => void) | undefined;
  const nodes = {
    id: 'this',
    count: () => 2,
    holds: () => false,
    look: looks,
    hint: (hint: Hint) => void hints.push(hint),
    announce: () => undefined,
    follow(given: Follower) {
      follower = given;
      return () => undefined;
    },
  };
  const context = {
    store: { nodes, get },
    bus: {
      listen(given: (news: HostNews) => void) {
        listener = given;
        return () => undefined;
      },
    },
  };
  const courier = {
    serves: (agent: string) => agent === 'here',
    served: () => ['here'],
    has: (_: string, key: string) => IN_HAND.includes(key),
    inHand: (most: number) => IN_HAND.slice(0, most),
    ended: ({ key }: DeliveryRow) => void ended.push(key),
  };
  const deps = { context, courier, pulling: () => [], surfaces: [] } as unknown as ElsewhereDeps;
  followOthers(deps);
  return {
    hints,
    ended,
    looks,
    follower: () => follower,
    publish: (news: HostNews) => listener?.(news),
  };
}

it('says which delivery of an agent elsewhere has ended', () => {
  const { hints, publish } = setUp();
  publish({ type: 'settled', delivery: delivery('there') });
  publish({ type: 'withdraw', delivery: delivery('there'), reason: 'deleted' });
  publish({ type: 'settled', delivery: delivery('here') });
  expect(hints).toEqual([
    { agent: 'there', ended: 'd1' },
    { agent: 'there', ended: 'd1' },
  ]);
});

it('reads the delivery that it is told of, and looks for nothing else', async () => {
  const { ended, looks, follower } = setUp();
  follower()?.hinted({ agent: 'here', ended: 'd2' });
  follower()?.hinted({ agent: 'here', ended: 'not in hand' });
  await vi.waitFor(() => expect(ended).toEqual(['d2']));
  expect(looks).not.toHaveBeenCalled();
  follower()?.hinted({ agent: 'here' });
  await vi.waitFor(() => expect(looks).toHaveBeenCalledTimes(1));
});

it('asks about a part of what is in hand once a second, and about none of it in between', () => {
  const { follower } = setUp();
  expect(follower()?.watch(true).deliveries).toHaveLength(1_000);
  expect(follower()?.watch(false).deliveries).toEqual([]);
});
