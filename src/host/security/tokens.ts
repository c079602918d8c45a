// The tokens of agents, surfaces, operators and web-chat people. This file owns the token rows. A token is shown once,
// when it is issued; the store keeps only its SHA-256. A token is 256 random bits, so the hash needs no salt, and a
// lookup by hash leaks no timing. Authentication is cached: a revocation here takes effect at once, one by another host of
// the store once this host has read of it (kernel/changes.ts), and within TOKEN_LIMITS.cacheMs in any case.
import assert from 'node:assert/strict';
import { hash, timingSafeEqual } from 'node:crypto';
import type { UnitView, Write } from '../../store/store.ts';
import type { TokenRow } from '../../store/tables.ts';
import type { Change } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { type Leak, leakOf } from './refused-token.ts';
import {
  type TokenIdentity,
  isScope,
  type Scope,
  scopeProblem,
  SCOPES_OF,
  type TokenKind,
} from './scopes.ts';

export interface NewToken {
  kind: TokenKind;
  /** The agent's or person's id, or the surface's or operator's name. */
  subject: string;
  /** Without it the token gets the usual scopes of its kind. */
  scopes?: readonly Scope[];
  /** A note for operators. On a person's token it is the name that others see. */
  label: string;
  /** The label is made up and may be asked for. */
  unnamed?: true;
}
export type Authenticated =
  | { ok: true; identity: TokenIdentity }
  /** `leak`: it was revoked because somebody wrote it in chat. */
  | { ok: false; why: 'malformed' | 'unknown' | 'revoked'; leak?: Leak };
export type Revoked =
  | { ok: true; row: TokenRow }
  | { ok: false; why: 'too_short' | 'unknown' | 'ambiguous' | 'already_revoked'; message: string };

/** What is written in the same unit, such as an audit row. */
export type Also = (now: number) => readonly Write[];

export interface Tokens {
  /** Throws on a wrong scope. Where a person chose the scopes, check them with `scopeProblem` first. */
  issue(wanted: NewToken, also?: Also): Promise<{ token: string; row: TokenRow }>;
  /** Gives every valid token of a person another label, which is the name that others see. */
  rename(person: Pick<NewToken, 'subject' | 'label' | 'unnamed'>, also?: Also): Promise<void>;
  authenticate(token: string): Promise<Authenticated>;
  /** Revokes the token whose key, as `list` shows it, starts with `keyPrefix`. */
  revoke(keyPrefix: string): Promise<Revoked>;
  list(): Promise<readonly TokenRow[]>;
  /** A token was revoked in another unit: it counts no more from now on, and the listeners hear of it. */
  noteRevoked(row: TokenRow): void;
  /** True when at least one token is valid. A host without a token listens on loopback only. */
  exist(): Promise<boolean>;
  /** Calls the listener after a token was issued, renamed or revoked, here or by another host. Returns a function that stops this. */
  listen(listener: (row: TokenRow) => void): () => void;
}

export const TOKEN_LIMITS = { cached: 2_000, cacheMs: 30_000, prefixChars: 8, labelChars: 128 } as const;

const LETTER: Readonly<Record<TokenKind, string>> = {
  agent: 'a',
  surface: 's',
  operator: 'o',
  person: 'p',
};
const SECRET_CHARS = 43;
const SHAPE = /^ear_[asop]_[\w-]{43}$/;
/** A token somewhere in a text, and how long one is. */
export const TOKEN_IN_TEXT = /ear_[asop]_[\w-]{43}/g;
export const TOKEN_CHARS: number = 'ear_x_'.length + SECRET_CHARS;
const PAGE = 500;

export type TokenDeps = Pick<HostContext, 'store' | 'apply' | 'clock' | 'random'> &
  Partial<Pick<HostContext, 'changes'>>;

export function createTokens(deps: TokenDeps): Tokens {
  const { store, apply, clock, random, changes } = deps;
  const names = changes?.names ?? [];
  const told = (view: UnitView, keys: readonly string[]): Write[] => changes?.tell(view, 'token', keys) ?? [];
  const cache = new Map<string, { identity: TokenIdentity; until: number }>();
  // Counts revocations. A row read before a revocation must not be cached after it.
  let revocations = 0;
  const listeners = new Set<(row: TokenRow) => void>();

  const remember = (identity: TokenIdentity): void => {
    if (cache.size >= TOKEN_LIMITS.cached) cache.delete(cache.keys().next().value ?? '');
    cache.set(identity.key, { identity, until: clock.now() + TOKEN_LIMITS.cacheMs });
  };
  const list = async (): Promise<TokenRow[]> => {
    const rows: TokenRow[] = [];
    let after = 0;
    for (let more = true; more; ) {
      const page = await store.scan('token', 'all', { after, limit: PAGE });
      for (const { position, ...row } of page) {
        rows.push(row);
        after = position;
      }
      more = page.length === PAGE;
    }
    return rows;
  };

  const noteRevoked = (row: TokenRow): void => {
    revocations++;
    cache.delete(row.key);
    for (const listener of listeners) listener(row);
  };

  // One that another host has issued, renamed or revoked.
  changes?.follow('token', async (key) => {
    if (key === undefined) {
      revocations++;
      cache.clear();
      for (const row of await list()) for (const listener of listeners) listener(row);
      return;
    }
    const row = await store.get('token', key);
    if (row === undefined) return;
    if (row.revokedAt !== null) return noteRevoked(row);
    for (const listener of listeners) listener(row);
  });

  return {
    async issue({ kind, subject, scopes = SCOPES_OF[kind].usual, label, unnamed }, also = nothing) {
      assert.equal(scopeProblem(kind, scopes), undefined);
      const token = `ear_${LETTER[kind]}_${random.secret(32).slice(0, SECRET_CHARS)}`;
      const key = tokenKey(token);
      const row: TokenRow = {
        key,
        kind,
        subject,
        scopes: [...scopes],
        label: label.slice(0, TOKEN_LIMITS.labelChars),
        createdAt: clock.now(),
        revokedAt: null,
        ...(unnamed === true ? { unnamed } : {}),
      };
      await apply({
        states: names,
        run: (view) => ({
          writes: [{ table: 'token', row }, ...also(view.now), ...told(view, [key])],
          news: [],
          result: undefined,
        }),
      });
      for (const listener of listeners) listener(row);
      return { token, row };
    },

    async rename(person, also = nothing) {
      const valid = (await list()).filter(
        (row) => row.kind === 'person' && row.subject === person.subject && row.revokedAt === null,
      );
      const renamed = await apply({
        states: names,
        rows: valid.map(({ key }) => ['token', key] as const),
        run(view) {
          const rows = valid.map((row) => relabelled(view.row('token', row.key) ?? row, person));
          const writes = rows.map((row): Write => ({ table: 'token', row }));
          writes.push(...also(view.now), ...told(view, keysOf(rows)));
          return { writes, news: [], result: rows };
        },
      });
      for (const row of renamed) for (const listener of listeners) listener(row);
    },

    async authenticate(token) {
      if (!SHAPE.test(token)) return { ok: false, why: 'malformed' };
      const key = tokenKey(token);
      const cached = cache.get(key);
      if (cached !== undefined && clock.now() < cached.until) return { ok: true, identity: cached.identity };
      cache.delete(key);
      const before = revocations;
      const row = await store.get('token', key);
      if (row === undefined || !sameKey(row.key, key)) return { ok: false, why: 'unknown' };
      if (row.revokedAt !== null) {
        const leak = leakOf(row);
        return { ok: false, why: 'revoked', ...(leak !== undefined && { leak }) };
      }
      const identity = tokenIdentity(row);
      if (before === revocations) remember(identity);
      return { ok: true, identity };
    },

    async revoke(keyPrefix) {
      const found = findByPrefix(await list(), keyPrefix);
      if (!found.ok) return found;
      const { key } = found.row;
      const row = await apply({
        states: names,
        rows: [['token', key]],
        run: (view) => {
          const now = { ...(view.row('token', key) ?? found.row), revokedAt: view.now };
          return { writes: [{ table: 'token', row: now }, ...told(view, [key])], news: [], result: now };
        },
      });
      noteRevoked(row);
      return { ok: true, row };
    },
    noteRevoked,

    list,
    exist: async () => (await list()).some((row) => row.revokedAt === null),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const nothing: Also = () => [];

function keysOf(rows: readonly TokenRow[]): string[] {
  return rows.map(({ key }) => key);
}

function relabelled(before: TokenRow, { label, unnamed }: Pick<NewToken, 'label' | 'unnamed'>): TokenRow {
  const { unnamed: _, ...row } = before;
  const named = { ...row, label: label.slice(0, TOKEN_LIMITS.labelChars) };
  return unnamed === true ? { ...named, unnamed } : named;
}

function findByPrefix(rows: readonly TokenRow[], prefix: string): Revoked {
  if (prefix.length < TOKEN_LIMITS.prefixChars) {
    const message = `Give at least the first ${TOKEN_LIMITS.prefixChars} characters of the key, as "earshot token list" shows it.`;
    return { ok: false, why: 'too_short', message };
  }
  const [row, second] = rows.filter(({ key }) => key.startsWith(prefix.toLowerCase()));
  if (row === undefined) {
    const message = 'No token has a key that starts so. "earshot token list" shows them all.';
    return { ok: false, why: 'unknown', message };
  }
  if (second !== undefined) {
    return {
      ok: false,
      why: 'ambiguous',
      message: 'Several keys start so. Give more characters of the one.',
    };
  }
  if (row.revokedAt !== null) {
    return {
      ok: false,
      why: 'already_revoked',
      message: 'This token is revoked already; nothing is left to do.',
    };
  }
  return { ok: true, row };
}

/** Revokes what of these is valid, because it was written in chat. `room`: where, unless that is private. */
export function revokeLeaked(
  view: Pick<UnitView, 'now' | 'row'>,
  keys: readonly string[],
  room: string | undefined,
): Change & { revoked: TokenRow[] } {
  const where = room === undefined ? {} : { leakedIn: room };
  const revoked = keys.flatMap((key): TokenRow[] => {
    const row = view.row('token', key);
    return row === undefined || row.revokedAt !== null
      ? []
      : [{ ...row, revokedAt: view.now, leaked: true, ...where }];
  });
  return {
    writes: revoked.map((row) => ({ table: 'token', row })),
    news: revoked.map((row) => ({ type: 'token_revoked', row })),
    revoked,
  };
}

export function tokenKey(token: string): string {
  return hash('sha256', token, 'hex');
}

function sameKey(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Drops scopes that this version does not know. */
function tokenIdentity({ kind, subject, scopes, key }: TokenRow): TokenIdentity {
  return { kind, subject, scopes: scopes.filter(isScope), key };
}

/** Only retention removes a token, and only one that was revoked. */
export function removeToken(key: string): Write {
  return { table: 'token', remove: key };
}
