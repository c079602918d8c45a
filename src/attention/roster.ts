// The roster: settings compiled for one conversation. It folds, sorts and looks up in advance whatever it can, once per
// configuration and conversation, so the fold has little to do.
import type { Conversation } from '../protocol/chat-event.ts';
import type { ConversationMode } from '../protocol/vocabulary.ts';
import { LADDER, type Rung } from './directedness.ts';
import { PRESETS, type Preset } from './presets.ts';
import type { AgentSettings, AttentionLimits, AttentionSettings, Replies, Stickiness } from './settings.ts';
import { agentKey } from './state.ts';
import { type NameTable, foldText, nameTable } from './text.ts';

export interface RosterAgent {
  id: string;
  key: string;
  /** Folded names and aliases, longest first. */
  names: readonly string[];
  /** Every id it is known by: `lead`, `agent:lead`, its accounts. */
  identities: readonly string[];
  accounts: readonly string[];
  roles: ReadonlySet<string>;
  /** Bound to this conversation: it gets a decision for every message here. */
  bound: boolean;
  ownsConversation: boolean;
  ownsStream: boolean;
  lead: string | undefined;
  triggers: AgentSettings['triggers'];
  stickiness: Stickiness;
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
  /** Every agent of the host by each of its identities, bound here or not: any message may name it. */
  byIdentity: ReadonlyMap<string, RosterAgent>;
  /** The same by its accounts on platforms alone. A person may have an id that is also an agent's. */
  byAccount: ReadonlyMap<string, RosterAgent>;
  byKey: ReadonlyMap<string, RosterAgent>;
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
    rosterAgent(agent, place, agent.stickiness ?? here?.stickiness ?? preset.stickiness),
  );
  return {
    preset,
    limits: settings.limits,
    agents: known.filter(({ bound }) => bound),
    byIdentity: new Map(known.flatMap((agent) => agent.identities.map((identity) => [identity, agent]))),
    byAccount: new Map(known.flatMap((agent) => agent.accounts.map((account) => [account, agent]))),
    byKey: new Map(known.map((agent) => [agent.key, agent])),
    known,
    ladder: LADDER.filter(({ id }) => preset.rungs.has(id)),
    names: namesOf(settings, known),
    defaultResponder: here?.defaultResponder,
    openFloor: here?.openFloor ?? false,
    broadcastRole: here?.broadcastRole,
    mode: here?.mode ?? 'auto',
    replies: here?.replies,
  };
}

/** Names are the same everywhere, so all conversations of a configuration share them. */
const namesKept = new WeakMap<AttentionSettings, RosterNames>();

function namesOf(settings: AttentionSettings, known: readonly RosterAgent[]): RosterNames {
  let names = namesKept.get(settings);
  if (names === undefined) {
    const roles = new Set(settings.agents.flatMap((agent) => agent.roles));
    const spoken = known.flatMap((agent) => agent.names.map((name) => [name, agent] as const));
    names = {
      mentionable: nameTable([
        ...spoken.map(([name, agent]) => [name, `agent:${agent.id}`] as const),
        ...[...roles].map((role) => [foldText(role), `role:${role}`] as const),
        ...BROADCASTS.map((word) => [word, `broadcast:${word}`] as const),
        ...known.flatMap((agent) =>
          agent.accounts.map((account) => [tagged(account), `agent:${agent.id}`] as const),
        ),
      ]),
      spoken: nameTable(spoken.map(([name, agent]) => [name, agent.key] as const)),
    };
    namesKept.set(settings, names);
  }
  return names;
}

/** An account as it stands after an @. Some platforms' ids begin with one. */
function tagged(account: string): string {
  return foldText(account).replace(/^@/, '');
}

function rosterAgent(agent: AgentSettings, place: Place, stickiness: Stickiness): RosterAgent {
  const names = [agent.id, agent.name ?? '', ...agent.aliases].map((name) => foldText(name).trim());
  const { id, streamId } = place.conversation;
  return {
    id: agent.id,
    key: agentKey(agent.id),
    names: [...new Set(names)].filter((name) => name !== '').toSorted((a, b) => b.length - a.length),
    identities: [agent.id, `agent:${agent.id}`, ...agent.accounts],
    accounts: agent.accounts,
    roles: new Set(agent.roles),
    bound: agent.conversations.some((pattern) => matches(pattern, place)),
    ownsConversation: agent.owns.conversations.includes(id),
    ownsStream: streamId !== undefined && agent.owns.streams.includes(streamId),
    lead: agent.lead,
    triggers: agent.triggers,
    stickiness,
    respondTo: agent.respondTo,
    ignore: agent.ignore,
    admitsAll: agent.ignore.length === 0 && agent.respondTo.includes('*'),
    injection: agent.injection,
  };
}

/** A pattern matches a thread by its own id or its parent's, so a room's settings cover its threads. */
function matches(pattern: string, { platform, workspaceId, conversation }: Place): boolean {
  if (pattern === '*') return true;
  const parts = pattern.split('/');
  const [wantPlatform, wantWorkspace] = parts.length >= 3 ? parts : ['*', '*'];
  const wantConversation = parts.length >= 3 ? parts.slice(2).join('/') : pattern;
  const ids = [conversation.id, conversation.parentId];
  return (
    (wantPlatform === '*' || wantPlatform === platform) &&
    (wantWorkspace === '*' || wantWorkspace === workspaceId) &&
    (wantConversation === '*' || ids.includes(wantConversation))
  );
}
