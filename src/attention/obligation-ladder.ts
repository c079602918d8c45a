// The ladder. An open obligation returns to its recipient at a fixed interval. After N returns, or at once on
// `declined` and `blocked`, it moves up one rung: to the recipient's coordinator, else to a human. The human rung is
// the last. One tick makes at most one step per obligation. After a gap the missed returns are counted but not sent,
// and each rung is asked at least once before the next.
import { ladderId, originId } from '../protocol/derived-id.ts';
import type { Identity } from '../protocol/identity.ts';
import type { EscalationCause } from '../protocol/vocabulary.ts';
import { HOST_IDENTITY, isHumanRung, namesOneResponder } from './obligation-identity.ts';
import { about, itemsOf, knock, newObligation, nextDerivedId, put, refuse } from './obligation-draft.ts';
import type { ObligationDraft } from './obligation-draft.ts';
import { intervalMs, returnMode, returnsBeforeEscalation } from './obligation-options.ts';
import { listOf } from './obligation-queries.ts';
import { OBLIGATION_LIMITS } from './obligation-state.ts';
import type { Obligation } from './obligation-state.ts';

export function tick(draft: ObligationDraft): void {
  if (draft.options.returns === false) return;
  const due = [...draft.open.values()]
    .filter((o) => o.dueAt !== null && o.dueAt <= draft.at)
    .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || (a.id < b.id ? -1 : 1));
  const spent = returnsBeforeEscalation(draft.options);
  for (const { id } of due) {
    // Looked up again, because this tick may have added an item to an escalation that is due itself.
    const obligation = draft.open.get(id);
    if (obligation === undefined) continue;
    if (obligation.attempt >= spent) escalate(draft, obligation, 'returns_spent');
    else giveBack(draft, obligation, spent);
  }
}

function giveBack(draft: ObligationDraft, obligation: Obligation, spent: number): void {
  const interval = intervalMs(obligation.mode, draft.options);
  const lateMs = draft.at - (obligation.dueAt ?? draft.at);
  const steps = Math.min(1 + Math.floor(lateMs / interval), spent - obligation.attempt);
  const attempt = obligation.attempt + steps;
  const returned = obligation.returned + steps;
  const next = { ...obligation, attempt, returned, dueAt: draft.at + interval };
  put(draft, next);
  draft.effects.push({
    type: 'return',
    ...knock(draft, next, ladderId(next.eventId, 'return', returned)),
    attempt,
    of: spent,
    mode: 'notify',
    doneAt: next.doneAt,
    blockedOn: next.blockedOn,
    items: itemsOf(draft, next),
  });
}

/** When a rung's first return is due. The human rung has no returns: the obligation stays open and visible. */
export function firstDueAt(draft: ObligationDraft, obligation: Obligation): number | null {
  return obligation.rung === 'human' ? null : draft.at + intervalMs(obligation.mode, draft.options);
}

/**
 * After a closed escalation the rung starts anew. A clarified question goes on where it was, unless it has moved up.
 */
export function resume(
  draft: ObligationDraft,
  obligation: Obligation,
  reason: 'clarified' | 'escalation_closed',
): void {
  const clarified = reason === 'clarified';
  const next = {
    ...obligation,
    attempt: clarified ? obligation.attempt : 0,
    paused: clarified ? false : obligation.paused,
    escalatedTo: clarified ? obligation.escalatedTo : null,
  };
  const runs = !next.paused && next.escalatedTo === null;
  put(draft, { ...next, dueAt: runs ? firstDueAt(draft, next) : null });
  if (runs) draft.effects.push({ type: 'resumed', ...about(next), reason });
}

export function escalate(draft: ObligationDraft, obligation: Obligation, reason: EscalationCause): void {
  if (obligation.rung === 'human' || obligation.escalatedTo !== null) return;
  const recipient = reason === 'loop_stopped' ? draft.directory.owner : nextRung(draft, obligation);
  const target =
    mergeable(draft, obligation, recipient) ?? openEscalation(draft, obligation, recipient, reason);
  if (target === null) {
    refuse(draft, obligation.eventId, recipient, 'state_full', OBLIGATION_LIMITS.openWithLadder);
    put(draft, { ...obligation, dueAt: firstDueAt(draft, obligation) });
    return;
  }
  put(draft, { ...obligation, dueAt: null, paused: false, escalatedTo: target.id });
  const items = [...target.items, obligation.id];
  const next = withMostUrgent(draft, { ...target, items });
  put(draft, next);
  announce(draft, next, obligation, reason);
}

/** One effect per escalation and step. It has the whole list, and what the step added to it. */
function announce(
  draft: ObligationDraft,
  escalation: Obligation,
  added: Obligation,
  reason: EscalationCause,
): void {
  const earlier = draft.escalations.get(escalation.id);
  if (earlier !== undefined) {
    const { blocks, defaultAction } = escalation;
    const logId = ladderId(added.eventId, 'list', draft.derived);
    const moved = [...earlier.moved, { ...about(added), logId }];
    Object.assign(earlier, { items: itemsOf(draft, escalation), blocks, defaultAction, moved });
    return;
  }
  const opened = escalation.items.length === 1;
  const derivedId = opened ? escalation.eventId : nextDerivedId(draft, escalation.eventId, 'list');
  if (!opened) put(draft, { ...escalation, lists: [...(escalation.lists ?? []), draft.derived] });
  const logId = opened ? escalation.eventId : ladderId(added.eventId, 'list', draft.derived);
  const effect = {
    type: 'escalate' as const,
    ...knock(draft, escalation, derivedId),
    reason,
    blockedOn: escalation.blockedOn ?? escalation.recipient,
    tier: escalation.tier,
    rung: escalation.rung,
    opened,
    items: itemsOf(draft, escalation),
    moved: [{ ...about(added), logId }],
  };
  draft.escalations.set(escalation.id, effect);
  draft.effects.push(effect);
}

/** An open escalation for the same silent recipient and tier, with room on its list. */
function mergeable(draft: ObligationDraft, below: Obligation, recipient: Identity): Obligation | undefined {
  return [...draft.open.values()].find(
    (o) =>
      o.kind === 'escalation' &&
      o.blockedOn === below.recipient &&
      o.tier === below.tier + 1 &&
      o.recipient === recipient &&
      o.items.length < OBLIGATION_LIMITS.items,
  );
}

function openEscalation(
  draft: ObligationDraft,
  below: Obligation,
  recipient: Identity,
  reason: EscalationCause,
): Obligation | null {
  if (draft.open.size >= OBLIGATION_LIMITS.openWithLadder) return null;
  const human = reason === 'loop_stopped' || isHumanRung(recipient, draft.directory);
  const escalation = newObligation({
    eventId: nextDerivedId(draft, questionEventId(below), 'escalation'),
    recipient,
    author: HOST_IDENTITY,
    kind: 'escalation',
    conversationId: below.conversationId,
    createdAt: draft.at,
    blocks: below.blocks,
    defaultAction: below.defaultAction,
    mode: returnMode(draft.options.modes?.[recipient]),
    rung: human ? 'human' : 'coordinator',
    tier: below.tier + 1,
    blockedOn: below.recipient,
  });
  return { ...escalation, dueAt: firstDueAt(draft, escalation) };
}

function questionEventId({ kind, eventId }: Obligation): string {
  return kind === 'question' ? eventId : originId(eventId);
}

/** An escalation is as urgent as the most urgent obligation on its list. */
export function withMostUrgent(draft: ObligationDraft, escalation: Obligation): Obligation {
  const [first] = listOf(draft.open, escalation);
  if (first === undefined) return escalation;
  const { blocks, defaultAction, conversationId } = first;
  return { ...escalation, blocks, defaultAction, conversationId };
}

/** The first coordinator above the silent recipient who is not a party already, else the owner. */
function nextRung(draft: ObligationDraft, obligation: Obligation): Identity {
  const { directory } = draft;
  if (obligation.tier + 1 >= OBLIGATION_LIMITS.tiers) return directory.owner;
  const parties = partiesOf(draft, obligation);
  let candidate = directory.coordinatorOf(obligation.recipient);
  for (let step = 0; candidate !== undefined && step < OBLIGATION_LIMITS.tiers; step++) {
    // "Never to a channel": a configured lead that names many is skipped.
    if (namesOneResponder(candidate) && !parties.has(candidate)) return candidate;
    candidate = directory.coordinatorOf(candidate);
  }
  return directory.owner;
}

function partiesOf(draft: ObligationDraft, obligation: Obligation): Set<Identity> {
  const parties = new Set([obligation.recipient, obligation.author]);
  for (const id of obligation.items) {
    const item = draft.open.get(id);
    if (item === undefined) continue;
    for (const party of partiesOf(draft, item)) parties.add(party);
  }
  return parties;
}
