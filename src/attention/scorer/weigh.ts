// Which lines are left to the scorer. It is asked only about lines without any target, and not about those that must not be
// lost to it.
import type { Heard } from '../heard.ts';
import type { RosterAgent } from '../roster.ts';
import { MINUTE_MS, agentState } from '../state.ts';
import type { Judgement } from './judge.ts';
import { LINE_FORM } from './line.ts';

/**
 * The scorer's word on a line without any target, where it is asked. Some lines need no judging and must not be lost: a
 * question to the agent that has just spoken to the author, a yes or no to what it has asked them, a bare "??", a request
 * that only an agent can be asked, what is added before the agent could answer, and "stop" from somebody who still waits.
 */
export function judged(heard: Heard, agent: RosterAgent): Judgement | undefined {
  const { judge, named, exchange: live, nudges, asks } = heard;
  if (judge === undefined || named.has(agent.key) || agent.stickiness !== 'exchange') return undefined;
  if (live?.partner !== agent.key) return mayBeTalking(heard, agent) ? judge(agent) : undefined;
  if (nudges || asks?.clear === true) return undefined;
  if (answersBack(heard, agent) || awaits(heard, agent)) return undefined;
  if (!isFirst(heard) && (decides(heard) || halts(heard))) return undefined;
  return judge(agent);
}

/** The agent has just spoken to the author, who asks something. */
function answersBack({ exchange: live, state, intent }: Heard, agent: RosterAgent): boolean {
  return live?.turn === 'owes' && state.last === agent.key && (intent === 'question' || intent === 'request');
}

/** The agent has asked the author, who says yes or no. Somebody else may have spoken in between. */
function decides({ exchange: live, intent }: Heard): boolean {
  return live?.turn === 'owes' && (intent === 'approval' || intent === 'rejection');
}

/** The author called the agent, has no answer yet, and takes it back. The agent may be doing it. */
function halts({ exchange: live, intent, asks }: Heard): boolean {
  return live?.turn === 'follow_up' && (intent === 'cancel' || asks !== undefined);
}

/** Version 1 was asked about less. A log of it is decided by the rules of then. */
const FIRST = 1;
export const isFirst = ({ record }: Heard): boolean => record.facts.scorer === FIRST;

/**
 * The author called the agent and goes on, and nobody has said anything since. For version 1, others may have, as long as
 * the agent has not.
 */
function awaits(heard: Heard, agent: RosterAgent): boolean {
  const { state, author, roster } = heard;
  const { lines } = state;
  const patience = isFirst(heard) ? roster.limits.followUpMessages : 1;
  let others = 0;
  for (const line of lines) {
    if (line.author === author.key) {
      if (line.to === agent.key && (line.form & LINE_FORM.explicit) !== 0) return true;
    } else if (line.author === agent.key || ++others >= patience) return false;
  }
  return false;
}

/**
 * Without an exchange the scorer is asked only in rooms of several people, about an agent that was heard lately and has
 * not withdrawn. Threads, owned places and people alone have rules of their own. Version 1 was not asked while the author
 * was adding to what they had said to somebody else.
 */
function mayBeTalking(heard: Heard, agent: RosterAgent): boolean {
  const { state, record, humans, roster, talkers, exchange: live } = heard;
  if (talkers.length === 0) return false;
  const { kind } = record.event.conversation;
  if (live?.turn === 'follow_up' && isFirst(heard)) return false;
  if (kind === 'thread' || humans.count < 2 || agent.ownsConversation || agent.ownsStream) return false;
  const spoke = talkers.find(({ key }) => key === agent.key);
  if (spoke === undefined || record.at - spoke.atMin * MINUTE_MS > roster.limits.exchangeMs) return false;
  return !agentState(state, agent.key).disengaged;
}
