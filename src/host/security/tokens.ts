// The tokens of agents, surfaces, operators and web-chat people. This file owns the token rows. A token is shown once,
// when it is issued; the store keeps only its SHA-256. A token is 256 random bits, so the hash needs no salt, and a
// lookup by hash leaks no timing. Authentication is cached: a revocation on this node takes effect at once, one on
// another node within TOKEN_LIMITS.cacheMs.
import assert from 'node:assert/strict';
import { hash, timingSafeEqual } from 'node:crypto';
import type { UnitView } from '../../store/store.ts';
import type { TokenRow } from '../../store/tables.ts';
import type { Change } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
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
}
export type Authenticated =
  | { ok: true; identity: TokenIdentity }
  | { ok: false; why: 'malformed' | 'unknown' | 'revoked' };
export type Revoked =
  | { ok: true; row: TokenRow }
  | { ok: false; why: 'too_short' | 'unknown' | 'ambiguous' | 'already_revoked'; message: string };

export interface Tokens {
  /** Throws on a wrong scope. Where a person chose the scopes, check them with `scopeProblem` first. */
  issue(wanted: NewToken): Promise<{ token: string; row: TokenRow }>;
  authenticate(token: string): Promise<Authenticated>;
  /** Revokes the token whose key, as `list` shows it, starts with `keyPrefix`. */
  revoke(keyPrefix: string): Promise<Revoked>;
  list(): Promise<readonly TokenRow[]>;
  /** A token was revoked in another unit: it counts no more from now on, and the listeners hear of it. */
  noteRevoked(row: TokenRow): void;
  /** True when at least one token is valid. A host without a token listens on loopback only. */
  exist(): Promise<boolean>;
  /** Calls the listener after a token was issued or revoked here. Returns a function that stops this. */
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

export type TokenDeps = Pick<HostContext, 'store' | 'apply' | 'clock' | 'random'>;

export function createTokens(deps: TokenDeps): Tokens {
  const { store, apply, clock, random } = deps;
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

  return {
    async issue({ kind, subject, scopes = SCOPES_OF[kind].usual, label }) {
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
      };
      await apply({
        states: [],
        run: () => ({ writes: [{ table: 'token', row }], news: [], result: undefined }),
      });
      for (const listener of listeners) listener(row);
      return { token, row };
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
      if (row.revokedAt !== null) return { ok: false, why: 'revoked' };
      const identity = tokenIdentity(row);
      if (before === revocations) remember(identity);
      return { ok: true, identity };
    },

    async revoke(keyPrefix) {
      const found = findByPrefix(await list(), keyPrefix);
      if (!found.ok) return found;
      const { key } = found.row;
      const row = await apply({
        states: [],
        rows: [['token', key]],
        run: (view) => {
          const now = { ...(view.row('token', key) ?? found.row), revokedAt: view.now };
          return { writes: [{ table: 'token', row: now }], news: [], result: now };
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

/** Revokes what of these is valid, because it was written in chat. */
export function revokeLeaked(
  view: Pick<UnitView, 'now' | 'row'>,
  keys: readonly string[],
): Change & { revoked: TokenRow[] } {
  const revoked = keys.flatMap((key): TokenRow[] => {
    const row = view.row('token', key);
    return row === undefined || row.revokedAt !== null ? [] : [{ ...row, revokedAt: view.now, leaked: true }];
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
