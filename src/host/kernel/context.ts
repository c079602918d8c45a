// What every step of the pipeline is given: the ports, the settings, the bus for news and the one way to commit. The
// context decides nothing. A step can read the store; it can change it only through `apply`.
import {
  type AttentionSettings,
  type ObligationOptions,
  type Place,
  type Roster,
  rosterFor,
  type ObligationDirectory,
} from '../../attention/index.ts';
import type { GlyphTable } from '../../protocol/glyphs.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import type { Store } from '../../store/store.ts';
import type { Accounts } from './accounts.ts';
import type { Speakers } from './speakers.ts';
import type { Apply, HostBus, HostLog } from './change.ts';
import { conversationKeyOf, agentDmParties } from './conversation.ts';
import type { CompiledRule } from '../security/sensitive.ts';
import type { AgentGate } from '../security/agent-gate.ts';
import type { Spans } from '../security/redact.ts';
import type { Questions } from './questions.ts';
import type { HostSettings } from './settings.ts';
import type { Identity } from '../../protocol/identity.ts';
import type { WireAgentIdentity } from '../../protocol/participants.ts';

/** The store as steps see it. Only `apply` (change.ts) commits. */
export type StoreReader = Omit<Store, 'transact'>;

export interface HostContext {
  store: StoreReader;
  apply: Apply;
  /** The store's time. Everything due is compared with it. */
  clock: Clock;
  /** The time of the machine, for others who compare it with theirs. It may jump. */
  wall: Clock;
  random: Random;
  attention: AttentionSettings;
  settings: HostSettings;
  /** The hash of the configuration. Every record carries it. */
  configVersion: string;
  /** `key` is the conversation key of the place. Callers that have it save computing it. */
  rosterAt(place: Place, key?: string): Roster;
  /** The accounts of this host on its platforms. */
  accounts: Accounts;
  /** Who may speak for which platform and room. */
  speakers: Speakers;
  /** Questions whose answers the host takes itself. */
  questions: Questions;
  log: HostLog;
  /** Finds the spans of secrets in a text. */
  findSecrets: (text: string) => Spans;
  /** Everything that leaves for an agent passes it. */
  gate: AgentGate;
  bus: HostBus;
  /** Conversations whose sources use ids that others use too. Their ids are looked for before they are used. */
  sharedIds: Set<string>;
  /** The glyphs of an agent's reactions, and of reactions to its messages. */
  glyphsOf: (agent: string) => GlyphTable;
  /** The configured rules that say which sends wait for a person. */
  sensitive: readonly CompiledRule[];
  /** Intervals of the obligations ladder. Tests shorten them. */
  obligationOptions: ObligationOptions;
}

const ROSTERS_KEPT = 10_000;

/** Compiles the roster of a conversation once and keeps it. */
export function createRosters(settings: AttentionSettings): HostContext['rosterAt'] {
  const rosters = new Map<string, Roster>();
  return (place, key = conversationKeyOf(place)) => {
    const kept = rosters.get(key);
    if (kept !== undefined) return kept;
    if (rosters.size >= ROSTERS_KEPT) rosters.clear();
    const roster = rosterFor(boundAt(settings, place), place);
    rosters.set(key, roster);
    return roster;
  };
}

/** A direct conversation between two agents binds exactly those two, whatever the settings say. */
function boundAt(settings: AttentionSettings, place: Place): AttentionSettings {
  const parties = agentDmParties(place);
  if (parties === undefined) return settings;
  const agents = settings.agents.map((agent) => ({
    ...agent,
    conversations: parties.includes(agent.id) ? ['*'] : [],
  }));
  return { ...settings, agents };
}

// Who is whose lead, for escalations. This comes from the agents' configuration, never from what is said in chat.

export function directoryOf({ attention }: Pick<HostContext, 'attention'>): ObligationDirectory {
  const leads = new Map(attention.agents.map((agent) => [`agent:${agent.id}`, agent.lead]));
  const owner: Identity = `human:${attention.owner ?? 'owner'}`;
  return {
    coordinatorOf: (identity) => {
      const lead = leads.get(identity);
      return lead === undefined ? undefined : `agent:${lead}`;
    },
    isHuman: (identity) => identity.startsWith('human:'),
    owner,
  };
}

export function leadOf({ attention }: Pick<HostContext, 'attention'>, agent: string): string | undefined {
  return attention.agents.find(({ id }) => id === agent)?.lead;
}

/** What people call the agent. */
export function agentName({ attention }: Pick<HostContext, 'attention'>, agent: string): string {
  return attention.agents.find(({ id }) => id === agent)?.name ?? agent;
}

/** Who an agent is, as it is told itself. */
export function agentIdentity(
  { attention }: Pick<HostContext, 'attention'>,
  agent: string,
): WireAgentIdentity {
  const { name, aliases = [], roles = [], lead } = attention.agents.find(({ id }) => id === agent) ?? {};
  return {
    ...(name === undefined ? {} : { name }),
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(roles.length === 0 ? {} : { roles }),
    ...(lead === undefined ? {} : { lead: `agent:${lead}` }),
  };
}
