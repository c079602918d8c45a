// What every step of the pipeline is given: the ports, the settings, the bus for news and the one way to commit. The
// context decides nothing. A step can read the store; it can change it only through `apply`.
import {
  type AttentionSettings,
  type ObligationOptions,
  type Place,
  type Roster,
  rosterFor,
} from '../../attention/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import type { Store } from '../../store/store.ts';
import type { Apply, HostBus, HostLog } from './change.ts';
import { conversationKeyOf, directParties } from './conversation.ts';
import type { Spans } from '../security/redact.ts';
import type { CompiledRule } from '../security/sensitive.ts';
import type { HostSettings } from './settings.ts';

/** The store as steps see it. Only `apply` (change.ts) commits. */
export type StoreReader = Omit<Store, 'transact'>;

export interface HostContext {
  store: StoreReader;
  apply: Apply;
  clock: Clock;
  random: Random;
  attention: AttentionSettings;
  settings: HostSettings;
  /** Hash of the configuration, stamped on records. */
  configVersion: string;
  /** `key` is the place's conversation key, for callers that have it. */
  rosterAt(place: Place, key?: string): Roster;
  log: HostLog;
  /** Spans of secrets in a text. Synchronous when nothing looks like one. */
  findSecrets(text: string): Spans | Promise<Spans>;
  bus: HostBus;
  /** Sends that wait for a person, as configured. */
  sensitive: readonly CompiledRule[];
  /** Intervals of the obligations ladder; tests shorten them. */
  obligationOptions: ObligationOptions;
}

export type { Spans };

const ROSTERS_KEPT = 10_000;

/** Rosters are compiled once per conversation and configuration. */
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

/** A conversation between two agents binds exactly those two, whatever the settings say. */
function boundAt(settings: AttentionSettings, place: Place): AttentionSettings {
  const parties = directParties(place);
  if (parties === undefined) return settings;
  const agents = settings.agents.map((agent) => ({
    ...agent,
    conversations: parties.includes(agent.id) ? ['*'] : [],
  }));
  return { ...settings, agents };
}
