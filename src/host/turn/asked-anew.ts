// What a turn took may be asked anew while it runs: its author edits it, deletes a line of it or goes on, or its deadline
// passes. The delivery that the turn took has ended then, and another one asks. An answer that names it is refused. But a
// turn of several messages may answer by naming another one, and then it has answered all the words that it was given.
// Only what has come since is asked.
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { decisionOf, detailOf, newestOf } from '../delivery/delivery-row.ts';
import { followUp } from '../delivery/follow-up.ts';
import { CORRECTED } from '../delivery/merge.ts';
import { revise, settle, supersede } from '../delivery/move.ts';
import { type AgentRecord, type TurnRecord, hasAnswered } from '../kernel/agent-record.ts';
import { type Change, mergeChanges, noChange } from '../kernel/change.ts';

/** Why a delivery ended whose successor asks the same words, and perhaps more. */
const ASKED_ANEW: ReadonlySet<string> = new Set(['edited', 'expired', 'retry', CORRECTED]);

/** What a turn was given: keys of logged events, and the numbers of the lines just before them. */
interface Given {
  words: ReadonlySet<string>;
  lines: ReadonlySet<number>;
}

/** What has been asked anew, and the deliveries of it that have ended now. */
export type AnsweredAnew = Change & { ended: readonly string[] };

/** The turn has answered. `rows`: what it took. `only`: nothing but these deliveries ends. */
export function answerAskedAnew(
  view: UnitView,
  record: AgentRecord,
  turn: TurnRecord,
  rows: readonly DeliveryRow[],
  only?: readonly string[],
): AnsweredAnew {
  const anew = new Map<string, DeliveryRow>();
  for (const row of rows) {
    if (row.turnId !== turn.id || row.state !== 'superseded' || !ASKED_ANEW.has(row.why ?? '')) continue;
    const next = newestOf(view, row.key);
    if (next?.open !== 1 || next.turnId === turn.id || hasAnswered(record, next.turnId)) continue;
    if (only === undefined || only.includes(next.key)) anew.set(next.key, next);
  }
  if (anew.size === 0) return { ...noChange(), ended: [] };
  const given = {
    words: new Set(rows.flatMap(wordsOf)),
    lines: new Set(rows.flatMap((row) => decisionOf(row).leadIn ?? [])),
  };
  const changes = [...anew.values()].map((next) => [next.key, askTheRest(next, given, view.now)] as const);
  return {
    ...mergeChanges(changes.map(([, change]) => change)),
    ended: changes.flatMap(([key, { writes }]) => (writes.length > 0 ? [key] : [])),
  };
}

/** The same for deliveries that a turn is about to take, and turns that have answered and whose end was never told. */
export function answeredUntold(
  view: UnitView,
  record: AgentRecord,
  turnId: string,
  keys: readonly string[],
): AnsweredAnew {
  const untold = record.turns.filter(({ id, ended, sends }) => id !== turnId && !ended && sends > 0);
  const answered = untold.map((turn) => {
    const rows = turn.deliveries.flatMap((key) => view.row('delivery', key) ?? []);
    return answerAskedAnew(view, record, turn, rows, keys);
  });
  return { ...mergeChanges(answered), ended: answered.flatMap(({ ended }) => ended) };
}

/** The logged events whose words it has. */
function wordsOf(row: DeliveryRow): readonly string[] {
  return detailOf(row).fragments ?? [row.source];
}

function askTheRest(next: DeliveryRow, { words, lines }: Given, now: number): Change {
  const asked = wordsOf(next);
  const fresh = asked.filter((id) => !words.has(id));
  const source = fresh.at(-1);
  const isHeld = next.state === 'held';
  if (source === undefined)
    return isHeld ? settle(next, 'responded', 'answered', now) : supersede(next, 'answered', now);
  const { leadIn = [], ...decided } = decisionOf(next);
  const before = leadIn.filter((line) => !lines.has(line));
  // A harness that has it knows which lines it has read. Those alone are no reason to hand it something new.
  const isWaiting = isHeld || next.state === 'queued';
  if (fresh.length === asked.length && (before.length === leadIn.length || !isWaiting)) return noChange();
  const detail = {
    decision: { ...decided, ...(before.length > 0 && { leadIn: before }) },
    ...(detailOf(next).fragments && { fragments: fresh }),
  };
  if (isHeld) return revise(next, { source }, detail);
  return followUp(next, { kind: 'edit', now, change: { source }, detail, mayHaveIt: true });
}
