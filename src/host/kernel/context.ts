// What every step of the pipeline is given: the ports, the settings, the bus for news and the one way to commit. The
// context decides nothing. A step can read the store; it can change it only through `apply`.
import { type ObligationOptions, type ObligationDirectory } from '../../attention/index.ts';
import type { GlyphTable } from '../../protocol/glyphs.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import type { Schedule } from '../../runtime/schedule.ts';
import type { Store } from '../../store/store.ts';
import type { Accounts } from './accounts.ts';
import { type Rhythms, createRhythms } from './rhythms.ts';
import type { Speakers } from './speakers.ts';
import type { Apply, HostBus, HostLog } from './change.ts';
import type { Changes } from './changes.ts';
import type { LogTail } from './log-tail.ts';
import type { AgentGate } from '../security/agent-gate.ts';
import type { Spans } from '../security/redact.ts';
import type { InForce } from './in-force.ts';
import type { NewFile } from '../outbox/file-row.ts';
import type { Shares } from '../security/shares.ts';
import type { Questions } from './questions.ts';
import type { Identity } from '../../protocol/identity.ts';
import type { WireAgentIdentity } from '../../protocol/participants.ts';

/** The store as steps see it. Only `apply` (change.ts) commits. */
export type StoreReader = Omit<Store, 'transact'>;

/** What does not change while the host runs. */
export interface HostParts {
  store: StoreReader;
  apply: Apply;
  /** The store's time. Everything due is compared with it. */
  clock: Clock;
  /** The time of the machine, for others who compare it with theirs. It may jump. */
  wall: Clock;
  random: Random;
  /** Long work waits here for its next turn, so that others have theirs. */
  schedule: Schedule;
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
  /** How much of the host each caller may use. */
  shares: Shares;
  bus: HostBus;
  /** How people write, for the compose windows. */
  rhythms: Rhythms;
  /** What other hosts of this store have changed. */
  changes: Changes;
  /** The log, as it goes on. */
  tail: LogTail;
  /** Conversations whose sources use ids that others use too. Their ids are looked for before they are used. */
  sharedIds: Set<string>;
  /** Files of people that are stored with the event of this id, in its commit. */
  filesToCome: Map<string, readonly NewFile[]>;
  /** The glyphs of an agent's reactions, and of reactions to its messages. */
  glyphsOf: (agent: string) => GlyphTable;
  /** Intervals of the obligations ladder. Tests shorten them. */
  obligationOptions: ObligationOptions;
}

/**
 * The parts, and the version of the settings that is in force. The settings may be replaced between two reads: whoever
 * decides something takes `held()` once and reads them there. Never take them out of the context when a step is made.
 */
export interface HostContext extends HostParts, InForce {
  /** This context with the version that is in force now. In it, nothing is ever replaced. */
  held(): HostContext;
}

export interface ContextSwitch {
  context: HostContext;
  /** From now on everything new is decided by these settings. What was begun under the others ends under them. */
  replace: (next: InForce) => void;
}

export function createContext(given: Omit<HostParts, 'rhythms'>, first: InForce): ContextSwitch {
  const parts: HostParts = { ...given, rhythms: createRhythms(given.bus) };
  let now = first;
  let held = holdOf(parts, first);
  const context: HostContext = {
    ...parts,
    get attention() {
      return now.attention;
    },
    get settings() {
      return now.settings;
    },
    get configVersion() {
      return now.configVersion;
    },
    get sensitive() {
      return now.sensitive;
    },
    get agentIds() {
      return now.agentIds;
    },
    rosterAt: (place, key) => now.rosterAt(place, key),
    held: () => held,
  };
  return {
    context,
    replace(next) {
      now = next;
      held = holdOf(parts, next);
    },
  };
}

function holdOf(parts: HostParts, version: InForce): HostContext {
  const held: HostContext = { ...parts, ...version, held: () => held };
  return held;
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
