// A decision in a few plain words, for a chip or a line of a terminal: "must answer · mentioned". The protocol's words
// for the same are beside it, for a hover text or a second column. The page and the commands share these tables; longer
// sentences are made in trace.ts.
import type { Directedness, InboundDecision, InjectionMode, Policy, Reason } from '../protocol/vocabulary.ts';
import { listedNames } from '../protocol/listed-names.ts';

/** What is needed of a decision. Decisions as the operator API shows them have it. */
export interface PhrasedDecision {
  agent: string;
  decision: InboundDecision;
  policy: Policy;
  mode: InjectionMode;
  reason: Reason;
  directedness?: Directedness;
  /** Only what has a phrase of its own is looked at. */
  trace?: { facts: Readonly<Record<string, unknown>> };
}

/** What the agent does about it. */
export const POLICY_PHRASES: Record<Policy, string> = {
  must_respond: 'must answer',
  may_respond: 'may answer',
  ack_only: 'only gives a sign',
  must_not_respond: 'stays quiet',
};

/** Why, in two or three words that follow the policy. */
export const REASON_PHRASES: Record<Reason, string> = {
  self: 'wrote it',
  obligation: 'owes an answer',
  left: 'has left',
  direct_message: 'direct message',
  mention: 'mentioned',
  reply: 'replied to',
  assignment: 'assigned to it',
  fragment: 'goes on from before',
  exchange: 'in conversation',
  sticky: 'has just answered',
  name: 'called by name',
  role_mention: 'its role is mentioned',
  addressed_elsewhere: 'meant for somebody else',
  agent_no_task: 'an agent who asks nothing',
  owned_thread: 'its own thread',
  owned_stream: 'its own stream',
  solo_human: 'one person alone',
  thread_question: 'a question in its thread',
  thread_participation: 'spoke in this thread',
  ambient: 'meant for nobody',
  pairing: 'a pairing code',
  denied: 'author not allowed',
  backfill: 'history',
  loop_stopped: 'going in circles',
  claimed_by_other: 'taken by another',
  leave_request: 'asked to leave',
  stop_request: 'told to stop',
  mode_request: 'told when to speak',
  thanks: 'thanks',
  status: 'a status report',
  silent_kind: 'nobody is spoken to here',
  edited_after_response: 'changed after its answer',
  edited_away: 'no longer for it',
  deleted: 'deleted',
  signal: 'a reaction',
  progress: 'a progress report',
  claimed: 'has taken it',
  open_floor: 'open floor',
};

/** What becomes of a message at the door, before any agent's rules. For filters. */
export const DECISION_PHRASES: Record<InboundDecision, string> = {
  engage: 'woken',
  observe: 'only heard it',
  denied: 'author not allowed',
  claim: 'pairing code',
};

/**
 * "must answer · mentioned". `all` are the decisions about the same message: they tell for whom it was meant, so that
 * an agent stays quiet because it is "meant for builder".
 */
export function decisionPhrase(one: PhrasedDecision, all: readonly PhrasedDecision[] = []): string {
  return `${POLICY_PHRASES[one.policy]} · ${reasonPhrase(one, all)}`;
}

/** Only the second half of it. */
export function reasonPhrase(
  { agent, reason, trace }: PhrasedDecision,
  all: readonly PhrasedDecision[] = [],
): string {
  if (trace?.facts['notMeant'] === true) return 'told that it is not meant';
  if (reason !== 'addressed_elsewhere') return REASON_PHRASES[reason];
  const meant = all.filter((one) => one.agent !== agent && one.directedness === 'to_me');
  return meant.length === 0
    ? REASON_PHRASES[reason]
    : `meant for ${listedNames(meant.map((one) => one.agent))}`;
}

/** The same in the words of C2A: "must_respond · to_me · buffered · mention". */
export function protocolPhrase({ policy, directedness, mode, reason }: PhrasedDecision): string {
  return [policy, directedness, mode, reason].filter((word) => word !== undefined).join(' · ');
}
