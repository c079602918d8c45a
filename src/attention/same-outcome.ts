// The one place that says when two decisions are the same. Replays compare what is done about a message; the log also
// compares why, because agents whose decisions are equal in everything share one stored entry.
import type { Decision, Trace } from './decision.ts';

/** A decision without the event and the agent it is for. */
export type DecisionOutcome = Omit<Decision, 'eventId' | 'agent'>;

/**
 * The same is done about the message. The trace may differ. Lead-in lines are left out, because they are named by log
 * positions, and two replays may number their logs differently.
 *
 * Field by field, and what differs most often first: the log compares a hundred agents for each message they overhear.
 */
export function sameOutcome(a: DecisionOutcome, b: DecisionOutcome): boolean {
  return (
    a.reason === b.reason &&
    a.policy === b.policy &&
    a.mode === b.mode &&
    a.decision === b.decision &&
    a.directedness === b.directedness &&
    a.context === b.context &&
    a.intent === b.intent &&
    a.priority === b.priority &&
    a.refersTo === b.refersTo &&
    a.notice === b.notice &&
    a.claimFirst === b.claimFirst &&
    a.offer === b.offer &&
    a.heldUntil === b.heldUntil
  );
}

/** The same is done for the same reasons: only the event and the agent may differ. */
export function sameDecision(a: DecisionOutcome, b: DecisionOutcome): boolean {
  return sameOutcome(a, b) && sameList(a.leadIn, b.leadIn) && sameTrace(a.trace, b.trace);
}

function sameTrace(a: Trace, b: Trace): boolean {
  return (
    a.rung === b.rung &&
    a.row === b.row &&
    a.as === b.as &&
    sameList(a.lowered, b.lowered) &&
    (a.facts === b.facts || sameFacts(a.facts, b.facts))
  );
}

function sameFacts(a: Trace['facts'], b: Trace['facts']): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

function sameList<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): boolean {
  if (a === b) return true;
  return a?.length === b?.length && a?.every((item, index) => item === b?.[index]) === true;
}
