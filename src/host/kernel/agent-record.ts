// What the host remembers about one agent across all conversations: its focus, its last turns (to fence them and to
// count their sends), what it said lately (to refuse repeats) and its unprompted sends. The record is small and
// bounded, and has one state key per agent.
import { createHash } from 'node:crypto';
import { foldText } from '../../attention/index.ts';
import type { Store, UnitView, Write } from '../../store/store.ts';
import { agentStateKey } from './conversation.ts';

/** All lists have the newest entry first. */
export interface AgentRecord {
  focusUntil: number;
  turns: readonly TurnRecord[];
  /** Texts it sent, as hashes (`saidHash`). */
  said: readonly { conversation: string; hash: string; at: number }[];
  unprompted: readonly { conversation: string; at: number }[];
  /** The log position at which the last digest ended, and when that digest was made. */
  digest: { position: number; at: number };
}

export interface TurnRecord {
  id: string;
  /** Keys of the deliveries that it took. */
  deliveries: readonly string[];
  sends: number;
  ended: boolean;
  /** Private conversations that it has read. A message it sends elsewhere may quote them. */
  privateIn?: readonly string[];
}

const LIMITS = { turns: 32, said: 32, unprompted: 64 } as const;

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
  return { ...record, turns: [turn, ...others].slice(0, LIMITS.turns) };
}

/** A send as the record keeps it. */
export interface RecordedSend {
  conversation: string;
  textHash: string;
  turnId: string | undefined;
  /** It answers nothing, so it counts against the agent's budget. */
  unprompted: boolean;
  at: number;
}

/** The record after one more send. */
export function withSend(record: AgentRecord, send: RecordedSend): AgentRecord {
  const { conversation, textHash: hash, at } = send;
  const turn = findTurn(record, send.turnId);
  const counted = turn === undefined ? record : withTurn(record, { ...turn, sends: turn.sends + 1 });
  const unprompted = send.unprompted
    ? [{ conversation, at }, ...record.unprompted].slice(0, LIMITS.unprompted)
    : record.unprompted;
  const said = [{ conversation, hash, at }, ...record.said].slice(0, LIMITS.said);
  return { ...counted, unprompted, said };
}

/** Two texts with the same hash count as the same text: case, accents and white space make no difference. */
export function saidHash(text: string): string {
  return createHash('sha256')
    .update(foldText(text).replace(/\s+/g, ' ').trim())
    .digest('base64url')
    .slice(0, 22);
}
