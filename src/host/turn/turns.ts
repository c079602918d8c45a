// Turns: what a harness reports about the model's work. A started turn takes its deliveries; an ended one settles them
// or gives them back. An ended turn is fenced: nothing it sends is accepted any more, so a cancelled turn can start
// again without two answers. Each start and end is also a record in the log, in the same commit.
import type { ChatEventOf } from '../../protocol/chat-event.ts';
import { EVENT_ID_CHARS, hostId } from '../../protocol/derived-id.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { SeenWireEvent } from '../../protocol/methods.ts';
import type { WireParticipants } from '../../protocol/participants.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import type { CommitInput } from '../attend/commit-event.ts';
import { decisionOf, detailOf } from '../delivery/delivery-row.ts';
import { escalateUnanswered } from '../delivery/escalate.ts';
import { followUp } from '../delivery/follow-up.ts';
import { leaveTurn, mergeInto, settle, takeGivenBack, takeTurn } from '../delivery/move.ts';
import { isSessionOpen } from '../session/session-row.ts';
import type { TurnUsage } from '../../protocol/usage.ts';
import type { Committer } from '../ingest/committer.ts';
import {
  type AgentRecord,
  type TurnRecord,
  agentRecordIn,
  findTurn,
  hasAnswered,
  readAgentRecord,
  withFailure,
  withTurn,
  withoutFailure,
  writeAgentRecord,
} from '../kernel/agent-record.ts';
import { type Change, addChange, mergeChanges, namesOf, noChange } from '../kernel/change.ts';
import { type Budgets, type Spent, withUsage } from '../kernel/budget.ts';
import type { HostContext } from '../kernel/context.ts';
import { agentStateKey, placeOf } from '../kernel/conversation.ts';
import { shortened } from '../kernel/event-id.ts';
import { type TurnFailure, failTurn, readFailure } from '../deliver/failed-turn.ts';
import type { ParticipantsOf } from '../read/participants.ts';
import { seenWhileQuiet } from '../read/seen-while-quiet.ts';
import { askAfterTurn, askingAfter, standsFor } from '../send/take-back.ts';
import { answerAskedAnew, answeredUntold } from './asked-anew.ts';
import { estimate, tellBudget } from './cost.ts';
import type { Growing } from './growing.ts';
import { fenceLosers, goesOn, noteBegun, takenAtEnd, type TurnSession, withoutLoss } from './lost-turns.ts';
import type { Prompts } from './prompts.ts';

export interface Turns {
  /** `composed`: the host composes for this harness. `session`: over which the turn is reported, if over one. */
  start(
    agent: string,
    turnId: string,
    eventIds: readonly string[],
    composed?: boolean,
    session?: TurnSession,
  ): Promise<{ superseded: string[]; seen: SeenWireEvent[]; streams: boolean } & Partial<WireParticipants>>;
  /** `told`: what it has cost, if the harness knows, and what went wrong, if it failed. */
  end(
    agent: string,
    turnId: string,
    outcome: TurnOutcome,
    told?: TurnTold,
    session?: TurnSession,
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
  growing: Pick<Growing, 'shows' | 'turnEnded'>;
}

export function createTurns(deps: TurnDeps): Turns {
  return {
    start(agent, turnId, eventIds, composed = false, session) {
      if (session !== undefined) noteBegun(session, turnId);
      return start(deps, agent, turnId, eventIds, composed);
    },
    async end(agent, turnId, outcome, { usage, ...told } = {}, session) {
      const failure = outcome === 'failed' ? await readFailure(deps.context, told) : undefined;
      const ended = { agent, turnId, phase: 'ended' as const, ...(failure && { failure }) };
      const answer = await end(deps, ended, outcome, usage, session);
      session?.begun.delete(turnId);
      return answer;
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
  const { visibilityMs } = deps.context.settings.limits;
  const keys = eventIds.map((eventId) => deliveryKey(eventId, agent));
  const { taken, superseded } = await applyTurn(deps, { agent, turnId, phase: 'started' }, keys, (view) => {
    const record = agentRecordIn(view, agent);
    const all = keys.map((key) => view.row('delivery', key));
    // A repeated start is the same turn: it stays fenced if it has ended, and keeps its count of sends.
    const known = findTurn(record, turnId) ?? { id: turnId, deliveries: [], sends: 0, ended: false };
    const turn = goesOn(known, all) ? { ...withoutLoss(known), ended: false } : known;
    const gone = (id: string, index: number): string[] => (all[index]?.open === 1 ? [] : [id]);
    // A start that its own end has overtaken takes nothing. Another turn may have the events by now.
    if (turn.ended)
      return { ...noChange(), rows: [], result: { taken: [], superseded: eventIds.flatMap(gone) } };
    // Another turn that had them has answered, and nobody could tell its harness from one that had died.
    const anew = answeredUntold(view, record, turnId, keys);
    const found = all.map((row) => (row !== undefined && anew.ended.includes(row.key) ? undefined : row));
    const [answered, open] = partition(found, (row) => isAnsweredBefore(record, row, turnId));
    // A harness with a session was handed it there, and may begin before its acknowledgement is stored.
    const pulls = !isSessionOpen(view.row('session', agent));
    const moved = open.map((row) =>
      pulls ? takeGivenBack(row, turnId, view.now + visibilityMs) : takeTurn(row, turnId),
    );
    const rows = moved.flatMap(({ row }) => row ?? []);
    const deliveries = [...new Set([...turn.deliveries, ...rows.map(({ key }) => key)])];
    const privateIn = [...new Set([...(turn.privateIn ?? []), ...rows.flatMap(privateOf)])];
    const change = mergeChanges([
      anew,
      ...moved,
      ...answered.map((row) => settle(row, 'responded', null, view.now)),
    ]);
    const others = fenceLosers(view, record, open, turnId);
    change.writes.push(writeAgentRecord(agent, withTurn(others, { ...turn, deliveries, privateIn })));
    const ended = eventIds.filter((_, index) => {
      const row = found[index];
      return row?.open !== 1 || answered.includes(row);
    });
    return { ...change, rows, result: { taken: rows, superseded: ended } };
  });
  const seen = await seenWhileQuiet(deps.context, agent, turnId, taken, composed);
  const [first] = taken;
  return {
    superseded,
    seen,
    streams: first !== undefined && deps.growing.shows(first.conversation),
    ...(first === undefined ? {} : await deps.participants(agent, first.conversation)),
  };
}

/** Whether an earlier turn has the delivery and has answered. */
function isAnsweredBefore(record: AgentRecord, row: DeliveryRow, turnId: string): boolean {
  return row.open === 1 && row.turnId !== turnId && hasAnswered(record, row.turnId);
}

function partition(
  rows: readonly (DeliveryRow | undefined)[],
  is: (row: DeliveryRow) => boolean,
): [DeliveryRow[], DeliveryRow[]] {
  const known = rows.filter((row) => row !== undefined);
  return [known.filter(is), known.filter((row) => !is(row))];
}

function privateOf(row: DeliveryRow): string[] {
  return detailOf(row).private === true ? [row.conversation] : [];
}

async function end(
  deps: TurnDeps,
  ended: TurnMark,
  outcome: TurnOutcome,
  reported: TurnUsage | undefined,
  session: TurnSession | undefined,
) {
  const { context, prompts } = deps;
  const { agent, turnId, failure } = ended;
  const known =
    findTurn(await readAgentRecord(context.store, agent), turnId) ??
    (await forgottenTurn(context, agent, turnId));
  const keys = known.deliveries;
  const usage = reported ?? (await estimate(context, keys, outcome));
  const mark: TurnMark = { ...ended, ...(usage && { usage }) };
  const { sendsCommitted, spent } = await applyTurn(deps, mark, keys, (view) => {
    const record = agentRecordIn(view, agent);
    const turn = withoutLoss(findTurn(record, turnId) ?? known);
    const had = keys.flatMap((key) => view.row('delivery', key) ?? []);
    const { rows, change: others } = takenAtEnd(view, had, { record, turn, outcome, session });
    // A turn is charged once, however often its end is told.
    const before = turn.ended || rows.length === 0 ? record : withUsage(record, usage, view.now);
    // The turn took several deliveries and reacted to one, or deferred it. That counts for all of them.
    const disposed = outcome === 'answered' ? rows.find((row) => row.disposition !== null) : undefined;
    const silent = rows.filter((row) => isUnanswered(row, turn));
    // Its answer was refused. One delivery asks for another one, for all that the turn took.
    const asking = turn.ended ? [] : askingAfter(view, before, turnId);
    const [asked, left] = partition(silent, (row) => asking.some((again) => standsFor(again, row)));
    const failed = failure === undefined ? [] : left;
    const ending = rows.filter((row) => !asked.includes(row) && !failed.includes(row));
    const change = mergeChanges(
      ending.map((row) => endOne(context, view, row, turn, outcome, disposed?.key)),
    );
    addChange(change, askAfterTurn(context, view, asking, asked));
    if (turn.sends > 0) addChange(change, answerAskedAnew(view, before, turn, rows));
    if (failure !== undefined) addChange(change, failTurn(context, view, failed, failure));
    addChange(change, others);
    const after = afterEnd(before, turn, outcome, failure, view.now);
    change.writes.push(writeAgentRecord(agent, withTurn(after, { ...turn, ended: true })));
    change.writes.push(...prompts.writesFor(agent, turnId));
    addChange(change, tellBudget(deps, view, agent, record, before, rows));
    return { ...change, rows, result: { sendsCommitted: turn.sends, spent: before.spent } };
  });
  prompts.written(agent, turnId);
  deps.growing.turnEnded(agent, turnId);
  if (spent !== undefined) await noteSpent(deps, agent, spent);
  return { sendsCommitted };
}

/** Other hosts hear of it once the budget is reached, so a turn waits for no state that all turns write. */
async function noteSpent({ context, budgets }: TurnDeps, agent: string, spent: Spent): Promise<void> {
  const { apply, attention, changes } = context;
  const before = budgets.facts(attention).length;
  budgets.note(agent, spent);
  if (changes.isAlone || budgets.facts(attention).length === before) return;
  await apply({
    states: changes.names,
    run: (view) => ({ writes: changes.tell(view, 'agent', [agent]), news: [], result: undefined }),
  });
}

/** Open deliveries that one agent can have. */
const OPEN_MAX = 1_000;

/** Messages of one turn that are looked at. One is enough: the turn has answered. */
const SENDS_MAX = 100;

/** A turn that the agent's record has forgotten, as the store has it: many may run at once, and the record is bounded. */
async function forgottenTurn({ store }: HostContext, agent: string, turnId: string): Promise<TurnRecord> {
  const [open, sent] = await Promise.all([
    store.scan('delivery', 'openByAgent', { eq: [agent, 1], limit: OPEN_MAX }),
    store.scan('outbox', 'byTurn', { eq: [turnId], limit: SENDS_MAX }),
  ]);
  const deliveries = open.flatMap((row) => (row.turnId === turnId ? [row.key] : []));
  const counts = sent.filter(
    ({ agent: by, kind, state }) => by === agent && kind === 'message' && !NOT_SAID.has(state),
  );
  return { id: turnId, deliveries, sends: counts.length, ended: false };
}

/** A message that no platform took, or no person agreed to, is no answer. */
const NOT_SAID: ReadonlySet<string> = new Set(['failed', 'cancelled']);

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
  const names = namesOf([...inputs.values()].map((input) => committer.unit(input)));
  return context.apply({
    states: [agentStateKey(mark.agent), ...names.states],
    reads: names.reads,
    rows: [['session', mark.agent], ...keys.map((key) => ['delivery', key] as const), ...names.rows],
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
  const isHeld = row.state === 'turn_taken' && row.dueFor !== 'lapse' && row.turnId === turn.id;
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
  // What this turn has put off stays so. What another one put off before, this one took and has answered.
  const isAnsweredNow = row.state === 'turn_taken' && turn.sends > 0;
  if (row.open === 0 || (row.dueFor === 'lapse' && !isAnsweredNow)) return noChange();
  if (row.turnId !== turn.id) return noChange();
  // A turn that has sent something has answered, however it ended. It is not run again.
  if (turn.sends > 0 || row.sends > 0) return settle(row, 'responded', null, now);
  // It was handed out again meanwhile. Whoever has it now says what becomes of it.
  if (row.state !== 'turn_taken') return noChange();
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
