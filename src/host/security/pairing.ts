// Pairing: an operator makes a code, its first sender in chat is granted a role. Codes are hashed at
// rest, expire, work once. `redeem` is pure, so that ingest runs it inside the unit that logs the message: either both
// happened or neither. Guessing is limited per account, and hopeless: 31^8 codes against 5 tries per 10 minutes.
import { hash } from 'node:crypto';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import type { RowRef, Store, UnitOutcome } from '../../store/store.ts';
import type { GrantRow, PairingRow } from '../../store/tables.ts';
import { createRateLimiter, type Taken } from './rate-limit.ts';

export const PAIRING_LIMITS = {
  ttlMs: 10 * 60_000,
  maxTtlMs: 24 * 3_600_000,
  /** Tries per account: so many at once, then one per two minutes. */
  tries: { burst: 5, perMinute: 0.5, maxKeys: 10_000 },
} as const;

export type Redeemed =
  | { ok: true; role: string; roles: readonly string[] }
  | { ok: false; why: 'unknown' | 'expired' | 'used'; message: string };

export interface Pairing {
  issue(wanted: { role: string; ttlMs?: number }): Promise<{ code: string; row: PairingRow }>;
  /** Ask before `redeem`, for every message that has the shape of a code. */
  mayTry(account: string): Taken;
  /** Forgets codes that are expired or used. */
  purge(): Promise<number>;
}

export function createPairing(deps: { store: Store; clock: Clock; random: Random }): Pairing {
  const { store, clock, random } = deps;
  const tries = createRateLimiter(PAIRING_LIMITS.tries, clock);
  return {
    async issue({ role, ttlMs = PAIRING_LIMITS.ttlMs }) {
      const code = newCode(random);
      const lifeMs = Math.min(Math.max(ttlMs, 1), PAIRING_LIMITS.maxTtlMs);
      const row = await store.transact({
        states: [],
        run: ({ now }) => {
          const made: PairingRow = { key: pairingKey(code), role, expiresAt: now + lifeMs, usedBy: null };
          return { writes: [{ table: 'pairing', row: made }], result: made };
        },
      });
      return { code, row };
    },
    mayTry: (account) => tries.take(account),
    async purge() {
      const rows = await store.scan('pairing', 'all', { limit: 1_000 });
      const gone = rows.filter((row) => row.usedBy !== null || row.expiresAt <= clock.now());
      if (gone.length === 0) return 0;
      return store.transact({
        states: [],
        run: () => ({
          writes: gone.map(({ key }) => ({ table: 'pairing', remove: key })),
          result: gone.length,
        }),
      });
    },
  };
}

/** What `redeem` has to be given: load these beside the unit's states. */
export function pairingRows(code: string, account: string): readonly RowRef[] {
  return [
    ['pairing', pairingKey(code)],
    ['grant', account],
  ];
}

export interface RedeemInput {
  pairing: PairingRow | undefined;
  grant: GrantRow | undefined;
  /** `platform/workspace/id`. */
  account: string;
  now: number;
}

/** A retry by the same account, after a commit whose outcome was unknown, gets the first answer again. */
export function redeem({ pairing, grant, account, now }: RedeemInput): UnitOutcome<Redeemed> {
  if (pairing === undefined) return refused('unknown');
  const { role, usedBy } = pairing;
  const had = grant?.roles ?? [];
  if (usedBy !== null) {
    const again = usedBy === account && had.includes(role);
    return again ? { writes: [], result: { ok: true, role, roles: had } } : refused('used');
  }
  if (now >= pairing.expiresAt) return refused('expired');
  const roles = had.includes(role) ? had : [...had, role];
  return {
    writes: [
      { table: 'pairing', row: { ...pairing, usedBy: account } },
      { table: 'grant', row: { key: account, roles } },
    ],
    result: { ok: true, role, roles },
  };
}

/** One message for all three: whoever guesses learns nothing from it. The reason is for the audit. */
function refused(why: 'unknown' | 'expired' | 'used'): UnitOutcome<Redeemed> {
  const message = 'This code is not valid. Codes work once and expire; ask for a new one (earshot pair).';
  return { writes: [], result: { ok: false, why, message } };
}

/** However it was typed: `claim-k7qm-2xwt ` is `claim-K7QM-2XWT`. */
export function pairingKey(code: string): string {
  return hash('sha256', code.trim().toUpperCase(), 'hex');
}

/** Without 0 O 1 I L, which are misread. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function newCode(random: Random): string {
  let drawn = '';
  while (drawn.length < 8) {
    for (const char of random.secret(16)) {
      const value = BASE64URL.indexOf(char);
      // 62 is twice 31: the two values above are drawn again, so that every letter is as likely.
      if (value < 2 * ALPHABET.length) drawn += ALPHABET.charAt(value % ALPHABET.length);
    }
  }
  return `claim-${drawn.slice(0, 4)}-${drawn.slice(4, 8)}`;
}
