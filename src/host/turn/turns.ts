// Turns: what a harness says about the model's work. A started turn takes its deliveries in; an ended one settles them,
// or gives them back. From its end on a turn is fenced: nothing it sends is accepted any more, so that a cancelled turn
// can be restarted merged without two answers.
import { deliveryKey } from '../../protocol/identity.ts';
import type { SeenWireEvent } from '../../protocol/methods.ts';
import type { Decision } from '../../attention/index.ts';
import type { UnitView, Write } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import {
  type AgentRecord,
  EMPTY_AGENT_RECORD,
  type TurnRecord,
  findTurn,
  withTurn,
} from '../kernel/agent-record.ts';
import type { HostContext, HostNews } from '../kernel/context.ts';
import { agentStateKey } from '../kernel/conversation.ts';
import { move, settle, supersede } from '../delivery/delivery-state.ts';
import { escalateUnanswered } from '../delivery/escalate.ts';
import { type FollowUpKind, followUp, replacedBy } from '../delivery/follow-up.ts';
import { type IngestDeps, commit } from '../ingest/ingest.ts';
import { seenWhileQuiet } from '../read/seen-while-quiet.ts';
import { tellAll } from '../kernel/tell.ts';

export interface Turns {
  start(
    agent: string,
    turnId: string,
    eventIds: readonly string[],
  ): Promise<{ superseded: string[]; seen: SeenWireEvent[] }>;
  end(agent: string, turnId: string, outcome: TurnOutcome): Promise<{ sendsCommitted: number }>;
}
export type TurnOutcome = 'answered' | 'silent' | 'cancelled' | 'failed';

/** A turn that failed before sending anything is tried again so often. */
const FAILED_TURNS = 3;

export function createTurns(deps: IngestDeps): Turns {
  return {
    start: (agent, turnId, eventIds) => start(deps, agent, turnId, eventIds),
    end: (agent, turnId, outcome) => end(deps, agent, turnId, outcome),
  };
}

async function start(deps: IngestDeps, agent: string, turnId: string, eventIds: readonly string[]) {
  const { context } = deps;
  const keys = eventIds.map((eventId) => deliveryKey(eventId, agent));
  const stateKey = agentStateKey(agent);
  const { taken, superseded } = await context.store.transact({
    states: [stateKey],
    rows: keys.map((key) => ['delivery', key] as const),
    run(view) {
      const record = (view.state(stateKey) as AgentRecord | undefined) ?? EMPTY_AGENT_RECORD;
      const found = keys.map((key) => view.row('delivery', key));
      const next = found.flatMap((row) =>
        row === undefined ? [] : (move(row, 'turn_taken', { turnId }) ?? []),
      );
      const writes: Write[] = next.map((row) => ({ table: 'delivery', row }));
      // Said twice, it is the same turn: one that has ended stays fenced, one that has sent has sent.
      const turn = findTurn(record, turnId) ?? { id: turnId, deliveries: [], sends: 0, ended: false };
      const deliveries = [...new Set([...turn.deliveries, ...next.map(({ key }) => key)])];
      const privateIn = [...new Set([...(turn.privateIn ?? []), ...next.flatMap(privateOf)])];
      writes.push({ state: stateKey, value: withTurn(record, { ...turn, deliveries, privateIn }) });
      const gone = eventIds.filter((_, index) => found[index]?.open !== 1);
      return { writes, result: { taken: next, superseded: gone } };
    },
  });
  await logTurn(deps, agent, turnId, 'started', taken);
  return { superseded, seen: await seenWhileQuiet(context, agent, turnId, taken) };
}

function privateOf({ conversation, detail }: DeliveryRow): string[] {
  return detail['private'] === true ? [conversation] : [];
}

/** The log's own record: it moves the agent's cursor and frees a disengaged agent. */
async function logTurn(
  deps: IngestDeps,
  agent: string,
  turnId: string,
  phase: 'started' | 'ended',
  rows: readonly DeliveryRow[],
): Promise<void> {
  const { context } = deps;
  for (const conversation of new Set(rows.map((row) => row.conversation))) {
    const first = rows.find((row) => row.conversation === conversation);
    const source = first === undefined ? undefined : await context.store.get('log', first.source);
    if (source === undefined) continue;
    const { platform, workspaceId, conversation: place } = source.record.event;
    await commit(
      deps,
      {
        eventId: `turn:${turnId}:${phase}:${agent}:${conversation}`.slice(0, 256),
        at: context.clock.now(),
        platform,
        workspaceId,
        conversation: place,
        author: { id: agent, kind: 'agent' },
        type: 'turn',
        phase,
        turnId,
        eventIds: rows.map((row) => row.eventId).slice(0, 64),
      },
      '',
    );
  }
}

async function end(deps: IngestDeps, agent: string, turnId: string, outcome: TurnOutcome) {
  const { context } = deps;
  const stateKey = agentStateKey(agent);
  const record = (await context.store.state(stateKey)) as AgentRecord | undefined;
  const known = findTurn(record ?? EMPTY_AGENT_RECORD, turnId);
  const keys = known?.deliveries ?? [];
  const ended = await context.store.transact({
    states: [stateKey],
    rows: keys.map((key) => ['delivery', key] as const),
    run(view) {
      const before = (view.state(stateKey) as AgentRecord | undefined) ?? EMPTY_AGENT_RECORD;
      const turn = findTurn(before, turnId) ?? { id: turnId, deliveries: [], sends: 0, ended: false };
      const rows = turn.ended ? [] : keys.flatMap((key) => view.row('delivery', key) ?? []);
      // Several fragments, one reaction or deferral: it is about all of them.
      const besides = outcome === 'answered' ? rows.find((row) => row.disposition !== null) : undefined;
      const parts = rows.map((row) => endOne(context, view, row, turn, outcome, besides?.key));
      const writes: Write[] = parts.flatMap((part) => part.writes);
      writes.push({ state: stateKey, value: withTurn(before, { ...turn, ended: true }) });
      return { writes, result: { sends: turn.sends, news: parts.flatMap((part) => part.news), rows } };
    },
  });
  await tellAll(context, ended.news);
  await logTurn(deps, agent, turnId, 'ended', ended.rows);
  return { sendsCommitted: ended.sends };
}

interface Ended {
  writes: Write[];
  news: HostNews[];
}

function endOne(
  context: HostContext,
  view: UnitView,
  row: DeliveryRow,
  turn: TurnRecord,
  outcome: TurnOutcome,
  besides: string | undefined,
): Ended {
  const { now } = view;
  if (row.open === 0 || row.dueFor === 'lapse' || row.turnId !== turn.id) return { writes: [], news: [] };
  // What has sent has answered, however it ended: it is never run again differently.
  if (turn.sends > 0 || row.sends > 0) return ending(settle(row, 'responded', null, now));
  if (outcome === 'cancelled') return kept(row);
  const owed = (row.detail['decision'] as Decision).reason === 'obligation';
  if (besides !== undefined && !owed) return ending(mergedInto(row, besides, now));
  if (outcome === 'failed') {
    const failures = Number(row.detail['failures'] ?? 0) + 1;
    if (failures < FAILED_TURNS) return again(row, 'retry', now, { failures });
    return unanswered(context, view, row, 'turn_failed');
  }
  if (row.policy !== 'must_respond') return ending(settle(row, 'ignored', null, now));
  // Silence on what must be answered: once with a reminder, then it is somebody else's to know. What is owed comes
  // back by its own ladder, at its own pace.
  if (owed || row.detail['reminder'] === true) return unanswered(context, view, row, 'no_answer');
  return again(row, 'reminder', now, { reminder: true });
}

function mergedInto(row: DeliveryRow, key: string, now: number): DeliveryRow | undefined {
  const over = supersede(row, 'merged', now);
  return over === undefined ? undefined : replacedBy(over, key);
}

/** Cancelled: the harness keeps it and starts again. */
function kept(row: DeliveryRow): Ended {
  const next = move(row, 'accepted', { turnId: null });
  return next === undefined
    ? { writes: [], news: [] }
    : { writes: [{ table: 'delivery', row: next }], news: [] };
}

/** Handed over once more. */
function again(row: DeliveryRow, kind: FollowUpKind, now: number, detail: Record<string, unknown>): Ended {
  return followUp(row, kind, now, {}, detail);
}

function ending(next: DeliveryRow | undefined): Ended {
  if (next === undefined) return { writes: [], news: [] };
  return { writes: [{ table: 'delivery', row: next }], news: [{ type: 'settled', delivery: next }] };
}

function unanswered(context: HostContext, view: UnitView, row: DeliveryRow, why: string): Ended {
  const failed = settle(row, 'failed', why, view.now);
  if (failed === undefined) return { writes: [], news: [] };
  const escalation = escalateUnanswered(context, view, row, why);
  return {
    writes: [{ table: 'delivery', row: failed }, ...escalation.writes],
    news: [{ type: 'settled', delivery: failed }, ...escalation.news],
  };
}
