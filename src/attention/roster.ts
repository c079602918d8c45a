// The roster: settings compiled for one conversation. It folds, sorts and looks up in advance whatever it can, once per
// configuration and conversation, so the fold has little to do.
import type { Conversation, Mention } from '../protocol/chat-event.ts';
import type { ConversationMode } from '../protocol/vocabulary.ts';
import { accountAt } from './accounts.ts';
import { LADDER, type Rung } from './directedness.ts';
import { matches } from './pattern.ts';
import { PRESETS, type Preset } from './presets.ts';
import { attentionNumber } from './scorer/bands.ts';
import { SCORE_ONE } from './scorer/score.ts';
import type { AgentSettings, AttentionLimits, AttentionSettings, Replies, Stickiness } from './settings.ts';
import { agentKey } from './state.ts';
import { type NameTable, foldText, nameTable } from './text.ts';

export interface RosterAgent {
  id: string;
  key: string;
  /** Folded names and aliases, longest first. */
  names: readonly string[];
  /** As they are known here: `slack/T1/U1` is U1 in that workspace. */
  accounts: readonly string[];
  roles: ReadonlySet<string>;
  /** Bound to this conversation: it gets a decision for every message here. */
  bound: boolean;
  ownsConversation: boolean;
  ownsStream: boolean;
  lead: string | undefined;
  triggers: AgentSettings['triggers'];
  stickiness: Stickiness;
  /** The dial, as a number: how readily it takes a line without any sign as its own. */
  attention: number;
  /** Added to the score of such a line, in the scorer's own units. */
  attentionBias: number;
  respondTo: readonly string[];
  ignore: readonly string[];
  admitsAll: boolean;
  injection: AgentSettings['injection'];
}

export interface Roster {
  preset: Preset;
  limits: AttentionLimits;
  /** The agents that are bound here. Only they get decisions. */
  agents: readonly RosterAgent[];
  /**
   * Every agent of the host by each of its identities, bound here or not: `lead`, `agent:lead`, and the configured
   * accounts that are its own.
   */
  byIdentity: ReadonlyMap<string, RosterAgent>;
  /** The configured accounts and who speaks through them. A person may have an id that is also an agent's. */
  accounts: ReadonlyMap<string, readonly RosterAgent[]>;
  byKey: ReadonlyMap<string, RosterAgent>;
  /** Whom a mention of a group of the platform calls, by the group's id here. */
  groups: ReadonlyMap<string, Mention>;
  /** Every agent of the host, each once. */
  known: readonly RosterAgent[];
  /** The rungs of the preset. */
  ladder: readonly Rung[];
  names: RosterNames;
  defaultResponder: string | undefined;
  openFloor: boolean;
  broadcastRole: string | undefined;
  mode: ConversationMode;
  /** Where answers go. Undefined: as the surface says. */
  replies: Replies | undefined;
}

export interface RosterNames {
  /** What may follow an @, by identity: names and accounts of agents, roles and broadcasts. */
  mentionable: NameTable;
  /** Every agent's names, by key. */
  spoken: NameTable;
}

const BROADCASTS = ['here', 'channel', 'everyone', 'all', 'room'];

export interface Place {
  platform: string;
  workspaceId: string;
  conversation: Conversation;
}

export function rosterFor(settings: AttentionSettings, place: Place): Roster {
  const preset = PRESETS[settings.preset];
  const here = settings.conversations.find((entry) => matches(entry.match, place));
  const known = settings.agents.map((agent) =>
    rosterAgent(agent, place, {
      stickiness: agent.stickiness ?? here?.stickiness ?? preset.stickiness,
      attention: attentionOf(agent, here?.attention),
    }),
  );
  const accounts = accountsOf(known);
  return {
    preset,
    limits: settings.limits,
    agents: known.filter(({ bound }) => bound),
    byIdentity: byIdentity(known, accounts),
    accounts,
    byKey: new Map(known.map((agent) => [agent.key, agent])),
    groups: groupsOf(settings, place),
    known,
    ladder: LADDER.filter(({ id }) => preset.rungs.has(id)),
    names: namesOf(settings, known, accounts, place),
    defaultResponder: here?.defaultResponder,
    openFloor: here?.openFloor ?? false,
    broadcastRole: here?.broadcastRole,
    mode: here?.mode ?? 'auto',
    replies: here?.replies,
  };
}

/** What is said about this agent here counts first, then its own, then what is said about everybody here. */
function attentionOf(
  { id, attention: own }: AgentSettings,
  here: AttentionSettings['conversations'][number]['attention'],
): number {
  if (typeof here === 'object') return attentionNumber(here[id] ?? own ?? 'balanced');
  return attentionNumber(own ?? here ?? 'balanced');
}

/** A group stands for an agent if one has that id, else for a role. */
function groupsOf({ groups, agents }: AttentionSettings, place: Place): Roster['groups'] {
  const named = (id: string): Mention => ({
    kind: agents.some((agent) => agent.id === id) ? 'agent' : 'role',
    id,
  });
  return new Map(Object.entries(groups).map(([group, id]) => [accountAt(group, place), named(id)]));
}

function accountsOf(known: readonly RosterAgent[]): Roster['accounts'] {
  const accounts = new Map<string, readonly RosterAgent[]>();
  for (const agent of known) {
    for (const account of agent.accounts) accounts.set(account, [...(accounts.get(account) ?? []), agent]);
  }
  return accounts;
}

function byIdentity(known: readonly RosterAgent[], accounts: Roster['accounts']): Roster['byIdentity'] {
  const found = new Map(known.flatMap((agent) => [agent.id, `agent:${agent.id}`].map((id) => [id, agent])));
  for (const [account, [agent, another]] of accounts) {
    if (agent !== undefined && another === undefined) found.set(account, agent);
  }
  return found;
}

/** Names are the same everywhere, so all conversations of a workspace share them. */
const namesKept = new WeakMap<AttentionSettings, Map<string, RosterNames>>();

function namesOf(
  settings: AttentionSettings,
  known: readonly RosterAgent[],
  accounts: Roster['accounts'],
  { platform, workspaceId }: Place,
): RosterNames {
  let kept = namesKept.get(settings);
  if (kept === undefined) namesKept.set(settings, (kept = new Map()));
  const isQualified = settings.agents.some((agent) =>
    agent.accounts.some((account) => account.includes('/')),
  );
  const where = isQualified ? `${platform}/${workspaceId}` : '';
  let names = kept.get(where);
  if (names === undefined) {
    const roles = new Set(settings.agents.flatMap((agent) => agent.roles));
    const spoken = known.flatMap((agent) => agent.names.map((name) => [name, agent] as const));
    names = {
      mentionable: nameTable([
        ...spoken.map(([name, agent]) => [name, `agent:${agent.id}`] as const),
        ...[...roles].map((role) => [foldText(role), `role:${role}`] as const),
        ...BROADCASTS.map((word) => [word, `broadcast:${word}`] as const),
        ...[...accounts].map(([account, holders]) => [tagged(account), taggedAs(account, holders)] as const),
      ]),
      spoken: nameTable(spoken.map(([name, agent]) => [name, agent.key] as const)),
    };
    if (kept.size >= WORKSPACES_KEPT) kept.clear();
    kept.set(where, names);
  }
  return names;
}

/** Names are kept for this many workspaces. Others are compiled again. */
const WORKSPACES_KEPT = 100;

/** An account of several is nobody's own: whoever reads the mention looks for its holders. */
function taggedAs(account: string, holders: readonly RosterAgent[]): string {
  return holders.length === 1 ? `agent:${holders[0]?.id}` : `human:${account}`;
}

/** An account as it stands after an @. Some platforms' ids begin with one. */
function tagged(account: string): string {
  return foldText(account).replace(/^@/, '');
}

function rosterAgent(
  agent: AgentSettings,
  place: Place,
  dials: Pick<RosterAgent, 'stickiness' | 'attention'>,
): RosterAgent {
  const names = [agent.id, agent.name ?? '', ...agent.aliases].map((name) => foldText(name).trim());
  const { id, streamId } = place.conversation;
  return {
    id: agent.id,
    key: agentKey(agent.id),
    names: [...new Set(names)].filter((name) => name !== '').toSorted((a, b) => b.length - a.length),
    accounts: agent.accounts.map((account) => accountAt(account, place)),
    roles: new Set(agent.roles),
    bound: agent.conversations.some((pattern) => matches(pattern, place)),
    ownsConversation: agent.owns.conversations.includes(id),
    ownsStream: streamId !== undefined && agent.owns.streams.includes(streamId),
    lead: agent.lead,
    triggers: agent.triggers,
    ...dials,
    attentionBias: Math.round((agent.attentionBias ?? 0) * SCORE_ONE),
    respondTo: agent.respondTo,
    ignore: agent.ignore,
    admitsAll: agent.ignore.length === 0 && agent.respondTo.includes('*'),
    injection: agent.injection,
  };
}
