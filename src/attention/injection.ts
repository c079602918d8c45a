// What may still lower an outcome after the matrix, and never raise it: the sender's declared posture, one
// obligation per agent send, loop advice, age after a gap, and what the harness cannot do.
import type { Directedness, InjectionMode, Policy } from '../protocol/vocabulary.ts';
import { POLICIES } from '../protocol/vocabulary.ts';
import type { Lowering } from './decision.ts';

export interface Outcome {
  policy: Policy;
  mode: InjectionMode;
  claimFirst: boolean;
  lowered: readonly Lowering[];
}

export function weaker(a: Policy, b: Policy): Policy {
  return POLICIES.indexOf(a) > POLICIES.indexOf(b) ? a : b;
}

export function lower(outcome: Outcome, policy: Policy, mode: InjectionMode, why: Lowering): Outcome {
  const lowest = weaker(outcome.policy, policy);
  if (lowest === outcome.policy && mode === outcome.mode) return outcome;
  return { ...outcome, policy: lowest, mode, lowered: [...outcome.lowered, why] };
}

/** What the sender said the message is meant for, at most. */
export function applyPosture(outcome: Outcome, declared: Directedness | undefined, names: boolean): Outcome {
  if (declared === undefined || declared === 'to_me' || names) return outcome;
  if (outcome.policy === 'ack_only' || outcome.policy === 'must_not_respond') return outcome;
  if (declared === 'to_my_role') return lower(outcome, 'may_respond', 'notify', 'declared_posture');
  return { ...lower(outcome, 'must_not_respond', 'tool_mailbox', 'declared_posture'), claimFirst: false };
}

/** A harness that cannot take a mode gets the next one it can; what must be answered is never lost on the way. */
export function applyCapabilities(outcome: Outcome, can: Partial<Record<InjectionMode, boolean>>): Outcome {
  let { mode } = outcome;
  if (mode === 'immediate' && can.immediate === false) mode = 'buffered';
  // `buffered` needs nothing of the harness: the host composes for those that cannot.
  if (mode === 'notify' && can.notify === false) {
    mode = outcome.policy === 'must_respond' || outcome.claimFirst ? 'buffered' : 'tool_mailbox';
  }
  if (mode === 'digest' && can.digest === false) mode = 'tool_mailbox';
  return mode === outcome.mode
    ? outcome
    : { ...outcome, mode, lowered: [...outcome.lowered, 'missing_capability'] };
}
