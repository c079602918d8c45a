// What lowers the handling of a message after the matrix. Nothing here raises it: the sender's declared posture, one
// obligation per agent send, loop advice, age after a gap, and what the harness cannot do.
import type { Directedness, InjectionMode, Policy } from '../protocol/vocabulary.ts';
import { POLICIES } from '../protocol/vocabulary.ts';
import type { Lowering } from './decision.ts';

/** How an agent handles a message: the matrix decides it, and the functions below lower it. */
export interface Handling {
  policy: Policy;
  mode: InjectionMode;
  claimFirst: boolean;
  lowered: readonly Lowering[];
}

export function weaker(a: Policy, b: Policy): Policy {
  return POLICIES.indexOf(a) > POLICIES.indexOf(b) ? a : b;
}

export function lower(handling: Handling, policy: Policy, mode: InjectionMode, why: Lowering): Handling {
  const lowest = weaker(handling.policy, policy);
  if (lowest === handling.policy && mode === handling.mode) return handling;
  return { ...handling, policy: lowest, mode, lowered: [...handling.lowered, why] };
}

/** A sender may declare for whom the message is meant. Nobody else is asked for more than that. */
export function applyPosture(
  handling: Handling,
  declared: Directedness | undefined,
  names: boolean,
): Handling {
  if (declared === undefined || declared === 'to_me' || names) return handling;
  if (handling.policy === 'ack_only' || handling.policy === 'must_not_respond') return handling;
  if (declared === 'to_my_role') return lower(handling, 'may_respond', 'notify', 'declared_posture');
  return { ...lower(handling, 'must_not_respond', 'tool_mailbox', 'declared_posture'), claimFirst: false };
}

/** A harness that cannot take a mode gets the next one that it can. A message that must be answered is never lost. */
export function applyCapabilities(
  handling: Handling,
  can: Partial<Record<InjectionMode, boolean>>,
): Handling {
  let { mode } = handling;
  if (mode === 'immediate' && can.immediate === false) mode = 'buffered';
  // Every harness can take `buffered`: the host composes the turn for those that cannot do it themselves.
  if (mode === 'notify' && can.notify === false) {
    mode = handling.policy === 'must_respond' || handling.claimFirst ? 'buffered' : 'tool_mailbox';
  }
  if (mode === 'digest' && can.digest === false) mode = 'tool_mailbox';
  return mode === handling.mode
    ? handling
    : { ...handling, mode, lowered: [...handling.lowered, 'missing_capability'] };
}
