// From decisions to deliveries: one row for each agent that is handed the event, and an offer when a role was asked.
import type { Decision } from '../../attention/index.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { deadlineOf, isHanded, newDelivery, newestOf } from '../delivery/delivery-row.ts';
import { successor } from '../delivery/follow-up.ts';
import { queueDelivery, settle } from '../delivery/move.ts';
import { newOffer, openOffer } from '../delivery/offers.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import { ANSWERED_QUESTION } from '../kernel/questions.ts';
import type { CommitView } from './commit-view.ts';

export function deliveriesFor(
  commit: CommitView,
  decisions: readonly Decision[],
): Change & { rows: DeliveryRow[] } {
  const change = { ...noChange(), rows: [] as DeliveryRow[] };
  const handed = decisions.filter((decision) => isHanded(decision) && !deliversNothing(commit, decision));
  if (handed.length === 0) return change;
  const offered = handed.filter(({ offer }) => offer === 'one_at_a_time' || offer === 'to_all');
  const { row, rank, context } = commit;
  const offer =
    offered.length === 0
      ? undefined
      : newOffer(
          row,
          offered.map(({ agent }) => agent),
          offered.some((one) => one.offer === 'to_all'),
          rank,
          context.settings.limits.offerMs,
        );
  if (offer !== undefined) addChange(change, openOffer(offer));
  for (const decision of handed) {
    const waits =
      offer !== undefined && decision.offer === 'one_at_a_time' && offer.holders[0] !== decision.agent;
    const about = contentOf(commit, decision);
    const delivery = claimedAgain(commit, decision) ?? deliveryOf(commit, decision, about ?? row, waits);
    change.rows.push(delivery);
    // The answer to a question that the host waits for never reaches the harness.
    const isAnswer = about !== undefined && context.questions.takes(delivery, about);
    addChange(
      change,
      isAnswer ? settle(delivery, 'acknowledged', ANSWERED_QUESTION, row.at) : queueDelivery(delivery, about),
    );
  }
  return change;
}

/** A claim delivers nothing if its event is unknown, or if the agent was handed the event's text before. */
function deliversNothing({ view, target }: CommitView, decision: Decision): boolean {
  const { reason, refersTo, agent, eventId } = decision;
  if (reason !== 'claimed' || refersTo === undefined) return false;
  if (target !== refersTo) return true;
  const had = view.row('delivery', deliveryKey(refersTo, agent));
  if (had !== undefined && had.mode !== 'notify') return true;
  return newestOf(view, deliveryKey(eventId, agent))?.open === 1;
}

/** The agent claims what it had claimed before. That delivery has ended, so the text comes under a further id. */
function claimedAgain({ view, row }: CommitView, decision: Decision): DeliveryRow | undefined {
  if (decision.reason !== 'claimed') return undefined;
  const ended = newestOf(view, deliveryKey(decision.eventId, decision.agent));
  const change = { disposition: null, turnId: null, dueAt: null, dueFor: null };
  return ended === undefined ? undefined : successor(ended, 'retry', row.at, change, { decision });
}

/** The logged event whose content is delivered: for a claim the claimed event, else the event being written. */
function contentOf({ row, view }: CommitView, decision: Decision): LogRow | undefined {
  if (decision.reason !== 'claimed' || decision.refersTo === undefined) return row;
  return view.row('log', decision.refersTo);
}

function deliveryOf(
  { row, roster }: CommitView,
  decision: Decision,
  about: LogRow,
  waits: boolean,
): DeliveryRow {
  const { heldUntil } = decision;
  const due =
    heldUntil === undefined
      ? deadlineOf(decision, row.at, roster.limits.deadlineMs)
      : { dueAt: heldUntil, dueFor: 'hand' as const };
  return newDelivery({
    about,
    decision,
    state: waits || heldUntil !== undefined ? 'held' : 'queued',
    ...(waits ? { dueAt: null, dueFor: 'offer' } : due),
    now: row.at,
  });
}
