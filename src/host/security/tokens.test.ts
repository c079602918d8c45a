import { createApply } from '../kernel/change.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../runtime/clock.ts';
import { seededRandom, systemRandom } from '../../runtime/random.ts';
import { openMemoryStore } from '../../store/memory/open.ts';
import type { Store } from '../../store/store.ts';
import { allows, SCOPES_OF, scopeProblem } from './scopes.ts';
import { createTokens, TOKEN_LIMITS, type Tokens } from './tokens.ts';

const codec = {
  encode: (_key: string, value: unknown) => JSON.stringify(value),
  decode: (_key: string, text: string): unknown => JSON.parse(text),
};

let clock: VirtualClock;
let store: Store;
let tokens: Tokens;
let reads: number;
/** Every read of a row waits for this promise. */
let held: Promise<unknown>;

beforeEach(() => {
  clock = new VirtualClock(1_000);
  const memory = openMemoryStore({ clock, codec });
  reads = 0;
  held = Promise.resolve();
  store = new Proxy(memory, {
    get(target, name) {
      if (name === 'get') return countedGet;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const countedGet: Store['get'] = async (table, key) => {
    reads++;
    const row = await memory.get(table, key);
    await held;
    return row;
  };
  tokens = createTokens({ store, apply: createApply(store), clock, random: seededRandom(7) });
});

const lead = { kind: 'agent', subject: 'lead', label: 'laptop' } as const;

describe('issue', () => {
  it.each([
    ['agent', /^ear_a_[\w-]{43}$/],
    ['surface', /^ear_s_[\w-]{43}$/],
    ['operator', /^ear_o_[\w-]{43}$/],
  ] as const)('gives a %s token of its own shape', async (kind, shape) => {
    expect((await tokens.issue({ kind, subject: 'x', label: '' })).token).toMatch(shape);
    const real = createTokens({ store, apply: createApply(store), clock, random: systemRandom });
    expect((await real.issue({ kind, subject: 'x', label: '' })).token).toMatch(shape);
  });
  it('keeps no part of the token', async () => {
    const { token } = await tokens.issue(lead);
    expect(JSON.stringify(await tokens.list())).not.toContain(token.slice(6, 14));
  });
  it('gives the usual scopes of its kind unless told otherwise', async () => {
    expect((await tokens.issue(lead)).row.scopes).toEqual(['agent:connect']);
    const reader = await tokens.issue({
      kind: 'operator',
      subject: 'ana',
      scopes: ['operator:read'],
      label: '',
    });
    expect(reader.row.scopes).toEqual(['operator:read']);
  });
  it('takes a scope its kind cannot have for a bug', async () => {
    await expect(tokens.issue({ ...lead, scopes: ['operator:write'] })).rejects.toThrow(/agent:connect/);
  });
});

describe('authenticate', () => {
  it('knows who it is', async () => {
    const { token, row } = await tokens.issue(lead);
    expect(await tokens.authenticate(token)).toEqual({
      ok: true,
      identity: { kind: 'agent', subject: 'lead', scopes: ['agent:connect'], key: row.key },
    });
  });
  it.each([
    '',
    'ear_a_',
    'ear_x_' + 'a'.repeat(43),
    'ear_a_' + 'a'.repeat(44),
    'Bearer x',
    'ear_a_' + 'é'.repeat(43),
  ])('refuses %j as malformed without asking the store', async (token) => {
    expect(await tokens.authenticate(token)).toEqual({ ok: false, why: 'malformed' });
    expect(reads).toBe(0);
  });
  it('refuses one that was never issued', async () => {
    const { token } = await tokens.issue(lead);
    const other = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a');
    expect(await tokens.authenticate(other)).toEqual({ ok: false, why: 'unknown' });
  });
  it('asks the store once per half minute', async () => {
    const { token } = await tokens.issue(lead);
    for (let i = 0; i < 5; i++) await tokens.authenticate(token);
    expect(reads).toBe(1);
    clock.advance(TOKEN_LIMITS.cacheMs);
    await tokens.authenticate(token);
    expect(reads).toBe(2);
  });
  it('grants no scope that this version does not know', async () => {
    const { token, row } = await tokens.issue(lead);
    const stored = { ...row, scopes: ['agent:connect', 'world:rule'] };
    await createApply(store)({
      states: [],
      run: () => ({ writes: [{ table: 'token', row: stored }], news: [], result: 0 }),
    });
    expect(await tokens.authenticate(token)).toMatchObject({ identity: { scopes: ['agent:connect'] } });
  });
});

describe('revoke', () => {
  it('holds at once, cached or not', async () => {
    const { token, row } = await tokens.issue(lead);
    await tokens.authenticate(token);
    expect(await tokens.revoke(row.key.slice(0, 10).toUpperCase())).toMatchObject({ ok: true });
    expect(await tokens.authenticate(token)).toEqual({ ok: false, why: 'revoked' });
  });
  it('holds after an authentication that was under way', async () => {
    const { token, row } = await tokens.issue(lead);
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const early = tokens.authenticate(token);
    await tokens.revoke(row.key);
    resolve();
    expect(await early).toMatchObject({ ok: true });
    expect(await tokens.authenticate(token)).toEqual({ ok: false, why: 'revoked' });
  });
  it('made on another node holds once the cache has run out', async () => {
    const { token, row } = await tokens.issue(lead);
    await tokens.authenticate(token);
    await createTokens({ store, apply: createApply(store), clock, random: seededRandom(1) }).revoke(row.key);
    clock.advance(TOKEN_LIMITS.cacheMs);
    expect(await tokens.authenticate(token)).toEqual({ ok: false, why: 'revoked' });
  });
  it('refuses what names no one token, and says what to do', async () => {
    const { row } = await tokens.issue(lead);
    expect(await tokens.revoke('abc')).toMatchObject({
      why: 'too_short',
      message: expect.stringContaining('8'),
    });
    expect(await tokens.revoke('zzzzzzzzzz')).toMatchObject({ why: 'unknown' });
    await tokens.revoke(row.key);
    expect(await tokens.revoke(row.key)).toMatchObject({ why: 'already_revoked' });
  });
});

it('says whether any token is valid, over more than one page', async () => {
  expect(await tokens.exist()).toBe(false);
  const issued = await Promise.all(
    Array.from({ length: 501 }, (_, i) => tokens.issue({ ...lead, label: `n${i}` })),
  );
  expect(await tokens.list()).toHaveLength(501);
  expect(await tokens.exist()).toBe(true);
  expect(new Set(issued.map(({ token }) => token)).size).toBe(501);
});

describe('scopes', () => {
  const base = { key: 'k', subject: 'slack' };
  it('allow what they name, for their own subject', () => {
    const surface = { ...base, kind: 'surface', scopes: SCOPES_OF.surface.usual } as const;
    expect(allows(surface, 'events:write', 'slack')).toBe(true);
    expect(allows(surface, 'events:write', 'discord')).toBe(false);
    expect(allows(surface, 'operator:read')).toBe(false);
  });
  it('of an operator hold for every subject, but imply nothing', () => {
    const operator = { ...base, kind: 'operator', scopes: ['operator:write', 'events:write'] } as const;
    expect(allows(operator, 'events:write', 'discord')).toBe(true);
    expect(allows(operator, 'operator:read')).toBe(false);
  });
  it('that do not fit are explained', () => {
    expect(scopeProblem('agent', ['agent:connect'])).toBeUndefined();
    expect(scopeProblem('agent', [])).toMatch(/no scope was given.*agent:connect/);
    expect(scopeProblem('surface', ['nonsense'])).toMatch(/"nonsense".*events:write, outbox:read/);
  });
});
