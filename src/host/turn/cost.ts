// What a turn costs when its harness does not say, and the line that says that a budget is reached.
import { estimatedUsage } from '../../protocol/turn-report.ts';
import type { TurnUsage } from '../../protocol/usage.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import type { AgentRecord } from '../kernel/agent-record.ts';
import { budgetLine, levelOf, spentToday } from '../kernel/budget.ts';
import { type Change, noChange } from '../kernel/change.ts';
import { agentName, type HostContext } from '../kernel/context.ts';
import { conversationIn } from '../kernel/conversation.ts';
import { newAcknowledgement, queueSend } from '../outbox/outbox-row.ts';
import type { TurnOutcome } from './turns.ts';

/** From the texts that the turn was about. Whatever else its model has read is not known here. */
export async function estimate(
  { store }: Pick<HostContext, 'store'>,
  deliveries: readonly string[],
  outcome: TurnOutcome,
): Promise<TurnUsage | undefined> {
  if (outcome === 'cancelled') return undefined;
  let chars = 0;
  for (const key of deliveries) {
    const delivery = await store.get('delivery', key);
    const about = delivery === undefined ? undefined : await store.get('log', delivery.source);
    const event = about?.record.event;
    if (event !== undefined && 'text' in event) chars += event.text?.length ?? 0;
  }
  return chars === 0 ? undefined : estimatedUsage(chars, 0);
}

/** One line in the room of the turn with which the budget of the day was reached. */
export function tellBudget(
  { context }: { context: HostContext },
  view: UnitView,
  agent: string,
  before: AgentRecord,
  after: AgentRecord,
  rows: readonly DeliveryRow[],
): Change {
  const budget = context.attention.agents.find(({ id }) => id === agent)?.budget;
  const [about] = rows;
  if (budget === undefined || about === undefined) return noChange();
  const isNew =
    levelOf(budget, spentToday(before, view.now)) === undefined &&
    levelOf(budget, spentToday(after, view.now)) !== undefined;
  const conversation = isNew ? conversationIn(view, about.conversation) : undefined;
  if (conversation === undefined) return noChange();
  const { kind } = conversation.place.conversation;
  const line = newAcknowledgement(
    {
      agent,
      eventId: about.source,
      surface: context.speakers.homeOf(conversation),
      conversation: about.conversation,
      now: view.now,
    },
    'budget',
    {
      text: budgetLine(agentName(context, agent), 'spent'),
      visibility: kind === 'dm' || kind === 'thread' ? kind : 'channel',
      mentions: [],
      directedness: 'ambient',
    },
  );
  return queueSend(line);
}
