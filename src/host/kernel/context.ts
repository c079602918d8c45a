// What every step of the pipeline is given. Nothing here decides anything: ports, settings, and two small registries
// (who is connected, what has just been committed) that steps use to reach each other without knowing each other.
import type { AttentionSettings, ObligationOptions, Place, Roster } from '../../attention/index.ts';
import { rosterFor } from '../../attention/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import type { Scanned, Store } from '../../store/store.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { conversationKeyOf, directParties } from './conversation.ts';
import type { CompiledRule } from '../security/sensitive.ts';
import type { HostSettings } from './settings.ts';

export interface HostContext {
  store: Store;
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

export type Spans = readonly (readonly [start: number, end: number])[];

export interface HostLog {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** Told after a commit, never before. Listeners must not throw and not wait. */
export type HostNews =
  | { type: 'logged'; row: LogRow }
  /** New or changed and ready to be handed over. */
  | { type: 'deliver'; delivery: DeliveryRow; event: LogRow | undefined }
  | { type: 'withdraw'; delivery: DeliveryRow; reason: string }
  | { type: 'settled'; delivery: DeliveryRow }
  | { type: 'outbox'; key: string }
  /** Something is to be looked at, now or then. */
  | { type: 'due'; at?: number }
  | { type: 'typing'; conversation: string; author: LogRow['record']['event']['author']; typing: boolean }
  /** Everything of the agent there that came before the record with this seq. */
  | { type: 'cancel_turn'; agent: string; conversation: string; reason: string; seq: number }
  | { type: 'inbox'; key: string }
  | { type: 'session'; agent: string; connected: boolean }
  | { type: 'progress'; agent: string; detail: Record<string, unknown> }
  /** What a unit has to say to the log: it may run more than once, and only what was committed happened. */
  | { type: 'warning'; message: string; fields: Record<string, unknown> };

export interface HostBus {
  tell(news: HostNews): void;
  listen(listener: (news: HostNews) => void): () => void;
}

export function createBus(log: HostLog): HostBus {
  const listeners = new Set<(news: HostNews) => void>();
  return {
    tell(news) {
      if (news.type === 'warning') log.warn(news.fields, news.message);
      for (const listener of listeners) {
        try {
          listener(news);
        } catch (error) {
          // One listener's fault must not keep the news from the others; what was committed stays committed.
          log.error({ err: error, news: news.type }, 'a listener failed');
        }
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

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

/** Two agents' own conversation is theirs, wherever else they are bound, and nobody else's. */
function boundAt(settings: AttentionSettings, place: Place): AttentionSettings {
  const parties = directParties(place);
  if (parties === undefined) return settings;
  const agents = settings.agents.map((agent) => ({
    ...agent,
    conversations: parties.includes(agent.id) ? ['*'] : [],
  }));
  return { ...settings, agents };
}

export type LoggedRow = Scanned<LogRow>;
