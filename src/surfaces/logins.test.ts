import { expect, it } from 'vitest';
import { VirtualClock } from '../runtime/clock.ts';
import { isOwnLogin, loginOf, pathOfLogin, Roll } from './logins.ts';
import type { SurfaceAccount, SurfaceHealth } from './surface.ts';

const LEAD = { agents: ['lead'] };
const PAIR = { agents: ['builder', 'tester'] };
const SHARED = {};
const FIX = 'Make a new token.';

const identity = (id: string, workspaceId = 'T1') => ({ id, workspaceId, name: id.toLowerCase() });

/** A roll of logins, with everything that the host was told of them. */
function roll(logins: readonly { agents?: readonly string[] }[], memory = new Map<string, string>()) {
  const told = { accounts: [] as (readonly SurfaceAccount[])[], health: [] as SurfaceHealth[] };
  const clock = new VirtualClock(0);
  const host = {
    accounts: (all: readonly SurfaceAccount[]) => void told.accounts.push(all),
    health: (state: SurfaceHealth) => void told.health.push(state),
    memory: {
      get: (key: string) => Promise.resolve(memory.get(key)),
      set: (key: string, value: string) => Promise.resolve(void memory.set(key, value)),
    },
  };
  return { made: new Roll({ clock, host }, logins), told, clock, memory };
}

it('an agent speaks through its own login, else the shared one, else the first', () => {
  expect(loginOf([PAIR, SHARED, LEAD], 'lead')).toBe(LEAD);
  expect(loginOf([LEAD, SHARED], 'reviewer')).toBe(SHARED);
  expect(loginOf([LEAD, PAIR], 'reviewer')).toBe(LEAD);
  expect([LEAD, PAIR].map((login) => isOwnLogin(login, login.agents[0] ?? ''))).toEqual([true, false]);
});

it('one login alone keeps its path, and so does the shared one', () => {
  expect(pathOfLogin('events', LEAD, [LEAD])).toBe('events');
  expect([LEAD, PAIR, SHARED].map((login) => pathOfLogin('events', login, [LEAD, PAIR, SHARED]))).toEqual([
    'events/lead',
    'events/builder',
    'events',
  ]);
});

it('nobody listens before every login has tried, or has taken too long', async () => {
  const first = roll([LEAD, PAIR]);
  first.made.begin();
  first.made.tried(LEAD);
  expect(first.made.isIntroduced).toBe(false);
  first.made.tried(PAIR);
  expect(first.made.isIntroduced).toBe(true);
  const second = roll([LEAD, PAIR]);
  second.made.begin();
  second.clock.advance(5_000);
  await second.made.introduced;
});

it('the host is told all logins at every call, also those that are only remembered', async () => {
  const first = roll([LEAD, PAIR]);
  await first.made.learn(LEAD, identity('U1'));
  await first.made.learn(PAIR, identity('U2'));
  const both = [
    { id: 'U1', agents: ['lead'], speaksForOthers: true },
    { id: 'U2', agents: ['builder', 'tester'] },
  ];
  expect(first.told.accounts).toMatchObject([[both[0]], both]);
  const again = roll([LEAD, PAIR], first.memory);
  await again.made.load();
  again.made.begin();
  expect(again.told.accounts).toMatchObject([both]);
  expect(again.made.isIntroduced).toBe(true);
  expect(again.made.others(LEAD)).toEqual([identity('U2')]);
});

it('with a shared login nobody else speaks for others', async () => {
  const { made, told } = roll([LEAD, SHARED]);
  await made.learn(LEAD, identity('U1'));
  await made.learn(SHARED, identity('U2'));
  expect(told.accounts.at(-1)).toEqual([
    { ...identity('U1'), agents: ['lead'] },
    { ...identity('U2'), agents: '*' },
  ]);
});

it('two logins are of one workspace, and two accounts', async () => {
  const { made } = roll([LEAD, PAIR]);
  await made.learn(LEAD, identity('U1'));
  expect(made.problem(PAIR, identity('U2'))).toBeUndefined();
  expect(made.problem(PAIR, identity('U1'))).toMatch(/same account as the login of lead/);
  expect(made.problem(PAIR, identity('U2', 'T2'))).toMatch(/another workspace \(T2\) than the login of lead/);
  expect(made.problem(LEAD, identity('U1'))).toBeUndefined();
});

it('the surface is as its logins are together', () => {
  const { made, told } = roll([LEAD, PAIR]);
  const now = (): SurfaceHealth | undefined => told.health.at(-1);
  made.note(LEAD, { state: 'up' });
  expect(now()).toEqual({ state: 'up' });
  made.note(PAIR, { state: 'down', error: 'revoked', fix: FIX });
  const missing = [`login builder: neither hears nor speaks: revoked. ${FIX}`];
  expect(now()).toEqual({ state: 'limited', missing });
  expect([made.isOut(LEAD), made.isOut(PAIR)]).toEqual([false, true]);
  made.note(LEAD, { state: 'retrying', error: 'no network', nextAt: 7 });
  expect(now()).toEqual({ state: 'retrying', error: 'no network', nextAt: 7 });
  made.note(LEAD, { state: 'down', error: 'missing', fix: FIX });
  expect(now()).toEqual({ state: 'down', error: 'lead: missing; builder: revoked', fix: FIX });
  made.note(PAIR, { state: 'limited', missing: ['files:read: cannot read files'] });
  expect(now()).toMatchObject({ state: 'limited', missing: [{}, {}].map(() => expect.any(String)) });
});
