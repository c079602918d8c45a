// What the host remembers about one agent across all conversations: its focus, its last turns (to fence them and to
// count their sends), what it said lately (to refuse repeats), what nobody asked it to say, and its answers that a
// platform refused. The record is small and bounded, and has one state key per agent.
import { createHash } from 'node:crypto';
import { foldText } from '../../attention/index.ts';
import type { Store, UnitView, Write } from '../../store/store.ts';
import type { Spent } from './budget.ts';
import { agentStateKey } from './conversation.ts';

/** All lists have the newest entry first. */
export interface AgentRecord {
  focusUntil: number;
  turns: readonly TurnRecord[];
  said: readonly Said[];
  unprompted: readonly { conversation: string; at: number }[];
  /** Tasks it has put to other agents, counted per conversation since a full hour ago. */
  tasks?: readonly { conversation: string; since: number; count: number }[];
  /** Its answers that a platform refused, and the deliveries that ask for another one. */
  undelivered?: readonly UndeliveredAnswer[];
  /** Conversations that it read by a tool and was handed nothing of, the newest last. */
  readIn?: readonly string[];
  /** What it has spent today (budget.ts). */
  spent?: Spent;
  /** Its last turns failed: how many, since when, and what the harness said about the last one. */
  failing?: Failing;
  /** Conversations that were told that it is not connected, since it was last there. The newest last. */
  awayTold?: readonly string[];
  /** The log position at which the last digest ended, and when that digest was made. */
  digest: { position: number; at: number };
}

export interface Failing {
  turns: number;
  since: number;
  at: number;
  error?: string;
}

/** A text it sent. */
export interface Said {
  conversation: string;
  /** Of `saidHash`. */
  hash: string;
  at: number;
  /** The message that it answers. */
  about?: string;
  turnId?: string;
}

export interface UndeliveredAnswer {
  /** The message that waits for an answer, and where it was said. */
  about: string;
  conversation: string;
  turnId?: string;
  /** The key of the delivery that asks for another answer. */
  delivery: string;
  /** How many answers to this message were refused. */
  times: number;
}

export interface TurnRecord {
  id: string;
  /** Keys of the deliveries that it took. */
  deliveries: readonly string[];
  /** Accepted sends, without those that failed for good. */
  sends: number;
  ended: boolean;
  /** It has not ended by itself: another turn has taken all that it had. */
  lost?: true;
  /** Private conversations that it has read. A message it sends elsewhere may quote them. */
  privateIn?: readonly string[];
}

const LIMITS = {
  turns: 32,
  said: 32,
  unprompted: 256,
  tasks: 64,
  undelivered: 16,
  readIn: 32,
  awayTold: 256,
} as const;
/** Turns that are remembered whether they have ended or not: what comes late from one that has ended is refused. */
const NEWEST_TURNS = 8;
export const HOUR_MS = 3_600_000;

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

/** A turn that has sent something has answered all it took, however it ends, and whether or not its end is ever told. */
export function hasAnswered(record: AgentRecord, turnId: string | null): boolean {
  return turnId !== null && (findTurn(record, turnId)?.sends ?? 0) > 0;
}

/** Where there are too many, one that has ended is forgotten before one that runs, but for the newest few. */
export function withTurn(record: AgentRecord, turn: TurnRecord): AgentRecord {
  const others = record.turns.filter((other) => other.id !== turn.id);
  const turns = [turn, ...others];
  if (turns.length <= LIMITS.turns) return { ...record, turns };
  const ended = turns.findLastIndex((one) => one.ended);
  const at = ended < NEWEST_TURNS ? turns.length - 1 : ended;
  return { ...record, turns: turns.toSpliced(at, 1) };
}

/** The record after one more conversation was told that it is not connected. */
export function withAwayTold(record: AgentRecord, conversation: string): AgentRecord {
  return { ...record, awayTold: [...(record.awayTold ?? []), conversation].slice(-LIMITS.awayTold) };
}

/** The record after one more turn has failed. */
export function withFailure(record: AgentRecord, error: string | undefined, at: number): AgentRecord {
  const { turns = 0, since = at } = record.failing ?? {};
  return { ...record, failing: { turns: turns + 1, since, at, ...(error === undefined ? {} : { error }) } };
}

/** The record after a turn has ended well. */
export function withoutFailure(record: AgentRecord): AgentRecord {
  const { failing, ...rest } = record;
  return failing === undefined ? record : rest;
}

/** A send as the record keeps it. */
export interface RecordedSend {
  conversation: string;
  textHash: string;
  turnId: string | undefined;
  /** The message that it answers. */
  about: string | undefined;
  /** What it counts against: an answer against nothing. */
  counts: 'nothing' | 'task' | 'unprompted';
  at: number;
}

/** The record after one more send. */
export function withSend(record: AgentRecord, send: RecordedSend): AgentRecord {
  const { conversation, textHash: hash, about, turnId, at } = send;
  const turn = findTurn(record, turnId);
  const next = turn === undefined ? record : withTurn(record, { ...turn, sends: turn.sends + 1 });
  const one: Said = { conversation, hash, at, ...(about && { about }), ...(turnId && { turnId }) };
  const said = [one, ...record.said].slice(0, LIMITS.said);
  if (send.counts === 'task') return { ...next, said, tasks: withTask(record, conversation, at) };
  if (send.counts === 'nothing') return { ...next, said };
  const recent = record.unprompted.filter((other) => at - other.at < HOUR_MS);
  return { ...next, said, unprompted: [{ conversation, at }, ...recent].slice(0, LIMITS.unprompted) };
}

/** The record after a send has failed for good: it counts for nothing any more. */
export function withoutSend(record: AgentRecord, send: Omit<RecordedSend, 'counts'>): AgentRecord {
  const { conversation, textHash, turnId, at } = send;
  const turn = findTurn(record, turnId);
  const next =
    turn === undefined ? record : withTurn(record, { ...turn, sends: Math.max(0, turn.sends - 1) });
  const isIt = (other: { conversation: string; at: number }): boolean =>
    other.conversation === conversation && other.at === at;
  return {
    ...next,
    said: withoutFirst(record.said, (other) => isIt(other) && other.hash === textHash),
    unprompted: withoutFirst(record.unprompted, isIt),
  };
}

function withoutFirst<T>(list: readonly T[], isIt: (one: T) => boolean): readonly T[] {
  const at = list.findIndex(isIt);
  return at < 0 ? list : list.toSpliced(at, 1);
}

function withTask(
  { tasks = [] }: AgentRecord,
  conversation: string,
  at: number,
): NonNullable<AgentRecord['tasks']> {
  const others = tasks.filter((one) => one.conversation !== conversation && at - one.since < HOUR_MS);
  const known = tasks.find((one) => one.conversation === conversation && at - one.since < HOUR_MS);
  const counted = { conversation, since: known?.since ?? at, count: (known?.count ?? 0) + 1 };
  return [counted, ...others].slice(0, LIMITS.tasks);
}

/** The record after it has read further conversations. */
export function withReading(record: AgentRecord, conversations: readonly string[]): AgentRecord {
  const others = (record.readIn ?? []).filter((key) => !conversations.includes(key));
  return { ...record, readIn: [...others, ...conversations].slice(-LIMITS.readIn) };
}

/** The record with an answer that was refused. One entry per message. */
export function withUndelivered(record: AgentRecord, answer: UndeliveredAnswer): AgentRecord {
  const others = (record.undelivered ?? []).filter(({ about }) => about !== answer.about);
  return { ...record, undelivered: [answer, ...others].slice(0, LIMITS.undelivered) };
}

/**
 * Two texts with the same hash count as the same text: case, accents and white space make no difference. The same words
 * to another recipient are not the same.
 */
export function saidHash(text: string, recipient?: string): string {
  const folded = foldText(text).replace(/\s+/g, ' ').trim();
  return createHash('sha256')
    .update(recipient === undefined ? folded : `${recipient} ${folded}`)
    .digest('base64url')
    .slice(0, 22);
}
