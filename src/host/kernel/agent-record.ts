// What the host remembers of an agent across conversations: focus, its last turns (to fence and to count their sends),
// what it said lately (to refuse repeating itself) and its unprompted sends. Small, bounded, one state key per agent.
import type { Store, UnitView, Write } from '../../store/store.ts';
import { agentStateKey } from './conversation.ts';

export interface AgentRecord {
  focusUntil: number;
  /** Newest first. */
  turns: readonly TurnRecord[];
  said: readonly { conversation: string; hash: string; at: number }[];
  unprompted: readonly { conversation: string; at: number }[];
  /** Log position the last digest ended at, and when it was made. */
  digest: { position: number; at: number };
}

export interface TurnRecord {
  id: string;
  /** Keys of the deliveries it took in. */
  deliveries: readonly string[];
  sends: number;
  ended: boolean;
  /** Private conversations it has read from: what it sends elsewhere may quote them. */
  privateIn?: readonly string[];
}

export const AGENT_RECORD_LIMITS = { turns: 32, said: 32, unprompted: 64 } as const;

export const EMPTY_AGENT_RECORD: AgentRecord = {
  focusUntil: 0,
  turns: [],
  said: [],
  unprompted: [],
  digest: { position: 0, at: 0 },
};

export async function readAgentRecord(store: Pick<Store, 'state'>, agent: string): Promise<AgentRecord> {
  return ((await store.state(agentStateKey(agent))) as AgentRecord | undefined) ?? EMPTY_AGENT_RECORD;
}

/** The record as a unit sees it. */
export function agentRecordIn(view: UnitView, agent: string): AgentRecord {
  return (view.state(agentStateKey(agent)) as AgentRecord | undefined) ?? EMPTY_AGENT_RECORD;
}

export function writeAgentRecord(agent: string, value: AgentRecord): Write {
  return { state: agentStateKey(agent), value };
}

export function findTurn(record: AgentRecord, id: string | undefined): TurnRecord | undefined {
  return id === undefined ? undefined : record.turns.find((turn) => turn.id === id);
}

export function withTurn(record: AgentRecord, turn: TurnRecord): AgentRecord {
  const others = record.turns.filter((other) => other.id !== turn.id);
  return { ...record, turns: [turn, ...others].slice(0, AGENT_RECORD_LIMITS.turns) };
}
