// The words of a trace, as tables: one phrase for each rule, matrix row, lowering, reason, policy, mode and intent.
// The types are total, so a new rule without words does not compile. These words decide nothing.
import type { DoorWay } from './front-door.ts';
import type { InjectionMode, Intent, Policy, Reason } from '../protocol/vocabulary.ts';
import type { Lowering, Trace, TraceFact } from './decision.ts';
import type { RungId } from './directedness.ts';
import type { RowId } from './matrix.ts';

/** `asks` names the rule when it did not hold. `holds` says what was true when it decided. */
export const RUNG_WORDS: Record<RungId, { asks: string; holds: string }> = {
  self: { asks: 'its own message', holds: 'the agent wrote this message itself' },
  obligation: { asks: 'an obligation', holds: 'the message carries an obligation that names this agent' },
  left: {
    asks: 'having left',
    holds:
      'the agent has left this conversation, and the message neither mentions it nor assigns anything to it',
  },
  direct_message: {
    asks: 'a direct message',
    holds: 'this is a direct message to this agent',
  },
  mention: { asks: 'a mention', holds: 'the message mentions this agent' },
  reply: { asks: 'a reply to it', holds: 'the message replies to something this agent said' },
  assignment: { asks: 'an assignment', holds: 'the message assigns something to this agent' },
  fragment: {
    asks: 'the next line of a message to it',
    holds: 'the author is still typing: this continues a message that was for this agent',
  },
  exchange: {
    asks: 'an exchange with the author',
    holds: 'the author and this agent are talking to each other',
  },
  name: { asks: 'a call by its name', holds: 'the message calls this agent by its name' },
  role_mention: { asks: 'a mention of its role', holds: 'the message mentions a role this agent has' },
  addressed_elsewhere: {
    asks: 'being aimed at somebody else',
    holds: 'the message is aimed at somebody else',
  },
  agent_no_task: {
    asks: 'an agent that asks for nothing',
    holds: 'another agent wrote it, and it neither asks nor requests anything',
  },
  owned_thread: {
    asks: 'a thread or stream it owns',
    holds: 'this agent owns the conversation or its stream',
  },
  solo_human: {
    asks: 'a lone person',
    holds: 'one person is here alone, and this is the agent that answers them',
  },
  thread_question: {
    asks: 'an open question in its thread',
    holds:
      'a question or request to nobody in particular, in a thread where this agent is the one to take it',
  },
  thread_participation: {
    asks: 'a thread it has spoken in',
    holds: 'this agent has spoken in this thread before',
  },
  ambient: { asks: 'none of these', holds: 'nothing in the message points at this agent' },
};

/** For decisions that did not need the ladder. */
export const OTHER_RUNG_WORDS: Record<Exclude<Trace['rung'], RungId>, string> = {
  admission: 'Decided before any rule was looked at',
  amendment: 'A change to an earlier message',
  act: 'Something done rather than said',
};

export const ROW_WORDS: Record<RowId, string> = {
  pairing: 'a pairing code is taken in by Earshot itself and shown to nobody',
  denied: 'messages from an author who may not talk to this agent are kept for the audit, never shown to it',
  obligation: 'an obligation is always answered',
  left: 'an agent that has left hears nothing until it is called back',
  silent_kind: 'system and tool conversations are silent unless they name a recipient',
  leave_request: 'being asked to leave is obeyed by Earshot itself, with one short acknowledgement',
  stop_request: 'being told to stop is obeyed by Earshot itself: the running turn is cancelled',
  mode_request: 'being told when to speak is obeyed by Earshot itself, with one short acknowledgement',
  loop_stopped: 'the two agents are stopped until a person speaks to one of them',
  claimed_by_other: 'another agent has claimed this',
  status: 'logs and status reports are collected, not answered',
  thanks_to_me: 'thanks and acknowledgements get a reaction at most, never an answer',
  thanks: 'thanks and acknowledgements in a shared thread need nothing',
  interrupt: 'something urgent, or a cancellation, for this agent from a person or its lead goes in at once',
  answer_from_agent: 'another agent answers what this agent asked: it may go on, it need not',
  agent_no_task: 'another agent obliges nobody by a mention or a reply that asks nothing: a knock that waits',
  explicit: 'a message explicitly for this agent must be answered',
  expects_answer: 'a message for this agent that waits for something must be answered',
  expects_answer_between: 'it waits for something, but somebody else has spoken in between',
  expects_answer_unsure: 'it waits for something, but it is not sure that this agent is meant',
  named: 'a name without an @ wakes its agent and obliges it to nothing',
  continues: 'a message for this agent that waits for nothing may be answered',
  worker_thread: 'what its own workers say in their thread reaches a lead as a digest',
  direct_unclaimed:
    'nothing tells which agent this direct message is with: each is told, and whoever claims it answers',
  role_mention: 'whoever has the role may answer, after claiming it, so that only one does',
  followed_thread: 'in a thread it follows the agent gets messages in batches and may answer',
  joined: 'in its own threads the agent gets a short notice and may answer',
  open_floor: 'on an open floor anybody may answer, after claiming it',
  not_for_me: 'what is not for this agent is not answered',
  amendment: 'a change is weighed by what it changes for this agent',
  signal: 'a reaction wakes an agent only when it answers what that agent asked',
  claimed: 'who claims a message gets it in full',
};

export const LOWERING_WORDS: Record<Lowering, string> = {
  declared_posture: 'its sender said it is not meant for this agent',
  one_obligation_per_send: 'an agent may oblige one agent per message, and another one was named first',
  loop_advice: 'the two agents ask each other and nothing new comes of it, so it need not be answered',
  stale_gap: 'it arrived late, after a gap',
  missing_capability: 'the agent cannot take it that way, so it gets the next best',
  focus: 'the agent has asked to be left alone for now',
  follow_batch: 'the agent follows this thread in batches, and the next is not due yet',
  budget: 'the agent has used its budget of the day',
  second_opinion: 'it is not sure whether this is for it, so it waits a moment for a second opinion',
};

/** Why, in half a sentence: "lead must answer: …". */
export const REASON_WORDS: Record<Reason, string> = {
  self: 'it wrote this itself',
  obligation: 'it owes an answer',
  left: 'it has left this conversation',
  direct_message: 'this is a direct message to it',
  mention: 'it is mentioned',
  reply: 'this replies to its message',
  assignment: 'this is assigned to it',
  fragment: 'this continues a message for it',
  exchange: 'the author is talking with it',
  sticky: 'it has just answered the author',
  name: 'it is called by name',
  role_mention: 'its role is mentioned',
  addressed_elsewhere: 'this is meant for somebody else',
  agent_no_task: 'another agent said it and asks for nothing',
  owned_thread: 'the thread is its own',
  owned_stream: 'the stream is its own',
  solo_human: 'one person is here alone',
  thread_question: 'somebody asks in its thread',
  thread_participation: 'it has spoken in this thread',
  ambient: 'this is meant for nobody in particular',
  pairing: 'this is a pairing code',
  denied: 'the author may not talk to it',
  backfill: 'this is history',
  loop_stopped: 'the two agents were going in circles',
  claimed_by_other: 'another agent has taken this',
  leave_request: 'it is asked to leave',
  stop_request: 'it is told to stop',
  mode_request: 'it is told when to speak',
  thanks: 'this is thanks or an acknowledgement',
  status: 'this is a status report or a log line',
  silent_kind: 'nobody is spoken to in this kind of conversation',
  edited_after_response: 'a message it has answered was changed',
  edited_away: 'the message is no longer for it',
  deleted: 'the message was deleted',
  signal: 'somebody reacted to a message',
  progress: 'this is a progress report',
  claimed: 'it has claimed this',
  open_floor: 'the floor is open',
};

export const POLICY_WORDS: Record<Policy, string> = {
  must_respond: 'must answer',
  may_respond: 'may answer',
  ack_only: 'does not answer; Earshot acknowledges for it',
  must_not_respond: 'stays silent',
};

export const MODE_WORDS: Record<InjectionMode, string> = {
  immediate: 'will see the full text at once, even during a turn',
  buffered: 'will see the full text after a short pause',
  notify: 'gets a short notice without the text',
  tool_mailbox: 'can look it up later if it wants to',
  digest: 'sees it counted in its next digest',
  silent: 'never sees it',
};

export const INTENT_WORDS: Record<Intent, string> = {
  thanks: 'thanks',
  ack: 'an acknowledgement',
  question: 'a question',
  request: 'a request',
  approval: 'an approval of what the agent asked',
  rejection: 'a rejection of what the agent asked',
  answer: 'an answer to what the agent asked',
  cancel: 'a cancellation',
  urgent: 'something urgent',
  safety: 'a warning',
  blocker: 'something that blocks the author',
  status: 'a status report',
  leave: 'a wish that the agent leaves',
  stop: 'a wish that the agent stops',
  mode_change: 'a wish about when the agent speaks',
  statement: 'a plain statement',
};

const BY_WORDS: Readonly<Record<string, string>> = {
  mention: 'it mentions them',
  recipient: 'it names them as recipient',
  reply: 'it replies to them',
  name: 'it calls them by name',
  peer_name: 'it names another agent',
  fragment: 'it goes on with what was said to somebody else just before',
  direct_message: 'it is a direct message between two others',
  role: 'it mentions a role that this agent does not have',
};

const CAUSE_WORDS: Readonly<Record<string, string>> = {
  unproductive: 'they asked each other and nothing was answered',
  hard_limit: 'the limit without a person',
  day_limit: 'the limit for a day',
  repeating: 'they repeated themselves',
  pair_rate: 'too many turns in a minute',
  told: 'a person told one of them to stop',
};

/** Words for facts, by name. A fact that is not listed is shown as it is. */
/** Several agents share the account that was called. Why it is for this one. */
export const DOOR_WORDS: Readonly<Record<string, string>> = {
  named: 'named beside it',
  only: 'the only one of its agents that may answer here',
  reply: 'the author replies to it',
  exchange: 'the author is talking with it',
  thread: 'it is the agent of this thread',
  default: 'it answers by default here',
  first: 'the first of its agents',
  offered: 'offered to one agent at a time',
} satisfies Record<DoorWay, string>;

const DIAL_WORDS: Readonly<Record<string, string>> = {
  quieter: 'the dial one notch lower',
  keener: 'the dial one notch higher',
};

const NAMED_WORDS: Readonly<Record<string, string>> = {
  head: 'its name comes first',
  end: 'its name comes last',
  later: 'a later sentence begins with its name',
};

export const FACT_WORDS: Readonly<Record<string, (value: TraceFact) => string>> = {
  door: (way) => `called at the front door: ${DOOR_WORDS[String(way)] ?? way}`,
  namedAt: (at) => NAMED_WORDS[String(at)] ?? 'it is named',
  hailed: () => 'its name comes first, with a colon or comma, and the words expect an answer',
  choose: () => 'several agents could be meant',
  inThread: () => 'it is said in a thread of that direct message',
  declared: () => 'its sender meant it for those who take part in the thread',
  threadRoot: () => 'the thread hangs under its message and nobody else has joined',
  role: (role) => `the role is ${role}`,
  by: (by) => BY_WORDS[String(by)] ?? `by ${by}`,
  intent: (intent) => `it reads as ${INTENT_WORDS[intent as Intent] ?? intent}`,
  turn: (turn) =>
    turn === 'follow_up' ? 'the author adds to what they said' : 'the agent spoke last of the two',
  messagesAgo: (ago) => (ago === 0 ? 'nobody has spoken since' : `messages since then: ${ago}`),
  humans: (humans) => (humans === 1 ? 'one person is here' : `${humans} people are here`),
  owned: () => 'it owns the thread',
  spokeLast: () => 'it spoke last',
  onlyAgent: () => 'it is the only agent in the thread',
  loopLevel: (level) => `loop guard at level ${level}`,
  loopCount: (count) => `counted ${count} for these two`,
  agentTurns: (turns) => `${turns} agent turns since a person spoke`,
  cause: (cause) => CAUSE_WORDS[String(cause)] ?? String(cause),
  asksToo: (what) => `it also asks for ${DIAL_WORDS[String(what)] ?? `mode ${what}`}, and that is obeyed`,
  dial: (move) => `it asks for ${DIAL_WORDS[String(move)] ?? String(move)}`,
  releasedBy: (by) =>
    by === 'person'
      ? 'a person who speaks to one of them releases them'
      : 'it ends by itself, because no people are here',
  notMeant: () => 'its author says that the agent is not meant',
  somebodyBetween: () => 'somebody else spoke in between',
  signal: (signal) => `the reaction says "${signal}"`,
  onOwnMessage: (own) => (own === true ? 'on its own message' : "on somebody else's message"),
  answersAsk: (answers) => (answers === true ? 'it answers an open question' : 'it answers no open question'),
  answered: () => 'the agent had answered already',
  token: (token) => `claim number ${token}`,
};
