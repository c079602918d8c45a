// Turns: what a harness reports about the model's work. A started turn takes its deliveries; an ended one settles them
// or gives them back. An ended turn is fenced: nothing it sends is accepted any more, so a cancelled turn can start
// again without two answers. Each start and end is also a record in the log, in the same commit.
import type { ChatEventOf } from '../../protocol/chat-event.ts';
import { EVENT_ID_CHARS, hostId } from '../../protocol/derived-id.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { SeenWireEvent } from '../../protocol/methods.ts';
import type { WireParticipants } from '../../protocol/participants.ts';
import type { RowRef, UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import type { CommitInput } from '../attend/commit-event.ts';
import { decisionOf, detailOf } from '../delivery/delivery-row.ts';
import { escalateUnanswered } from '../delivery/escalate.ts';
import { followUp } from '../delivery/follow-up.ts';
import { leaveTurn, mergeInto, settle, takeTurn } from '../delivery/move.ts';
import type { TurnUsage } from '../../protocol/usage.ts';
import type { Committer } from '../ingest/committer.ts';
import {
  type AgentRecord,
  type TurnRecord,
  agentRecordIn,
  findTurn,
  readAgentRecord,
  withFailure,
  withTurn,
  withoutFailure,
  writeAgentRecord,
} from '../kernel/agent-record.ts';
import { type Change, addChange, mergeChanges, noChange } from '../kernel/change.ts';
import { type Budgets, withUsage } from '../kernel/budget.ts';
import type { HostContext } from '../kernel/context.ts';
import { agentStateKey, placeOf } from '../kernel/conversation.ts';
import { shortened } from '../kernel/event-id.ts';
import { type TurnFailure, failTurn, readFailure } from '../deliver/failed-turn.ts';
import type { ParticipantsOf } from '../read/participants.ts';
import { seenWhileQuiet } from '../read/seen-while-quiet.ts';
import { askAfterTurn } from '../send/take-back.ts';
import { estimate, tellBudget } from './cost.ts';
import type { Prompts } from './prompts.ts';

export interface Turns {
  /** `composed`: the host composes for this harness. */
  start(
    agent: string,
    turnId: string,
    eventIds: readonly string[],
    composed?: boolean,
  ): Promise<{ superseded: string[]; seen: SeenWireEvent[] } & Partial<WireParticipants>>;
  /** `told`: what it has cost, if the harness knows, and what went wrong, if it failed. */
  end(
    agent: string,
    turnId: string,
    outcome: TurnOutcome,
    told?: TurnTold,
  ): Promise<{ sendsCommitted: number }>;
}
/** What a harness tells about the end of a turn. */
export interface TurnTold {
  usage?: TurnUsage | undefined;
  error?: string | undefined;
  retryable?: boolean | undefined;
}
export type TurnOutcome = 'answered' | 'silent' | 'cancelled' | 'failed';

export interface TurnDeps {
  context: HostContext;
  committer: Committer;
  budgets: Budgets;
  participants: ParticipantsOf;
  prompts: Pick<Prompts, 'writesFor' | 'written'>;
}

export function createTurns(deps: TurnDeps): Turns {
  return {
    start: (agent, turnId, eventIds, composed = false) => start(deps, agent, turnId, eventIds, composed),
    async end(agent, turnId, outcome, { usage, ...told } = {}) {
      const failure = outcome === 'failed' ? await readFailure(deps.context, told) : undefined;
      const ended = { agent, turnId, phase: 'ended' as const, ...(failure && { failure }) };
      return end(deps, ended, outcome, usage);
    },
  };
}

async function start(
  deps: TurnDeps,
  agent: string,
  turnId: string,
  eventIds: readonly string[],
  composed: boolean,
) {
  const keys = eventIds.map((eventId) => deliveryKey(eventId, agent));
  const { taken, superseded } = await applyTurn(deps, { agent, turnId, phase: 'started' }, keys, (view) => {
    const record = agentRecordIn(view, agent);
    const found = keys.map((key) => view.row('delivery', key));
    const moved = found.flatMap((row) => (row === undefined ? [] : [takeTurn(row, turnId)]));
    const rows = moved.flatMap(({ row }) => row ?? []);
    // A repeated start is the same turn: it stays fenced if it has ended, and keeps its count of sends.
    const turn = findTurn(record, turnId) ?? { id: turnId, deliveries: [], sends: 0, ended: false };
    const deliveries = [...new Set([...turn.deliveries, ...rows.map(({ key }) => key)])];
    const privateIn = [...new Set([...(turn.privateIn ?? []), ...rows.flatMap(privateOf)])];
    const change = mergeChanges(moved);
    change.writes.push(writeAgentRecord(agent, withTurn(record, { ...turn, deliveries, privateIn })));
    const ended = eventIds.filter((_, index) => found[index]?.open !== 1);
    return { ...change, rows, result: { taken: rows, superseded: ended } };
  });
  const seen = await seenWhileQuiet(deps.context, agent, turnId, taken, composed);
  const [first] = taken;
  return {
    superseded,
    seen,
    ...(first === undefined ? {} : await deps.participants(agent, first.conversation)),
  };
}

function privateOf(row: DeliveryRow): string[] {
  return detailOf(row).private === true ? [row.conversation] : [];
}

async function end(deps: TurnDeps, ended: TurnMark, outcome: TurnOutcome, reported: TurnUsage | undefined) {
  const { context, budgets, prompts } = deps;
  const { agent, turnId, failure } = ended;
  const known = findTurn(await readAgentRecord(context.store, agent), turnId);
  const keys = known?.deliveries ?? [];
  const usage = reported ?? (await estimate(context, keys, outcome));
  const mark: TurnMark = { ...ended, ...(usage && { usage }) };
  const { sendsCommitted, spent } = await applyTurn(deps, mark, keys, (view) => {
    const record = agentRecordIn(view, agent);
    const turn = findTurn(record, turnId) ?? { id: turnId, deliveries: [], sends: 0, ended: false };
    const rows = turn.ended ? [] : keys.flatMap((key) => view.row('delivery', key) ?? []);
    // A turn is charged once, however often its end is told.
    const before = turn.ended || rows.length === 0 ? record : withUsage(record, usage, view.now);
    // The turn took several deliveries and reacted to one, or deferred it. That counts for all of them.
    const disposed = outcome === 'answered' ? rows.find((row) => row.disposition !== null) : undefined;
    const failed = failure === undefined ? [] : rows.filter((row) => isUnanswered(row, turn));
    const change = mergeChanges(
      rows.map((row) =>
        failed.includes(row) ? noChange() : endOne(context, view, row, turn, outcome, disposed?.key),
      ),
    );
    if (failure !== undefined) addChange(change, failTurn(context, view, failed, failure));
    const after = afterEnd(before, turn, outcome, failure, view.now);
    change.writes.push(writeAgentRecord(agent, withTurn(after, { ...turn, ended: true })));
    change.writes.push(...prompts.writesFor(agent, turnId));
    if (!turn.ended && before.undelivered !== undefined)
      addChange(change, askAfterTurn(context, view, before.undelivered, turnId));
    addChange(change, tellBudget(deps, view, agent, record, before, rows));
    return { ...change, rows, result: { sendsCommitted: turn.sends, spent: before.spent } };
  });
  prompts.written(agent, turnId);
  if (spent !== undefined) budgets.note(agent, spent);
  return { sendsCommitted };
}

/** Its last turns failed until one ends well. A cancelled turn says nothing about that. */
function afterEnd(
  record: AgentRecord,
  turn: TurnRecord,
  outcome: TurnOutcome,
  failure: TurnFailure | undefined,
  now: number,
): AgentRecord {
  if (turn.ended || outcome === 'cancelled') return record;
  return failure === undefined || turn.sends > 0
    ? withoutFailure(record)
    : withFailure(record, failure.error, now);
}

interface TurnMark {
  agent: string;
  turnId: string;
  phase: 'started' | 'ended';
  usage?: TurnUsage;
  failure?: TurnFailure;
}

/** The id of a turn's record in the log of one conversation. */
export function turnRecordId(
  { agent, turnId, phase }: Omit<TurnMark, 'usage' | 'failure'>,
  conversation: string,
): string {
  const id = hostId('turn', turnId, phase, agent, conversation);
  return id.length <= EVENT_ID_CHARS ? id : shortened('turn', id);
}

type RecordDeps = Pick<TurnDeps, 'context' | 'committer'>;

/**
 * Commits a change of the turn together with its record in the log of every conversation it concerns. The fold of these
 * records moves the agent's cursor and ends its disengagement.
 */
async function applyTurn<R>(
  { context, committer }: RecordDeps,
  mark: TurnMark,
  keys: readonly string[],
  run: (view: UnitView) => Change & { rows: readonly DeliveryRow[]; result: R },
): Promise<R> {
  const inputs = await recordInputs({ context, committer }, mark, keys);
  const units = [...inputs.values()].map((input) => committer.unit(input));
  const unitRows = units.flatMap(({ rows = [], fresh }): RowRef[] =>
    fresh === undefined ? [...rows] : [...rows, fresh],
  );
  return context.apply({
    states: [...new Set([agentStateKey(mark.agent), ...units.flatMap(({ states }) => states)])],
    rows: [...keys.map((key) => ['delivery', key] as const), ...unitRows],
    run(view) {
      const { rows, result, writes, news } = run(view);
      const change = { writes, news, result };
      for (const conversation of new Set(rows.map((row) => row.conversation))) {
        const input = inputs.get(conversation);
        if (input !== undefined) addChange(change, committer.unit(withEventIds(input, rows)).run(view));
      }
      return change;
    },
  });
}

/** One prepared record for each conversation of these deliveries. */
async function recordInputs(
  { context: { store, clock }, committer }: RecordDeps,
  mark: TurnMark,
  keys: readonly string[],
): Promise<Map<string, CommitInput>> {
  const { agent, turnId, phase, failure } = mark;
  const inputs = new Map<string, CommitInput>();
  for (const key of keys) {
    const row = await store.get('delivery', key);
    if (row === undefined || inputs.has(row.conversation)) continue;
    const source = await store.get('log', row.source);
    if (source === undefined) continue;
    const event: ChatEventOf<'turn'> = {
      eventId: turnRecordId(mark, row.conversation),
      at: clock.now(),
      ...placeOf(source.record.event),
      author: { id: agent, kind: 'agent' },
      type: 'turn',
      phase,
      turnId,
      eventIds: [],
      // The cost of a turn in several conversations is told in the first.
      ...(mark.usage !== undefined && inputs.size === 0 && { usage: mark.usage }),
      ...(failure !== undefined && { outcome: 'failed' }),
      ...(failure?.error !== undefined && { error: failure.error }),
    };
    inputs.set(row.conversation, await committer.prepare(event, undefined, 'host'));
  }
  return inputs;
}

/** The most events that a turn's record names. */
const NAMED_MAX = 64;

function withEventIds(input: CommitInput, rows: readonly DeliveryRow[]): CommitInput {
  const eventIds = rows.map((row) => row.eventId).slice(0, NAMED_MAX);
  return { ...input, event: { ...(input.event as ChatEventOf<'turn'>), eventIds } };
}

/** The turn still has it, and nothing was sent for it. */
function isUnanswered(row: DeliveryRow, turn: TurnRecord): boolean {
  const isHeld = row.open === 1 && row.dueFor !== 'lapse' && row.turnId === turn.id;
  return isHeld && turn.sends === 0 && row.sends === 0;
}

/** `mergeKey`: the delivery of the same turn that was reacted to or deferred. The others are merged into it. */
function endOne(
  context: HostContext,
  view: UnitView,
  row: DeliveryRow,
  turn: TurnRecord,
  outcome: TurnOutcome,
  mergeKey: string | undefined,
): Change {
  const { now } = view;
  if (row.open === 0 || row.dueFor === 'lapse' || row.turnId !== turn.id) return noChange();
  // A turn that has sent something has answered, however it ended. It is not run again.
  if (turn.sends > 0 || row.sends > 0) return settle(row, 'responded', null, now);
  if (outcome === 'cancelled') return leaveTurn(row);
  const owed = decisionOf(row).reason === 'obligation';
  if (mergeKey !== undefined && !owed) return mergeInto(row, mergeKey, now);
  const { reminder } = detailOf(row);
  if (row.policy !== 'must_respond') return settle(row, 'ignored', null, now);
  // No answer to what must be answered: the agent is reminded once, then it is escalated. An obligation is not reminded
  // here, because its own ladder asks again.
  if (owed || reminder === true) return unanswered(context, view, row, 'no_answer');
  return followUp(row, { kind: 'reminder', now, detail: { reminder: true } });
}

function unanswered(context: HostContext, view: UnitView, row: DeliveryRow, why: string): Change {
  return mergeChanges([settle(row, 'failed', why, view.now), escalateUnanswered(context, view, row, why)]);
}
