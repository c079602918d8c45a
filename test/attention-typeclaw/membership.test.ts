// The human count behind the solo-human rule: speakers of seven days, reconciled with the platform's member list.
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../attention/room.ts';
import { solo, toldTo } from './rooms.ts';

/** Engaged means: at most one human is counted. */
const alone = 'engage';
const company = 'observe';

describe('effective humans', () => {
  it.each([
    ['6 days ago', 6 * DAY, company],
    ['just under 7 days ago', 7 * DAY - 10 * SECOND, company],
    ['over 7 days ago', 7 * DAY + MINUTE, alone],
  ])(
    'are without a read those who spoke in 7 days: another %s [TC/membership/speakers-baseline]',
    (_when, after, expected) => {
      const r = solo();
      r.say('ben', 'bye');
      expect(toldTo(r.say('ann', 'hi', { after }))).toBe(expected);
    },
  );

  it('count lurkers of a fresh complete read [TC/membership/fresh-complete-sees-lurkers]', () => {
    const r = solo();
    expect(toldTo(r.say('ann', 'hi'))).toBe(alone);
    r.members({ humans: 2 });
    expect(toldTo(r.say('ann', 'hi'))).toBe(company);
  });

  it('leave out leavers after a fresh complete read [TC/membership/fresh-complete-prunes]', () => {
    const r = solo();
    r.say('ben', 'bye');
    expect(toldTo(r.say('ann', 'hi'))).toBe(company);
    r.members({ humans: 1 });
    expect(toldTo(r.say('ann', 'hi'))).toBe(alone);
  });

  it.each([
    [59_999, alone],
    [60_000, company],
  ])(
    'take a complete read of %i ms ago for fresh: %s [TC/membership/fresh-for-60-seconds]',
    (ageMs, expected) => {
      const r = solo();
      r.say('ben', 'bye');
      r.say('ann', 'hi');
      r.members({ humans: 1, ageMs });
      expect(toldTo(r.say('ann', 'hi'))).toBe(expected);
    },
  );

  it.each([
    ['fewer than spoke', 1, true, company],
    ['more than spoke', 5, false, company],
    ['as few as spoke', 1, false, alone],
  ])(
    'only rise by a truncated read of %s [TC/membership/truncated-only-raises]',
    (_what, humans, benSpoke, expected) => {
      const r = solo();
      if (benSpoke) r.say('ben', 'bye');
      r.say('ann', 'hi');
      r.members({ humans, complete: false });
      expect(toldTo(r.say('ann', 'hi'))).toBe(expected);
    },
  );

  it.each([
    ['fewer than spoke', 1, true, company],
    ['more than spoke', 5, false, company],
    ['as few as spoke', 1, false, alone],
  ])(
    'only rise by a stale read of %s [TC/membership/stale-only-raises]',
    (_what, humans, benSpoke, expected) => {
      const r = solo();
      if (benSpoke) r.say('ben', 'bye');
      r.say('ann', 'hi');
      r.members({ humans, ageMs: 5 * MINUTE });
      expect(toldTo(r.say('ann', 'hi'))).toBe(expected);
    },
  );
});
