// A reaction to an agent's message is a signal to the agent: `agree` means proceed, `declined` revise, `done` already
// handled. It wakes the agent only when it answers an open question; otherwise it waits in the mailbox.
// An agent that reacts to a message with `working` or `claimed` claims the message; `done` and `declined` end its claim.
// An escalation has one recipient, so it is never claimed.
import type { ChatEventOf } from '../protocol/chat-event.ts';
import { isLadderId } from '../protocol/derived-id.ts';
import type { LogRecord } from '../protocol/log-record.ts';
import type { InjectionMode, Intent, Policy, Signal } from '../protocol/vocabulary.ts';
import { keyOf } from './accounts.ts';
import type { Attended } from './attend.ts';
import { attendClaim, endClaim } from './claims.ts';
import { isDenied, refusal } from './decide.ts';
import type { Decision } from './decision.ts';
import { readMessage } from './heard.ts';
import { applyCapabilities } from './injection.ts';
import { foldSignal } from './agent-talk.ts';
import { closeAsk } from './participants.ts';
import { noteAnswer, recallOriginal } from './recent.ts';
import type { Roster, RosterAgent } from './roster.ts';
import { type Ask, type AttentionState, closeDraft, openDraft, shortKey } from './state.ts';

/** Signals that answer a question, and the intent each stands for. */
const ANSWERS: Partial<Record<Signal, Intent>> = { agree: 'approval', declined: 'rejection', done: 'answer' };
const CLAIMING: ReadonlySet<Signal> = new Set(['working', 'claimed']);
const ENDS_CLAIM: ReadonlySet<Signal> = new Set(['done', 'declined']);

/** Whether the reaction claims the message it is on, if an agent set it. */
export function claimsBy(
  reaction: Pick<ChatEventOf<'reaction'>, 'signal' | 'removed' | 'targetEventId'>,
): boolean {
  const { signal, removed, targetEventId } = reaction;
  return CLAIMING.has(signal) && removed !== true && !isLadderId(targetEventId);
}

export function attendReaction(
  state: AttentionState,
  record: LogRecord,
  event: ChatEventOf<'reaction'>,
  roster: Roster,
): Attended {
  const heard = readMessage(state, record, { text: '', mentions: [] }, roster);
  const { author } = heard;
  if (author.agent !== undefined && claimsBy(event)) {
    return attendClaim(state, record, { ...event, type: 'claim', op: 'claim' }, roster);
  }
  const original = recallOriginal(state, event.targetEventId, record.facts.original, (id) =>
    keyOf(id, roster, record.facts),
  );
  const owner = original === undefined ? undefined : roster.byKey.get(original.author);
  const bound = roster.agents.filter((agent) => agent.key !== author.key);
  const denied = bound.filter((agent) => isDenied(heard, agent));
  const ask = event.removed === true ? undefined : askedOf(state, original?.event, author.key);
  const answer = ask === undefined ? undefined : ANSWERS[event.signal];
  const decisions = bound.map((agent) =>
    denied.includes(agent)
      ? refusal(heard, agent, 'denied')
      : signalFor(record, event, agent, agent === owner, agent === owner ? answer : undefined, author.kind),
  );
  let next = state;
  if (ask !== undefined && answer !== undefined && owner !== undefined && !denied.includes(owner)) {
    next = closeAsk(next, ask);
  }
  if (author.agent !== undefined && ENDS_CLAIM.has(event.signal) && event.removed !== true)
    next = withWorkEnded(next, author.agent.key, event);
  const admitted = denied.length < bound.length || bound.length === 0;
  if (author.kind === 'human' && admitted) next = foldSignal(next, heard, owner?.key);
  return { state: next, decisions, effects: [] };
}

/** The agent's claim on the event is over. What is done counts as answered, so nobody else claims it. */
function withWorkEnded(
  state: AttentionState,
  agent: string,
  { targetEventId, signal }: ChatEventOf<'reaction'>,
): AttentionState {
  const draft = openDraft(state);
  endClaim(draft, agent, shortKey(targetEventId));
  if (signal === 'done') noteAnswer(draft, targetEventId, agent);
  return closeDraft(draft);
}

/** The open question that the reaction is about, if it was put to this person or to the room. */
function askedOf(state: AttentionState, event: string | undefined, author: string): Ask | undefined {
  return state.asks.find((open) => open.event === event && (open.to === '' || open.to === author));
}

function signalFor(
  record: LogRecord,
  event: ChatEventOf<'reaction'>,
  agent: RosterAgent,
  onOwnMessage: boolean,
  answer: Intent | undefined,
  authorKind: string,
): Decision {
  const human = authorKind === 'human';
  const policy: Policy = answer === undefined ? 'must_not_respond' : human ? 'must_respond' : 'may_respond';
  const wanted: InjectionMode = answer === undefined ? 'tool_mailbox' : human ? 'buffered' : 'notify';
  const { mode } = applyCapabilities(
    { policy, mode: wanted, claimFirst: false, lowered: [] },
    agent.injection,
  );
  return {
    eventId: event.eventId,
    refersTo: event.targetEventId,
    agent: agent.id,
    decision: answer === undefined ? 'observe' : 'engage',
    directedness: onOwnMessage ? 'to_me' : 'to_other',
    policy,
    mode,
    context: mode === 'buffered' && record.event.conversation.kind !== 'dm' ? 'thread_window' : 'none',
    reason: 'signal',
    intent: answer ?? 'statement',
    priority: 'normal',
    trace: {
      rung: 'act',
      row: 'signal',
      facts: { signal: event.signal, onOwnMessage, answersAsk: answer !== undefined },
    },
  };
}
