// One version of the settings, compiled. It is one value and never changes: whoever has it decides by all of it. The
// context (context.ts) says which version is in force.
import { type AttentionSettings, type Place, type Roster, rosterFor } from '../../attention/index.ts';
import { type CompiledRule, compileSensitive } from '../security/sensitive.ts';
import { conversationKeyOf, agentDmParties } from './conversation.ts';
import type { HostSettings } from './settings.ts';

export interface GivenSettings {
  attention: AttentionSettings;
  settings: HostSettings;
  /** The hash of the configuration. Every record carries the one that decided it. */
  configVersion: string;
}

export interface InForce extends Readonly<GivenSettings> {
  /** `key` is the conversation key of the place. Callers that have it save computing it. */
  readonly rosterAt: RosterAt;
  /** The configured rules that say which sends wait for a person. */
  readonly sensitive: readonly CompiledRule[];
  readonly agentIds: ReadonlySet<string>;
}

export type RosterAt = (place: Place, key?: string) => Roster;

export function compileSettings({ attention, settings, configVersion }: GivenSettings): InForce {
  return Object.freeze({
    attention,
    settings,
    configVersion,
    rosterAt: createRosters(attention),
    sensitive: compileSensitive(settings.sensitive),
    agentIds: new Set(attention.agents.map(({ id }) => id)),
  });
}

const ROSTERS_KEPT = 10_000;

/** Compiles the roster of a conversation once and keeps it. */
export function createRosters(settings: AttentionSettings): RosterAt {
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
