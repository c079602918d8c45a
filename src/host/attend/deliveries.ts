// From decisions to deliveries: one row for each agent that is handed the event, and an offer when a role was asked.
import type { Decision } from '../../attention/index.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { deadlineOf, isAnswered, isHanded, newDelivery, newestOf } from '../delivery/delivery-row.ts';
import { successor } from '../delivery/follow-up.ts';
import { noteClaimedAgain, queueDelivery, settle } from '../delivery/move.ts';
import { newOffer, openOffer } from '../delivery/offers.ts';
import { type Change, addChange } from '../kernel/change.ts';
import { ANSWERED_QUESTION } from '../kernel/questions.ts';
import type { CommitView } from './commit-view.ts';

export function deliveriesFor(
  commit: CommitView,
  decisions: readonly Decision[],
): Change & { rows: DeliveryRow[] } {
  const change: Change & { rows: DeliveryRow[] } = { writes: [], news: [], rows: [] };
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
    const before = claimedBefore(commit, decision);
    const delivery =
      before === undefined
        ? deliveryOf(commit, decision, about ?? row, waits)
        : claimedAgain(before, decision, row.at);
    change.rows.push(delivery);
    if (before !== undefined) addChange(change, noteClaimedAgain(before, delivery.key));
    // The answer to a question that the host waits for never reaches the harness.
    const isAnswer = about !== undefined && context.questions.takes(commit.view, delivery, about);
    addChange(
      change,
      isAnswer ? settle(delivery, 'acknowledged', ANSWERED_QUESTION, row.at) : queueDelivery(delivery, about),
    );
  }
  return change;
}

/** A claim delivers nothing if its event is unknown, or if the agent was handed the text before, or has answered it. */
function deliversNothing({ view, target }: CommitView, decision: Decision): boolean {
  const { reason, refersTo, agent, eventId } = decision;
  if (reason !== 'claimed' || refersTo === undefined) return false;
  if (target !== refersTo) return true;
  const had = view.row('delivery', deliveryKey(refersTo, agent));
  if (had !== undefined && had.mode !== 'notify') return true;
  const before = newestOf(view, deliveryKey(eventId, agent));
  return before !== undefined && (before.open === 1 || isAnswered(view, before));
}

/** What the agent was handed when it had claimed this before. */
function claimedBefore({ view }: CommitView, decision: Decision): DeliveryRow | undefined {
  if (decision.reason !== 'claimed') return undefined;
  return newestOf(view, deliveryKey(decision.eventId, decision.agent));
}

/** That delivery has ended, so the text comes under a further id. */
function claimedAgain(before: DeliveryRow, decision: Decision, at: number): DeliveryRow {
  const change = { disposition: null, turnId: null, dueAt: null, dueFor: null };
  return successor(before, 'retry', at, change, { decision });
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
  const state = waits || heldUntil !== undefined ? 'held' : 'queued';
  const { dueAt, dueFor } = dueOf(decision, row.at, roster.limits.deadlineMs, waits);
  return newDelivery({ about, decision, state, dueAt, dueFor, now: row.at });
}

function dueOf(
  decision: Decision,
  at: number,
  deadlineMs: number,
  waits: boolean,
): Pick<DeliveryRow, 'dueAt' | 'dueFor'> {
  if (waits) return { dueAt: null, dueFor: 'offer' };
  const { heldUntil } = decision;
  return heldUntil === undefined
    ? deadlineOf(decision, at, deadlineMs)
    : { dueAt: heldUntil, dueFor: 'hand' };
}
