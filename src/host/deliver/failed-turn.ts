// A turn that failed: its questions are asked again after growing pauses, so that an outage of some minutes loses none
// of them. Whoever asked is told at once that something is wrong, and again when it is given up; the lead, or a person,
// gets what was given up. The pauses are due times of rows, so a restart changes nothing.
import { printableLine } from '../../protocol/identity.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { detailOf } from '../delivery/delivery-row.ts';
import { escalateUnanswered } from '../delivery/escalate.ts';
import { followUp } from '../delivery/follow-up.ts';
import { revise, settle } from '../delivery/move.ts';
import { agentRecordIn, hasAnswered, withFailure, writeAgentRecord } from '../kernel/agent-record.ts';
import { type Change, addChange, mergeChanges, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { agentStateKey } from '../kernel/conversation.ts';
import { tellAsker } from '../outbox/trouble-lines.ts';
import { redact } from '../security/redact.ts';

export const FAILED_TURN_LIMITS = {
  /** The pause before each further turn. The last one is used again and again. */
  pausesMs: [5_000, 15_000, 45_000, 120_000, 240_000],
  /** A question is given up when its turns have failed for so long, and so often. */
  giveUpAfterMs: 600_000,
  turns: 3,
  /** How much is kept of what the harness says about it. */
  errorChars: 300,
} as const;

/** What the harness says about a failed turn. */
export interface TurnFailure {
  /** One line, without secrets. */
  error?: string;
  /** False: trying again is useless. */
  retryable: boolean;
}

export async function readFailure(
  { findSecrets }: Pick<HostContext, 'findSecrets'>,
  told: { error?: string | undefined; retryable?: boolean | undefined },
): Promise<TurnFailure> {
  const { error = '', retryable = true } = told;
  const line = printableLine(redact(error, findSecrets(error)), FAILED_TURN_LIMITS.errorChars);
  return { retryable, ...(line === '' ? {} : { error: line }) };
}

/** `rows`: what the turn was asked and has not answered. A turn may be about several conversations. */
export function failTurn(
  context: HostContext,
  view: UnitView,
  rows: readonly DeliveryRow[],
  failure: TurnFailure,
): Change {
  const places = Map.groupBy(rows, ({ conversation }) => conversation);
  return mergeChanges([...places.values()].map((asked) => failPlace(context, view, asked, failure)));
}

/** What was asked in one place is asked again together: nothing is given up while a newer question goes on. */
function failPlace(
  context: HostContext,
  view: UnitView,
  rows: readonly DeliveryRow[],
  failure: TurnFailure,
): Change {
  const { now } = view;
  const isGivenUp = !failure.retryable || rows.every((row) => isExhausted(row, now));
  const failures = Math.min(...rows.map((row) => detailOf(row).failures ?? 0));
  const { pausesMs } = FAILED_TURN_LIMITS;
  const retryAt = now + (pausesMs[failures] ?? pausesMs.at(-1) ?? 0);
  const change = noChange();
  const asked = rows.findLast(({ policy }) => policy === 'must_respond');
  const isTold = rows.some((row) => detailOf(row).toldTrouble === true);
  if (asked !== undefined && (isGivenUp || !isTold))
    addChange(change, tellAsker(context, view, asked, isGivenUp ? 'gave-up' : 'trouble'));
  for (const row of rows)
    addChange(
      change,
      isGivenUp ? giveUp(context, view, row, failure) : askAgain(row, now, retryAt, failure, asked),
    );
  for (const { agent, key, conversation } of rows.slice(-1))
    change.news.push({ type: 'turn_failed', agent, conversation, key, error: failure.error, isGivenUp });
  return change;
}

function isExhausted(row: DeliveryRow, now: number): boolean {
  const { failures = 0, failingSince = now } = detailOf(row);
  const { turns, giveUpAfterMs } = FAILED_TURN_LIMITS;
  return failures + 1 >= turns && now - failingSince >= giveUpAfterMs;
}

function askAgain(
  row: DeliveryRow,
  now: number,
  retryAt: number,
  { error }: TurnFailure,
  asked: DeliveryRow | undefined,
): Change {
  const { failures = 0, failingSince = now } = detailOf(row);
  const detail = {
    failures: failures + 1,
    failingSince,
    ...(error === undefined ? {} : { error }),
    ...(asked === undefined ? {} : { toldTrouble: true as const }),
  };
  return followUp(row, { kind: 'retry', now, detail, heldUntil: retryAt });
}

function giveUp(context: HostContext, view: UnitView, row: DeliveryRow, { error }: TurnFailure): Change {
  return mergeChanges([
    settle(row, 'failed', 'turn_failed', view.now, {}, error === undefined ? {} : { error }),
    escalateUnanswered(context, view, row, 'turn_failed', error),
  ]);
}

/**
 * A new session does not have a delivery whose turn an earlier one had begun: the harness died in the middle of it. If
 * the turn had answered, it is done. Else, the first time, it is handed over again at once, because restarts happen. After
 * that it is a turn that failed. True when it may be handed over now.
 */
export function afterCrash(
  context: HostContext,
  { key, agent, conversation }: DeliveryRow,
): Promise<boolean> {
  return context.apply<boolean>({
    states: [agentStateKey(agent), conversation],
    rows: [['delivery', key]],
    run(view) {
      const row = view.row('delivery', key);
      if (row?.state !== 'turn_taken') return { ...noChange(), result: row?.open === 1 };
      if (hasAnswered(agentRecordIn(view, agent), row.turnId))
        return { ...settle(row, 'responded', null, view.now), result: false };
      if (detailOf(row).crashed !== true) return { ...revise(row, {}, { crashed: true }), result: true };
      const change = failTurn(context, view, [row], { retryable: true, error: CRASHED });
      const record = withFailure(agentRecordIn(view, agent), CRASHED, view.now);
      change.writes.push(writeAgentRecord(agent, record));
      return { ...change, result: false };
    },
  });
}

const CRASHED = 'its harness ended in the middle of the turn';
