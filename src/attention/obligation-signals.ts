// What a recipient's reaction does to its own obligation, as a table of signals (spec/obligations.md, 4). The meaning
// of a reaction depends on who emitted it; these rows apply only to the recipient. `seen` does nothing, because read
// state is never an input: a test folds every trace with and without it and compares the bytes.
import type { Signal } from '../protocol/vocabulary.ts';
import { isHumanRung } from './obligation-identity.ts';
import { knock, newObligation, nextDerivedId, put, refuse } from './obligation-draft.ts';
import type { ObligationDraft } from './obligation-draft.ts';
import { escalate, firstDueAt } from './obligation-ladder.ts';
import { intervalMs, RECIPROCAL_DEFAULT_ACTION, returnMode } from './obligation-options.ts';
import { OBLIGATION_LIMITS } from './obligation-state.ts';
import type { Obligation, Reaction } from './obligation-state.ts';

type SignalEffect = 'nothing' | 'extend' | 'evidence' | 'escalate' | 'pause';

export const RECIPIENT_SIGNALS: Record<Signal, SignalEffect> = {
  seen: 'nothing',
  claimed: 'nothing',
  agree: 'nothing',
  working: 'extend',
  queued: 'extend',
  done: 'evidence',
  declined: 'escalate',
  blocked: 'escalate',
  unclear: 'pause',
};

/** Whether this reaction can have an effect. Only then is it held for an event that has not arrived yet. */
export function mayMatter(reaction: Reaction): boolean {
  const discharging = reaction.signal === 'agree' && reaction.recipient !== null;
  return discharging || RECIPIENT_SIGNALS[reaction.signal] !== 'nothing';
}

export function recipientSignal(draft: ObligationDraft, obligation: Obligation, reaction: Reaction): void {
  if (reaction.actor !== obligation.recipient) return;
  if (reaction.recipient !== null && reaction.recipient !== reaction.actor) return;
  switch (RECIPIENT_SIGNALS[reaction.signal]) {
    case 'nothing':
      return;
    case 'extend':
      return extend(draft, obligation);
    case 'evidence':
      return put(draft, { ...obligation, doneAt: obligation.doneAt ?? draft.at });
    case 'escalate':
      return escalate(draft, obligation, reaction.signal === 'declined' ? 'declined' : 'blocked');
    case 'pause':
      return pause(draft, obligation, reaction);
  }
}

/** Extends once in total, at the first `working` or `queued`. Without a due time there is nothing to extend. */
function extend(draft: ObligationDraft, obligation: Obligation): void {
  if (obligation.extended || obligation.dueAt === null) return;
  const dueAt = obligation.dueAt + intervalMs(obligation.mode, draft.options);
  put(draft, { ...obligation, dueAt, extended: true });
}

/** The recipient does not understand the question. Now its author owes an explanation, on a ladder of its own. */
function pause(draft: ObligationDraft, question: Obligation, reaction: Reaction): void {
  if (question.paused) return;
  const refusal =
    question.kind === 'escalation'
      ? 'unclear_on_escalation'
      : question.kind === 'reciprocal'
        ? 'reciprocal_of_reciprocal'
        : question.reciprocal === null
          ? null
          : 'reciprocal_used';
  if (refusal !== null) return refuse(draft, reaction.reactionId, question.recipient, refusal);
  if (draft.open.size >= OBLIGATION_LIMITS.openWithLadder) {
    const limit = OBLIGATION_LIMITS.openWithLadder;
    return refuse(draft, reaction.reactionId, question.recipient, 'state_full', limit);
  }
  const reciprocal = newObligation({
    eventId: nextDerivedId(draft, question.eventId, 'unclear'),
    recipient: question.author,
    author: question.recipient,
    kind: 'reciprocal',
    conversationId: question.conversationId,
    createdAt: draft.at,
    blocks: question.blocks,
    defaultAction: RECIPROCAL_DEFAULT_ACTION,
    mode: returnMode(draft.options.modes?.[question.author]),
    rung: isHumanRung(question.author, draft.directory) ? 'human' : 'recipient',
    about: question.id,
  });
  const opened = { ...reciprocal, dueAt: firstDueAt(draft, reciprocal) };
  put(draft, opened);
  put(draft, { ...question, paused: true, dueAt: null, reciprocal: opened.id });
  const { rung } = opened;
  draft.effects.push({ type: 'reciprocal', ...knock(draft, opened, opened.eventId), rung });
}
