// Roles that pairing codes have granted: durable in the store, kept in memory for stamping records. A code is consumed
// before any permission check, works once, and guessing is limited per account.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { HostContext } from '../kernel/context.ts';
import { createPairing } from '../security/pairing.ts';

export interface Grants {
  rolesOf(event: ChatEvent): readonly string[];
  redeem(code: string, event: ChatEvent): Promise<boolean>;
  /** Forgets codes that are expired or used. */
  purge(): Promise<number>;
}

const PAGE = 1_000;
const NO_ROLES: readonly string[] = [];

export async function createGrants(context: HostContext): Promise<Grants> {
  const { store } = context;
  const pairing = createPairing(context);
  const granted = new Map<string, readonly string[]>();
  for (let after = 0, page = await store.scan('grant', 'all', { limit: PAGE }); page.length > 0; ) {
    for (const { key, roles } of page) granted.set(key, roles);
    after = page.at(-1)?.position ?? after;
    page = page.length < PAGE ? [] : await store.scan('grant', 'all', { after, limit: PAGE });
  }
  return {
    purge: () => pairing.purge(),
    rolesOf: (event) => (granted.size === 0 ? NO_ROLES : (granted.get(accountOf(event)) ?? NO_ROLES)),
    async redeem(code, event) {
      const account = accountOf(event);
      if (!pairing.mayTry(account).ok) return false;
      const result = await pairing.redeem(code, account);
      if (result.ok) granted.set(account, result.roles);
      return result.ok;
    },
  };
}

function accountOf({ platform, workspaceId, author }: ChatEvent): string {
  return `${platform}/${workspaceId}/${author.id}`;
}
