// The accounts that surfaces have learnt from their platforms: who logs in where, and which agents speak through it. They
// are kept in memory, because a surface learns them anew at every start. What a decision used of them is in the facts of
// its record.
import { accountAt } from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { AccountFacts } from '../../protocol/log-record.ts';
import type { SurfaceAccount } from '../../surfaces/surface.ts';

export interface Accounts {
  /** All accounts of the surface. They replace those that it told before. */
  learn(surface: { id: string; platform: string }, accounts: readonly SurfaceAccount[]): void;
  find(place: Workspace, account: string): AccountFacts | undefined;
  /** Those that the event names: its author, mentions, recipients and whom it replies to. */
  namedIn(event: ChatEvent): readonly AccountFacts[];
  /** The account through which the agent speaks there. */
  of(place: Workspace, agent: string): AccountFacts | undefined;
}

export interface Workspace {
  platform: string;
  workspaceId: string;
}

/** Of one surface. */
export const ACCOUNTS_MAX = 1_000;

const NONE: readonly AccountFacts[] = [];

export function createAccounts(): Accounts {
  const bySurface = new Map<string, readonly Learnt[]>();
  let byWorkspace: ReadonlyMap<string, readonly AccountFacts[]> = new Map();
  const at = ({ platform, workspaceId }: Workspace): readonly AccountFacts[] =>
    byWorkspace.size === 0 ? NONE : (byWorkspace.get(workspaceKey(platform, workspaceId)) ?? NONE);
  return {
    learn({ id, platform }, accounts) {
      bySurface.set(
        id,
        accounts.slice(0, ACCOUNTS_MAX).map((account) => ({ platform, account })),
      );
      byWorkspace = sorted([...bySurface.values()].flat());
    },
    find: (place, account) => at(place).find(({ id }) => id === account),
    namedIn(event) {
      const known = at(event);
      if (known.length === 0) return NONE;
      const named = new Set(idsIn(event));
      return known.filter(({ id }) => named.has(id));
    },
    of: (place, agent) => at(place).find(({ agents }) => agents === '*' || agents.includes(agent)),
  };
}

interface Learnt {
  platform: string;
  account: SurfaceAccount;
}

function workspaceKey(platform: string, workspaceId: string): string {
  return `${platform}\n${workspaceId}`;
}

function sorted(learnt: readonly Learnt[]): ReadonlyMap<string, readonly AccountFacts[]> {
  const found = new Map<string, AccountFacts[]>();
  for (const { platform, account } of learnt) {
    const { id, workspaceId, agents, name } = account;
    const key = workspaceKey(platform, workspaceId);
    const known = { id: accountAt(id, { platform, workspaceId }), agents, name };
    found.set(key, [...(found.get(key) ?? []), known]);
  }
  return found;
}

const PREFIX = /^(?:human|agent):/;

function idsIn(event: ChatEvent): string[] {
  const ids = [event.author.id];
  if (event.type === 'message' || event.type === 'edit') {
    for (const { kind, id } of event.mentions ?? []) if (kind === 'human' || kind === 'agent') ids.push(id);
  }
  if (event.type === 'message') {
    const { recipients = [], target, replyTo } = event;
    ids.push(...recipients, target?.recipient ?? '', replyTo?.authorId ?? '');
  }
  return ids.map((id) => id.replace(PREFIX, ''));
}
