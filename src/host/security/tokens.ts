// Tokens of agents, surfaces, operators and people of the web chat: shown once when issued, kept as SHA-256 only, scoped,
// revocable. A token is 256 random bits, so its hash needs no salt, and looking it up by hash leaks no timing.
// Authenticating is cached: a revocation made here holds at once, one made on another node within CACHE_MS.
import assert from 'node:assert/strict';
import { hash, timingSafeEqual } from 'node:crypto';
import type { TokenRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { type Identity, isScope, type Scope, scopeProblem, SCOPES_OF, type TokenKind } from './scopes.ts';

export interface NewToken {
  kind: TokenKind;
  /** The agent's id, the surface's name, the operator's or the person's. */
  subject: string;
  /** Every scope its kind usually has, when left out. */
  scopes?: readonly Scope[];
  /** A person's is the name others see. */
  label: string;
}
export type Authenticated =
  | { ok: true; identity: Identity }
  | { ok: false; why: 'malformed' | 'unknown' | 'revoked' };
export type Revoked =
  | { ok: true; row: TokenRow }
  | { ok: false; why: 'too_short' | 'unknown' | 'ambiguous' | 'already_revoked'; message: string };

export interface Tokens {
  /** Ask `scopeProblem` first where scopes come from a person: a wrong one is a bug here. */
  issue(wanted: NewToken): Promise<{ token: string; row: TokenRow }>;
  authenticate(token: string): Promise<Authenticated>;
  /** By the first characters of the key that `list` shows. */
  revoke(keyPrefix: string): Promise<Revoked>;
  list(): Promise<readonly TokenRow[]>;
  /** Whether any token is valid: a host without one listens on loopback only. */
  exist(): Promise<boolean>;
  /** Told after a token was made or revoked here. Gives back how to stop listening. */
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
const PAGE = 500;

export type TokenDeps = Pick<HostContext, 'store' | 'apply' | 'clock' | 'random'>;

export function createTokens(deps: TokenDeps): Tokens {
  const { store, apply, clock, random } = deps;
  const cache = new Map<string, { identity: Identity; until: number }>();
  // Counts revocations: what was read before one must not be cached after it.
  let revocations = 0;
  const listeners = new Set<(row: TokenRow) => void>();

  const remember = (identity: Identity): void => {
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

  return {
    async issue({ kind, subject, scopes = SCOPES_OF[kind].usual, label }) {
      assert.equal(scopeProblem(kind, scopes), undefined);
      const token = `ear_${LETTER[kind]}_${random.secret(32).slice(0, SECRET_CHARS)}`;
      const key = keyOf(token);
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
      const key = keyOf(token);
      const cached = cache.get(key);
      if (cached !== undefined && clock.now() < cached.until) return { ok: true, identity: cached.identity };
      cache.delete(key);
      const before = revocations;
      const row = await store.get('token', key);
      if (row === undefined || !sameKey(row.key, key)) return { ok: false, why: 'unknown' };
      if (row.revokedAt !== null) return { ok: false, why: 'revoked' };
      const identity = identityOf(row);
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
      revocations++;
      cache.delete(key);
      for (const listener of listeners) listener(row);
      return { ok: true, row };
    },

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

function keyOf(token: string): string {
  return hash('sha256', token, 'hex');
}

function sameKey(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A scope this version does not know is not granted. */
function identityOf({ kind, subject, scopes, key }: TokenRow): Identity {
  return { kind, subject, scopes: scopes.filter(isScope), key };
}
