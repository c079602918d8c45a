// Says once a day in a room that an agent has used up its budget, when a person asks it there and has to wait.
import type { Decision } from '../../attention/index.ts';
import type { BudgetFacts } from '../../protocol/log-record.ts';
import type { RowRef } from '../../store/store.ts';
import { budgetLine, dayOf } from '../kernel/budget.ts';
import { type Change, mergeChanges, noChange } from '../kernel/change.ts';
import { agentName } from '../kernel/context.ts';
import { hostKey, newAcknowledgement, queueSend } from '../outbox/outbox-row.ts';
import { type CommitView, spokenBy, visibilityIn } from './commit-view.ts';

/** The rows that the unit looks at to say it once. */
export function budgetNoticeRows(budget: readonly BudgetFacts[], conversation: string): RowRef[] {
  return budget
    .filter(({ level }) => level === 'overspent')
    .map(({ agent, until }) => ['outbox', noticeKey(agent, conversation, until)]);
}

/** `until` is the end of the day, so its day is the next one. */
function noticeKey(agent: string, conversation: string, until: number): string {
  return hostKey(agent, 'ack-budget', `${conversation}@${dayOf(until)}`);
}

export function budgetNotices(commit: CommitView, decisions: readonly Decision[]): Change {
  const { event, facts } = commit.row.record;
  if (facts.budget === undefined || event.author.kind !== 'human') return noChange();
  return mergeChanges(decisions.map((decision) => noticeFor(commit, decision)));
}

function noticeFor(commit: CommitView, { agent, policy, trace, heldUntil }: Decision): Change {
  const waits = policy === 'must_respond' && trace.lowered?.includes('budget') === true;
  if (!waits || heldUntil === undefined) return noChange();
  const { context, view, row } = commit;
  const key = noticeKey(agent, row.conversation, heldUntil);
  if (view.row('outbox', key) !== undefined) return noChange();
  const text = budgetLine(agentName(context, agent), 'overspent');
  const said = { text, visibility: visibilityIn(commit), mentions: [], directedness: 'ambient' } as const;
  const line = newAcknowledgement(spokenBy(commit, { agent, eventId: row.key }), 'budget', said);
  return queueSend({ ...line, key });
}
