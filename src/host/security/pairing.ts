// Pairing: an operator makes a code, and the first person who says it in chat gets a role; agents never do. This file owns the pairing
// and grant rows. The store keeps only a hash of the code; a code expires and works once. It is redeemed before its
// message is logged, and a source that sends the message again gets the first answer. Guessing is hopeless: an account
// has 5 tries per 10 minutes against 31^8 codes.
import { hash } from 'node:crypto';
import type { Random } from '../../runtime/random.ts';
import type { GrantRow, PairingRow } from '../../store/tables.ts';
import type { Change } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import type { Taken } from './rate-limit.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';

export const PAIRING_LIMITS = {
  ttlMs: 10 * 60_000,
  maxTtlMs: 24 * 3_600_000,
  /** Tries per account: five at once, then one per two minutes. */
  tries: { burst: 5, eachMs: 2 * 60_000 },
} as const;

export type Redeemed =
  | { ok: true; role: string; roles: readonly string[] }
  | { ok: false; why: 'unknown' | 'expired' | 'used'; message: string };

export interface Pairing {
  issue(wanted: { role: string; ttlMs?: number }): Promise<{ code: string; row: PairingRow }>;
  /** Counts one try of the account, in the store: other hosts and a restart know of it. Call it before `redeem`. */
  mayTry(account: string): Promise<Taken>;
  redeem(code: string, account: string): Promise<Redeemed>;
  /** Removes expired and used codes, and tries that count no more. Returns how many codes. */
  purge(): Promise<number>;
}

export type PairingDeps = Pick<HostContext, 'store' | 'apply' | 'clock' | 'random'> &
  Partial<Pick<HostContext, 'changes'>>;

export function createPairing(deps: PairingDeps): Pairing {
  const { store, apply, clock, random, changes } = deps;
  return {
    async issue({ role, ttlMs = PAIRING_LIMITS.ttlMs }) {
      const code = newCode(random);
      const lifeMs = Math.min(Math.max(ttlMs, 1), PAIRING_LIMITS.maxTtlMs);
      const row = await apply({
        states: [],
        run: ({ now }) => {
          const made: PairingRow = { key: pairingKey(code), role, expiresAt: now + lifeMs, usedBy: null };
          return { writes: [{ table: 'pairing', row: made }], news: [], result: made };
        },
      });
      return { code, row };
    },
    mayTry(account) {
      const state = triesKey(account);
      return apply({
        states: [state],
        run(view) {
          const { freeAt, taken } = takeTry(view.state(state), view.now);
          const writes = taken.ok ? [{ state, value: String(freeAt), wakeAt: null }] : [];
          return { writes, news: [], result: taken };
        },
      });
    },
    redeem(code, account) {
      const key = pairingKey(code);
      return apply({
        states: changes?.names ?? [],
        rows: [
          ['pairing', key],
          ['grant', account],
        ],
        run(view) {
          const pairing = view.row('pairing', key);
          const change = redeem({ pairing, grant: view.row('grant', account), account, now: view.now });
          const isNew = change.writes.length > 0;
          if (isNew) change.writes.push(...(changes?.tell(view, 'grant', [account]) ?? []));
          return change;
        },
      });
    },
    async purge() {
      await forgetTries(deps);
      const rows = await store.scan('pairing', 'all', { limit: 1_000 });
      const gone = rows.filter((row) => row.usedBy !== null || row.expiresAt <= clock.now());
      if (gone.length === 0) return 0;
      return apply({
        states: [],
        run: () => ({
          writes: gone.map(({ key }) => ({ table: 'pairing', remove: key })),
          news: [],
          result: gone.length,
        }),
      });
    },
  };
}

// Tries. The state of an account holds the time at which all of its tries are free again. One more moves it on.

const TRIES = 'tries/';
const TRIES_PAGE = 1_000;

function triesKey(account: string): string {
  return `${TRIES}${account}`;
}

function takeTry(stored: unknown, now: number): { freeAt: number; taken: Taken } {
  const { burst, eachMs } = PAIRING_LIMITS.tries;
  const freeAt = Math.max(now, Number(stored ?? 0)) + eachMs;
  const retryAfterMs = freeAt - now - burst * eachMs;
  return { freeAt, taken: retryAfterMs > 0 ? { ok: false, retryAfterMs } : { ok: true } };
}

async function forgetTries({ store, apply }: PairingDeps): Promise<void> {
  const states = await store.stateKeys(TRIES, '', TRIES_PAGE);
  if (states.length === 0) return;
  await apply({
    states,
    run(view) {
      const free = states.filter((state) => Number(view.state(state) ?? 0) <= view.now);
      return { writes: free.map((state) => ({ state, value: undefined })), news: [], result: undefined };
    },
  });
}

export interface RedeemInput {
  pairing: PairingRow | undefined;
  grant: GrantRow | undefined;
  /** `platform/workspace/id`. */
  account: string;
  now: number;
}

/** An account that redeems the same code again gets the first answer: it may not know that its commit succeeded. */
export function redeem({ pairing, grant, account, now }: RedeemInput): Change & { result: Redeemed } {
  if (pairing === undefined) return refused('unknown');
  const { role, usedBy } = pairing;
  const had = grant?.roles ?? [];
  if (usedBy !== null) {
    const again = usedBy === account && had.includes(role);
    return again ? { writes: [], news: [], result: { ok: true, role, roles: had } } : refused('used');
  }
  if (now >= pairing.expiresAt) return refused('expired');
  const roles = had.includes(role) ? had : [...had, role];
  return {
    writes: [
      { table: 'pairing', row: { ...pairing, usedBy: account } },
      { table: 'grant', row: { key: account, roles } },
    ],
    news: [],
    result: { ok: true, role, roles },
  };
}

/** All three reasons give one message, so that a guesser learns nothing. `why` is for the caller only. */
function refused(why: 'unknown' | 'expired' | 'used'): Change & { result: Redeemed } {
  const message = 'This code is not valid. Codes work once and expire; ask for a new one (earshot pair).';
  return { writes: [], news: [], result: { ok: false, why, message } };
}

/** The key ignores case and outer spaces: `claim-k7qm-2xwt ` is `claim-K7QM-2XWT`. */
export function pairingKey(code: string): string {
  return hash('sha256', code.trim().toUpperCase(), 'hex');
}

/** Without 0, O, 1, I and L, which people misread. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function newCode(random: Random): string {
  let drawn = '';
  while (drawn.length < 8) {
    for (const char of random.secret(16)) {
      const value = BASE64URL.indexOf(char);
      // 62 of the 64 values map evenly onto 31 letters. The other two are skipped, so all letters are equally likely.
      if (value < 2 * ALPHABET.length) drawn += ALPHABET.charAt(value % ALPHABET.length);
    }
  }
  return `claim-${drawn.slice(0, 4)}-${drawn.slice(4, 8)}`;
}

// The granted roles. The store keeps them; this copy in memory stamps them on records, and follows what other hosts
// grant. A code is redeemed before any permission check.

export interface Grants {
  rolesOf(event: Acting): readonly string[];
  /** False when the code is not valid or the account has tried too often. */
  redeem(code: string, event: ChatEvent): Promise<boolean>;
  /** Removes expired and used codes. Returns how many. */
  purge(): Promise<number>;
}

const PAGE = 1_000;
const NO_ROLES: readonly string[] = [];

export async function createGrants(context: HostContext): Promise<Grants> {
  const { store } = context;
  const pairing = createPairing(context);
  const granted = new Map<string, readonly string[]>();
  const readAll = async (): Promise<void> => {
    for (let after = 0, page = await store.scan('grant', 'all', { limit: PAGE }); page.length > 0; ) {
      for (const { key, roles } of page) granted.set(key, roles);
      after = page.at(-1)?.position ?? after;
      page = page.length < PAGE ? [] : await store.scan('grant', 'all', { after, limit: PAGE });
    }
  };
  await readAll();
  context.changes.follow('grant', async (key) => {
    if (key === undefined) return readAll();
    granted.set(key, (await store.get('grant', key))?.roles ?? NO_ROLES);
  });
  return {
    purge: () => pairing.purge(),
    rolesOf: (event) => (granted.size === 0 ? NO_ROLES : (granted.get(accountOf(event)) ?? NO_ROLES)),
    async redeem(code, event) {
      const account = accountOf(event);
      if (!(await pairing.mayTry(account)).ok) return false;
      const result = await pairing.redeem(code, account);
      if (result.ok) granted.set(account, result.roles);
      return result.ok;
    },
  };
}

/** Whoever did something, and where. */
export type Acting = Pick<ChatEvent, 'platform' | 'workspaceId'> & { author: { id: string } };

/** A platform with a slash is escaped: else `github/acme` could name the accounts of `acme/…` on `github`. */
export function accountOf({ platform, workspaceId, author }: Acting): string {
  const first = /[%/]/.test(platform) ? encodeURIComponent(platform) : platform;
  return `${first}/${workspaceId}/${author.id}`;
}
