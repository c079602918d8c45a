// A send that will never be shown: a platform refused it for good. It counts for nothing any more, neither against a
// budget nor as an answer. If nothing else answers its event, the agent is asked for another answer by a delivery of
// its own. That delivery waits a little, because the agent was told by its call and may answer differently at once:
// while its turn runs until the turn ends, else for `answerAgainMs`. A later answer ends it (licence.ts).
import type { Decision } from '../../attention/index.ts';
import { undeliveredId } from '../../protocol/derived-id.ts';
import { printableLine } from '../../protocol/identity.ts';
import type { NotShown } from '../../protocol/not-shown.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow, LogRow, OutboxRow } from '../../store/tables.ts';
import { deadlineOf, decisionOf, newDelivery } from '../delivery/delivery-row.ts';
import { escalateUnanswered } from '../delivery/escalate.ts';
import { mergeInto, queueDelivery, releaseHeld, takeAnswerBack } from '../delivery/move.ts';
import {
  type AgentRecord,
  agentRecordIn,
  findTurn,
  saidHash,
  withUndelivered,
  withoutSend,
  writeAgentRecord,
} from '../kernel/agent-record.ts';
import { type Change, addChange, mergeChanges, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { decisionForAgent } from '../kernel/log-row.ts';
import { answeredDelivery, messageBodyOf } from '../outbox/outbox-row.ts';
import { saidWith } from './read-files.ts';

/** After so many refused answers to one event the agent is not asked again, and its lead or a person is told. */
const REFUSED_ANSWERS = 3;

/** `answers` is the logged event that the send answers. */
export function takeBack(
  context: HostContext,
  view: UnitView,
  row: OutboxRow,
  answers: LogRow | undefined,
): Change {
  const change = noChange();
  const key = answeredDelivery(row);
  const delivery = key === undefined ? undefined : view.row('delivery', key);
  if (delivery !== undefined) addChange(change, takeAnswerBack(view, delivery));
  const record = withoutSend(agentRecordIn(view, row.agent), sentAs(row));
  const again =
    answers === undefined || isAnsweredElse(record, row, answers)
      ? undefined
      : askAgain(context, view, record, row, answers, delivery);
  change.writes.push(writeAgentRecord(row.agent, again?.record ?? record));
  if (again !== undefined) addChange(change, again);
  return change;
}

/** The send as the agent's record has it. */
export function sentAs(row: OutboxRow) {
  const { text, recipient, attachments = [] } = messageBodyOf(row);
  const { conversation, createdAt: at } = row;
  const about = row.inReplyTo ?? undefined;
  return {
    conversation,
    textHash: saidHash(saidWith(text, attachments), recipient),
    turnId: row.turnId ?? undefined,
    about,
    at,
  };
}

/** Whether the agent has another answer under way: to the same event, or by the same turn in the same place. */
function isAnsweredElse({ said }: AgentRecord, row: OutboxRow, answers: LogRow): boolean {
  return said.some(
    ({ about, turnId, conversation }) =>
      (conversation === answers.conversation || conversation === row.conversation) &&
      (about === row.inReplyTo || (turnId !== undefined && turnId === row.turnId)),
  );
}

/** A new delivery that tells the agent that its answer did not arrive. */
function askAgain(
  context: HostContext,
  view: UnitView,
  record: AgentRecord,
  row: OutboxRow,
  answers: LogRow,
  delivery: DeliveryRow | undefined,
): (Change & { record: AgentRecord }) | undefined {
  const decided = delivery === undefined ? decisionForAgent(answers, row.agent) : decisionOf(delivery);
  if (decided === undefined) return undefined;
  const about = answers.key;
  const before = record.undelivered?.find((one) => one.about === about);
  const times = (before?.times ?? 0) + 1;
  if (times >= REFUSED_ANSWERS) {
    const told =
      delivery === undefined || decided.policy !== 'must_respond'
        ? noChange()
        : escalateUnanswered(context, view, delivery, 'not_delivered');
    return { ...told, record };
  }
  const eventId = undeliveredId(about, row.eventId);
  const decision: Decision = { ...decided, eventId, refersTo: about, mode: 'notify' };
  const running = findTurn(record, row.turnId ?? undefined)?.ended === false;
  const waitMs = running ? context.attention.limits.deadlineMs : context.settings.limits.answerAgainMs;
  const asked = newDelivery({
    about: answers,
    decision,
    state: 'held',
    dueAt: view.now + waitMs,
    dueFor: 'hand',
    now: view.now,
    detail: { undelivered: true, notShown: notShownOf(row) },
  });
  const { conversation } = answers;
  const ofTurn = running && row.turnId !== null ? { turnId: row.turnId } : {};
  const refused = { about, conversation, delivery: asked.key, times, ...ofTurn };
  return { ...queueDelivery(asked, answers), record: withUndelivered(record, refused) };
}

/** How much of a platform's reason the agent is shown. */
const PROBLEM_CHARS = 200;

function notShownOf({ eventId, error }: OutboxRow): NotShown {
  const reason = printableLine(error ?? '', PROBLEM_CHARS);
  return { eventId, why: 'not_delivered', ...(reason === '' ? {} : { reason }) };
}

/** The deliveries that ask for another answer of this turn, as long as they wait for its end. */
export function askingAfter(
  view: UnitView,
  { undelivered = [] }: AgentRecord,
  turnId: string,
): DeliveryRow[] {
  return undelivered
    .flatMap(({ delivery, turnId: turn }) => (turn === turnId ? (view.row('delivery', delivery) ?? []) : []))
    .filter(({ state }) => state === 'held');
}

/**
 * The turn has ended without another answer, so the agent is asked now. The refused answer was about all that its turn
 * took, and so is this question: `lines` are merged into it.
 */
export function askAfterTurn(
  { attention }: HostContext,
  view: UnitView,
  asking: readonly DeliveryRow[],
  lines: readonly DeliveryRow[],
): Change {
  return mergeChanges(
    asking.map((row) => {
      const merged = lines.filter((line) => standsFor(row, line));
      const isOwed = merged.some(({ policy }) => policy === 'must_respond');
      const policy = isOwed ? 'must_respond' : row.policy;
      const due = deadlineOf({ ...decisionOf(row), policy }, view.now, attention.limits.deadlineMs);
      const ended = merged.map((line) => mergeInto(line, row.key, view.now));
      return mergeChanges([releaseHeld(row, due, policy), ...ended]);
    }),
  );
}

/** Whether this question asks for the line too. A debt has a ladder of its own that asks again. */
export function standsFor({ conversation }: DeliveryRow, line: DeliveryRow): boolean {
  return line.conversation === conversation && decisionOf(line).reason !== 'obligation';
}
