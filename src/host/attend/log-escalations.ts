// An escalation is a record of the log: which question moved, from whom to whom, and why. It is written into the
// question's conversation, in the commit of the reaction or tick that caused it.
import type { ObligationEffect } from '../../attention/index.ts';
import type { ChatEventOf } from '../../protocol/chat-event.ts';
import { questionOf } from '../../protocol/derived-id.ts';
import type { UnitView } from '../../store/store.ts';
import { type Change, type ChangeUnit, addChange, runAfter } from '../kernel/change.ts';
import { placeOf } from '../kernel/conversation.ts';

/** Adds the records to the change. `unitFor` makes the unit that logs one; undefined where it cannot be logged. */
export function logEscalations(
  view: UnitView,
  change: Change,
  effects: readonly ObligationEffect[],
  unitFor: (event: ChatEventOf<'escalation'>) => ChangeUnit<unknown> | undefined,
): void {
  for (const event of effects.flatMap((effect) => escalationEvents(view, effect))) {
    const unit = unitFor(event);
    if (unit !== undefined) addChange(change, runAfter(view, change, unit));
  }
}

/** One record for each obligation that moved. */
function escalationEvents(view: UnitView, effect: ObligationEffect): ChatEventOf<'escalation'>[] {
  if (effect.type !== 'escalate') return [];
  return effect.moved.flatMap((moved) => {
    const question = view.row('log', questionOf(moved.eventId));
    if (question === undefined) return []; // retention or a delete took it; the debt goes on without it
    return [
      {
        eventId: moved.logId,
        at: view.now,
        ...placeOf(question.record.event),
        author: { id: 'earshot', kind: 'system' },
        type: 'escalation',
        targetEventId: question.key,
        recipient: effect.recipient,
        blockedOn: moved.recipient,
        cause: effect.reason,
        listedOn: effect.eventId,
      },
    ];
  });
}
