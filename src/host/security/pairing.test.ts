import { createApply } from '../kernel/change.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../runtime/clock.ts';
import { seededRandom, systemRandom } from '../../runtime/random.ts';
import { openMemoryStore } from '../../store/memory/open.ts';
import type { Store } from '../../store/store.ts';
import { createPairing, PAIRING_LIMITS, type Pairing, pairingKey, type Redeemed } from './pairing.ts';
import { findSecrets } from './redact.ts';

const codec = {
  encode: (_key: string, value: unknown) => JSON.stringify(value),
  decode: (_key: string, text: string): unknown => JSON.parse(text),
};
const ANA = 'slack/T1/U1';
const BEN = 'slack/T1/U2';

let clock: VirtualClock;
let store: Store;
let pairing: Pairing;

beforeEach(() => {
  clock = new VirtualClock(1_000_000);
  store = openMemoryStore({ clock, codec });
  pairing = createPairing({ store, apply: createApply(store), clock, random: seededRandom(3) });
});

const redeemed = (code: string, account: string): Promise<Redeemed> => pairing.redeem(code, account);

describe('a code', () => {
  it('is easy to read aloud, differs each time, and is redacted wherever it appears', async () => {
    const real = createPairing({ store, apply: createApply(store), clock, random: systemRandom });
    const codes = await Promise.all(Array.from({ length: 200 }, () => real.issue({ role: 'owner' })));
    for (const { code } of codes) {
      expect(code).toMatch(/^claim-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/);
      expect(findSecrets(`use ${code} now`)).toEqual([[4, 4 + code.length]]);
    }
    expect(new Set(codes.map(({ code }) => code)).size).toBe(200);
  });
  it('is kept as a hash only', async () => {
    const { code, row } = await pairing.issue({ role: 'owner' });
    expect(JSON.stringify(row)).not.toContain(code.slice(6, 10));
    expect(await store.get('pairing', pairingKey(code))).toEqual(row);
  });
  it('grants its role, once, however it was typed', async () => {
    const { code } = await pairing.issue({ role: 'owner' });
    expect(await redeemed(` ${code.toLowerCase()}\n`, ANA)).toEqual({
      ok: true,
      role: 'owner',
      roles: ['owner'],
    });
    expect(await redeemed(code, BEN)).toMatchObject({ ok: false, why: 'used' });
    expect(await store.get('grant', BEN)).toBeUndefined();
  });
  it('has one winner when two redeem it at once', async () => {
    const { code } = await pairing.issue({ role: 'owner' });
    const both = await Promise.all([redeemed(code, ANA), redeemed(code, BEN)]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  });
  it('adds to the roles an account has', async () => {
    await redeemed((await pairing.issue({ role: 'owner' })).code, ANA);
    expect(await redeemed((await pairing.issue({ role: 'ops' })).code, ANA)).toMatchObject({
      roles: ['owner', 'ops'],
    });
    expect(await redeemed((await pairing.issue({ role: 'ops' })).code, ANA)).toMatchObject({
      roles: ['owner', 'ops'],
    });
  });
  it('answers a retry by the same account as the first time, unless the role was taken away', async () => {
    const { code } = await pairing.issue({ role: 'owner' });
    const first = await redeemed(code, ANA);
    expect(await redeemed(code, ANA)).toEqual(first);
    await createApply(store)({
      states: [],
      run: () => ({ writes: [{ table: 'grant', remove: ANA }], news: [], result: 0 }),
    });
    expect(await redeemed(code, ANA)).toMatchObject({ ok: false, why: 'used' });
  });
  it('expires after ten minutes by default, after a day at most', async () => {
    const { code } = await pairing.issue({ role: 'owner' });
    const long = await pairing.issue({ role: 'owner', ttlMs: Number.MAX_SAFE_INTEGER });
    expect(long.row.expiresAt - clock.now()).toBe(PAIRING_LIMITS.maxTtlMs);
    clock.advance(PAIRING_LIMITS.ttlMs);
    expect(await redeemed(code, ANA)).toMatchObject({ ok: false, why: 'expired' });
    expect(await pairing.purge()).toBe(1);
    expect(await redeemed(code, ANA)).toMatchObject({ ok: false, why: 'unknown' });
    expect(await redeemed(long.code, ANA)).toMatchObject({ ok: true });
  });
});

describe('guessing', () => {
  it('is told the same whatever is wrong', async () => {
    const { code } = await pairing.issue({ role: 'owner' });
    await redeemed(code, ANA);
    const used = await redeemed(code, BEN);
    const unknown = await redeemed('claim-2222-2222', BEN);
    expect(used).toMatchObject({ why: 'used' });
    expect({ ...used, why: '' }).toEqual({ ...unknown, why: '' });
  });
  it('is limited per account, and says when to try again', async () => {
    const tries = await Promise.all(Array.from({ length: 6 }, () => pairing.mayTry(ANA)));
    expect(tries.map(({ ok }) => ok)).toEqual([true, true, true, true, true, false]);
    expect(tries.at(-1)).toEqual({ ok: false, retryAfterMs: 120_000 });
    expect(await pairing.mayTry(BEN)).toEqual({ ok: true });
    clock.advance(120_000);
    expect(await pairing.mayTry(ANA)).toEqual({ ok: true });
  });
  it('is limited for all hosts of a store together, until the tries are free again', async () => {
    const other = createPairing({ store, apply: createApply(store), clock, random: seededRandom(4) });
    for (let n = 0; n < 5; n++) expect((await (n % 2 === 0 ? pairing : other).mayTry(ANA)).ok).toBe(true);
    expect((await pairing.mayTry(ANA)).ok).toBe(false);
    expect((await other.mayTry(ANA)).ok).toBe(false);
    await other.purge();
    expect((await other.mayTry(ANA)).ok).toBe(false);
    clock.advance(10 * 60_000);
    await other.purge();
    expect(await store.stateKeys('tries/', '', 10)).toEqual([]);
  });
});
