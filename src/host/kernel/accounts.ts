// The accounts that surfaces have learnt from their platforms: who logs in where, and which agents speak through it. They
// are kept in memory, because a surface learns them anew at every start. What a decision used of them is in the facts of
// its record.
import { type Place, accountAt, ownerOf } from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { AccountFacts } from '../../protocol/log-record.ts';
import type { SurfaceAccount } from '../../surfaces/surface.ts';
import type { HostContext } from './context.ts';

export interface Accounts {
  /** The ids of all agents, when the settings have changed. */
  agentsAre(ids: readonly string[]): void;
  /** All accounts of the surface. They replace those that it told before. */
  learn(surface: { id: string; platform: string }, accounts: readonly SurfaceAccount[]): void;
  find(place: Workspace, account: string): AccountFacts | undefined;
  /** Those that the event names: its author, mentions, recipients and whom it replies to. */
  namedIn(event: ChatEvent): readonly AccountFacts[];
  /** The account through which the agent speaks there. */
  of(place: Workspace, agent: string): AccountFacts | undefined;
  /** The surface, and others that are the same account: further doors to the same rooms. */
  doorsOf(surface: string): readonly string[];
}

export interface Workspace {
  platform: string;
  workspaceId: string;
}

/** Of one surface. */
export const ACCOUNTS_MAX = 1_000;

const NONE: readonly AccountFacts[] = [];

/** `agents`: ids of all. */
export function createAccounts(first: readonly string[]): Accounts {
  let agents = first;
  const bySurface = new Map<string, readonly Learnt[]>();
  let byWorkspace: ReadonlyMap<string, KnownThere> = new Map();
  let doors: ReadonlyMap<string, readonly string[]> = new Map();
  const there = ({ platform, workspaceId }: Workspace): KnownThere | undefined =>
    byWorkspace.size === 0 ? undefined : byWorkspace.get(workspaceKey(platform, workspaceId));
  const at = (place: Workspace): readonly AccountFacts[] => there(place)?.accounts ?? NONE;
  return {
    agentsAre(ids) {
      agents = ids;
      byWorkspace = sorted([...bySurface.values()].flat(), agents);
    },
    learn({ id, platform }, accounts) {
      bySurface.set(
        id,
        accounts.slice(0, ACCOUNTS_MAX).map((account) => ({ platform, account })),
      );
      byWorkspace = sorted([...bySurface.values()].flat(), agents);
      doors = doorsAmong(bySurface);
    },
    find: (place, account) => at(place).find(({ id }) => id === account),
    namedIn(event) {
      const known = at(event);
      if (known.length === 0) return NONE;
      const named = new Set(idsIn(event));
      return known.filter(({ id }) => named.has(id));
    },
    of(place, agent) {
      const known = at(place);
      const own = known.find((one) => one.agents !== '*' && one.agents.includes(agent));
      return own ?? known.find((one) => one.agents === '*') ?? there(place)?.forOthers;
    },
    doorsOf: (surface) => doors.get(surface) ?? [surface],
  };
}

interface Learnt {
  platform: string;
  account: SurfaceAccount;
}

/** Surfaces with an account in common, by each of them. */
function doorsAmong(bySurface: ReadonlyMap<string, readonly Learnt[]>): Map<string, string[]> {
  const keys = [...bySurface].map(([id, learnt]) => ({ id, accounts: new Set(learnt.map(accountKey)) }));
  return new Map(
    keys.map(({ id, accounts }) => {
      const others = keys.filter(
        (one) => one.id !== id && [...one.accounts].some((key) => accounts.has(key)),
      );
      return [id, [id, ...others.map((one) => one.id)]];
    }),
  );
}

function accountKey({ platform, account: { id, workspaceId } }: Learnt): string {
  return `${workspaceKey(platform, workspaceId)}\n${accountAt(id, { platform, workspaceId })}`;
}

function workspaceKey(platform: string, workspaceId: string): string {
  return `${platform}\n${workspaceId}`;
}

interface KnownThere {
  accounts: AccountFacts[];
  /** Through which agents speak that have no account of their own there. */
  forOthers?: AccountFacts;
}

function sorted(learnt: readonly Learnt[], all: readonly string[]): ReadonlyMap<string, KnownThere> {
  const found = new Map<string, KnownThere>();
  for (const { platform, account } of learnt) {
    const { id, workspaceId, agents, name, speaksForOthers } = account;
    const key = workspaceKey(platform, workspaceId);
    const known = { id: accountAt(id, { platform, workspaceId }), agents, name };
    const there = found.get(key) ?? { accounts: [] };
    there.accounts.push(known);
    if (speaksForOthers === true) there.forOthers = known;
    found.set(key, there);
  }
  for (const there of found.values()) there.accounts = withoutOwners(there.accounts, all);
  return found;
}

/** Who has an account of its own is not behind the one that is everybody's. */
function withoutOwners(accounts: AccountFacts[], all: readonly string[]): AccountFacts[] {
  const owners = new Set(accounts.flatMap(({ agents }) => (agents === '*' ? [] : agents)));
  if (owners.size === 0) return accounts;
  const others = all.filter((id) => !owners.has(id));
  return accounts.map((one) => (one.agents === '*' ? { ...one, agents: others } : one));
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

// How agents are shown and known where a message goes: under which name and icon, where several share an account, and by
// which account, if it is theirs alone.

export interface AgentsShown {
  persona(agent: string): { name: string; icon?: string };
  /** Undefined where others share it, or nobody knows it: a mention of it would not reach this agent alone. */
  accountOf(agent: string): string | undefined;
}

export function agentsShown(
  { attention, accounts, rosterAt }: Pick<HostContext, 'attention' | 'accounts' | 'rosterAt'>,
  place: Place,
): AgentsShown {
  const settingsOf = (agent: string) => attention.agents.find(({ id }) => id === agent);
  return {
    persona(agent) {
      const { name = agent, icon } = settingsOf(agent) ?? {};
      return { name, ...(icon !== undefined && { icon }) };
    },
    accountOf(agent) {
      const learnt = accounts.of(place, agent);
      const facts = learnt === undefined ? {} : { accounts: [learnt] };
      const isOwn = (account: string): boolean => ownerOf(account, rosterAt(place), facts)?.id === agent;
      // An account without a workspace may be one of another platform.
      const configured = settingsOf(agent)?.accounts.map((account) => ({
        account,
        id: accountAt(account, place),
      }));
      const qualified = configured?.flatMap(({ account, id }) => (account === id ? [] : [id])) ?? [];
      return [...(learnt === undefined ? [] : [learnt.id]), ...qualified].find(isOwn);
    },
  };
}
