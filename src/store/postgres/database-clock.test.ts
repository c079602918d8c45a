// The database's time is known within what an answer takes, whatever this machine's clock says.
import { expect, it } from 'vitest';
import { VirtualClock } from '../../runtime/clock.ts';
import { databaseClock } from './database-clock.ts';

it('follows the database, and keeps within the bounds of every answer', () => {
  const own = new VirtualClock(1_000);
  const clock = databaseClock(own);
  expect(clock.now()).toBe(1_000);
  const ask = (theirs: () => number): void => {
    const sentAt = clock.elapsed();
    own.advance(4);
    const said = theirs();
    own.advance(6);
    clock.learn(said, sentAt);
  };
  const theirs = (): number => own.elapsed() + 500_000;
  ask(theirs);
  expect(Math.abs(clock.now() - theirs())).toBeLessThanOrEqual(10);
  // Somebody sets the clock of this machine: the database's is not touched.
  own.jump(-60_000);
  expect(Math.abs(clock.now() - theirs())).toBeLessThanOrEqual(10);
  // The database moves to a machine whose clock is behind.
  ask(() => theirs() - 30_000);
  expect(Math.abs(clock.now() - (theirs() - 30_000))).toBeLessThanOrEqual(10);
});
