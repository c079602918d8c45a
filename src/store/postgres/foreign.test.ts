import { expect, it } from 'vitest';
import { Foreign } from './foreign.ts';

function setUp({ alone = false } = {}) {
  let now = 0;
  const foreign = new Foreign(
    () => now,
    () => alone,
  );
  return {
    foreign,
    after: (ms: number) => {
      now += ms;
    },
  };
}

it('a known state that has changed is foreign for a while', () => {
  const { foreign, after } = setUp({ alone: true });
  foreign.arrived('a', 7, true);
  expect([foreign.hasAny(['b', 'a']), foreign.hasAny(['b'])]).toEqual([true, false]);
  after(5_000);
  expect(foreign.hasAny(['a'])).toBe(false);
});

it('so is one that this node did not know, and that was written lately', () => {
  const { foreign, after } = setUp();
  foreign.arrived('before anything was written here', 5, false);
  foreign.wrote(10);
  after(6_000);
  foreign.wrote(20);
  foreign.arrived('old', 9, false);
  foreign.arrived('new', 15, false);
  after(6_000);
  foreign.wrote(30);
  foreign.arrived('old by now', 15, false);
  foreign.arrived('newer', 25, false);
  expect(foreign.hasAny(['before anything was written here', 'old', 'old by now'])).toBe(false);
  expect(foreign.hasAny(['newer'])).toBe(true);
});

it('a node that is alone finds only its own', () => {
  const { foreign } = setUp({ alone: true });
  foreign.wrote(10);
  foreign.arrived('forgotten', 15, false);
  expect(foreign.hasAny(['forgotten'])).toBe(false);
});
