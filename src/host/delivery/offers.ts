// Offers: a role mention is offered to the holders of the role, one at a time; a direct message that could be for several
// agents to all of them at once. This file owns the offer rows.
//
//   with one holder ─▶ with the next ─▶ … ─▶ closed: answered, resolved, deleted, or every holder has had it
//
// The offer rests while somebody holds a claim on the event, and goes on when the claim ends without an answer. The row
// has the event's key. A holder's delivery is `held` until the offer reaches that holder.
import { shortKey } from '../../attention/index.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { UnitView, Write } from '../../store/store.ts';
import type { DeliveryRow, OfferRow } from '../../store/tables.ts';
import { fileItem, inboxKeys } from '../inbox/inbox-row.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import type { ConversationState } from '../kernel/conversation.ts';
import { releaseHeld, supersede } from './move.ts';

/**
 * A new offer. Holders are sorted by rank; those of equal rank take turns in coming first. Made to all at once, it has gone
 * round from the start, and has the time that going round would take.
 */
export function newOffer(
  event: { key: string; conversation: string; seq: number; at: number },
  agents: readonly string[],
  toAll: boolean,
  rank: (agent: string) => number,
  offerMs: number,
): OfferRow {
  const from = event.seq % agents.length;
  const inTurn = [...agents.slice(from), ...agents.slice(0, from)].map((agent) => ({
    agent,
    at: rank(agent),
  }));
  const holders = inTurn.toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ agent }) => agent);
  const { key, conversation, at } = event;
  const turn = toAll ? holders.length : 0;
  return { key, conversation, holders, turn, open: 1, dueAt: at + offerMs * Math.max(1, turn) };
}

export function openOffer(offer: OfferRow): Change {
  return { writes: [put(offer)], news: [{ type: 'due' }] };
}

/** The offer rests until the given time, because somebody holds a claim. */
export function restOffer(offer: OfferRow | undefined, until: number): Change {
  if (offer === undefined || offer.open === 0) return noChange();
  return { writes: [put({ ...offer, dueAt: until })], news: [{ type: 'due' }] };
}

/** The current holder declined, so the offer moves on now instead of waiting out its time. */
export function passOffer(view: UnitView, eventId: string, agent: string): Change {
  const offer = view.row('offer', eventId);
  if (offer === undefined || offer.open === 0 || offer.holders[offer.turn] !== agent) return noChange();
  return restOffer(offer, view.now);
}

/** Closes the offer where all that its holders were given ends anyway. */
export function closeOffer(view: UnitView, eventId: string): Change {
  const offer = view.row('offer', eventId);
  if (offer === undefined || offer.open === 0) return noChange();
  return { writes: [put({ ...offer, open: 0, dueAt: null })], news: [] };
}

/** Closes the offer: answered, resolved or deleted. It withdraws every holder's delivery but that of `by`. */
export function endOffer(
  view: UnitView,
  eventId: string,
  why: string,
  by: string | undefined,
): Change & { ended: string[] } {
  const offer = view.row('offer', eventId);
  const change = { ...noChange(), ended: [] as string[] };
  if (offer === undefined || offer.open === 0) return change;
  change.writes.push(put({ ...offer, open: 0, dueAt: null }));
  for (const agent of offer.holders) {
    const row = agent === by ? undefined : view.row('delivery', deliveryKey(eventId, agent));
    const withdrawn = row === undefined ? undefined : supersede(row, why, view.now);
    if (withdrawn?.row === undefined) continue;
    change.ended.push(withdrawn.row.key);
    addChange(change, withdrawn);
  }
  return change;
}

/** The time with one holder is over. The offer rests while a claim lasts, ends if answered, and else moves on. */
export function offerDue(
  view: UnitView,
  offer: OfferRow,
  conversation: ConversationState | undefined,
  offerMs: number,
): Change {
  const event = shortKey(offer.key);
  const claim = conversation?.attention.claims.find((held) => held.event === event && held.until > view.now);
  if (claim !== undefined) return { writes: [put({ ...offer, dueAt: claim.until })], news: [] };
  const answered = conversation?.attention.recent.find((recent) => recent.event === event)?.answeredBy ?? [];
  if (answered.length > 0) return endOffer(view, offer.key, 'answered_by_other', undefined);
  return passOn(view, offer, offerMs);
}

/** A closed offer is never due. Only damage leaves one that is. */
export function clearDueOffer(offer: OfferRow): Change {
  return offer.open === 1 ? noChange() : { writes: [put({ ...offer, dueAt: null })], news: [] };
}

function passOn(view: UnitView, offer: OfferRow, offerMs: number): Change {
  const { now } = view;
  const deliveryTo = (turn: number): DeliveryRow | undefined =>
    view.row('delivery', deliveryKey(offer.key, offer.holders[turn] ?? ''));
  const change = noChange();
  const had = deliveryTo(offer.turn);
  if (had !== undefined) addChange(change, supersede(had, 'offer_passed_on', now));
  const turn = offer.turn + 1;
  const next = deliveryTo(turn);
  const queued = next === undefined ? undefined : releaseHeld(next, { dueAt: null, dueFor: null });
  if (queued?.row !== undefined) {
    addChange(change, queued);
    change.writes.push(put({ ...offer, turn, dueAt: now + offerMs }));
    return change;
  }
  // The next holder's delivery has ended already, because it declined. The sweep moves on to the one after.
  if (turn < offer.holders.length) {
    addChange(change, restOffer({ ...offer, turn }, now));
    return change;
  }
  change.writes.push(put({ ...offer, open: 0, dueAt: null }));
  const { key, holders: agents, conversation } = offer;
  for (const agent of agents) {
    const knock = view.row('delivery', deliveryKey(key, agent));
    if (knock !== undefined) addChange(change, supersede(knock, 'offer_passed_on', now));
  }
  const item = { key: inboxKeys.offer(key), kind: 'offer_unclaimed', eventId: key, agents } as const;
  addChange(change, fileItem({ ...item, detail: { conversation } }, now));
  return change;
}

function put(row: OfferRow): Write {
  return { table: 'offer', row };
}

/** Only retention removes an offer. */
export function removeOffer(key: string): Write {
  return { table: 'offer', remove: key };
}
