// One decision, for one message and one agent: admission, the ladder, the matrix, then the rules that only lower.
// This file changes no state; attend-message.ts folds the decisions of all agents into it.
import type { Intent, Priority } from '../protocol/vocabulary.ts';
import { type Guard, NO_LOOP, asksNothingOf } from './agent-talk.ts';
import { claimOn } from './claims.ts';
import { type Decision, type Lowering, startsTurn, type Trace } from './decision.ts';
import { type Direction, climbLadder } from './directedness.ts';
import type { Heard } from './heard.ts';
import { budgetOf, type Handling, lowerings } from './injection.ts';
import { onlyCourtesy } from './intent/asking.ts';
import { inContext, onlyLaughs, takesLeave } from './intent/intent.ts';
import type { LoopReading } from './loop-guard.ts';
import { type Cell, INTERRUPTS, type MatrixRow, decidePolicy, obeysBeside } from './matrix.ts';
import { modeOf } from './modes.ts';
import { isNotMeant } from './not-meant.ts';
import { denies, openAsk } from './participants.ts';
import { leadIn } from './recent.ts';
import type { RosterAgent } from './roster.ts';
import { agentState, shortKey } from './state.ts';
import { foldText, hashText } from './text.ts';

const SILENT_KINDS = new Set(['system', 'tool']);
const NONE_LOWERED: readonly Lowering[] = [];

export function decide(heard: Heard, agent: RosterAgent, guard: Guard): Decision {
  return decider(heard, guard)(agent);
}

/** Decides for one agent after the other. Agents that overhear the message for the same reason share one decision. */
export function decider(heard: Heard, guard: Guard): (agent: RosterAgent) => Decision {
  let first: { direction: Direction; decision: Decision } | undefined;
  return (agent) => {
    if (isDenied(heard, agent)) return refusal(heard, agent, 'denied');
    const direction = climbLadder(heard, agent);
    if (first !== undefined && isSame(first.direction, direction)) {
      return { ...first.decision, agent: agent.id };
    }
    const decision = decideBy(heard, agent, direction, guard);
    if (first === undefined && isOverheard(heard, decision)) first = { direction, decision };
    return decision;
  };
}

/**
 * Whether other agents may share this decision. After the ladder, two agents that overhear a message by the same rung
 * can differ only by claims, by what their harness can do and by what the scorer says. None played a part here.
 */
function isOverheard({ state }: Heard, { directedness, mode, trace }: Decision): boolean {
  if (directedness !== 'to_other' && directedness !== 'ambient') return false;
  if (mode !== 'tool_mailbox' && mode !== 'silent') return false;
  return trace.lowered === undefined && trace.facts.probability === undefined && state.claims.length === 0;
}

function isSame(a: Direction, b: Direction): boolean {
  return (
    a.rung === b.rung && a.facts === b.facts && a.as === b.as && a.reason === b.reason && a.band === b.band
  );
}

function decideBy(heard: Heard, agent: RosterAgent, direction: Direction, guard: Guard): Decision {
  const toMe = direction.directedness === 'to_me';
  const loop = toMe || direction.directedness === 'to_my_role' ? guard(agent.key) : NO_LOOP;
  const answersAsk =
    toMe && (wasAsked(heard, agent) || answersOpen(heard, loop)) && !loop.echoes && !isCourtesy(heard);
  const asksNothing = toMe && asksNothingOf(heard, agent, direction, guard, answersAsk);
  const notMeant = toMe && isNotMeant(heard, agent, direction.as);
  const parts = notMeant || (direction.as === 'exchange' && isParting(heard));
  const intent = answersAsk ? intentInContext(heard, asksNothing, notMeant) : parts ? 'ack' : heard.intent;
  const cell = cellOf(heard, agent, direction, { intent, answersAsk, asksNothing, loop });
  const row = decidePolicy(cell);
  const handling = lowerings(heard, agent, direction, row, loop);
  const decision = assemble(heard, agent, direction, cell, row, handling, loop);
  if (!notMeant || answersAsk) return decision;
  return { ...decision, trace: { ...decision.trace, facts: { ...decision.trace.facts, notMeant } } };
}

/** An agent goes on with what this one asked it to do, be it after a question about it. */
function answersOpen({ author, asksAgents, roster }: Heard, { met }: LoopReading): boolean {
  return author.kind === 'agent' && met && !asksAgents && roster.preset.readsIntent;
}

/** An agent's thanks and offers of help answer nothing. */
function isCourtesy({ author, spoken }: Heard): boolean {
  return author.kind === 'agent' && onlyCourtesy(spoken);
}

/** "not you" may be the answer to "who should do it?", but need not be. */
function intentInContext({ intent, spoken, author }: Heard, asksNothing: boolean, notMeant: boolean): Intent {
  if (notMeant) return intent;
  return asksNothing && intent === 'request' ? 'answer' : inContext(intent, spoken, 'yes_no', author.kind);
}

/** A person takes leave, or only laughs. Whether the agent is meant was a guess, and nobody is asked for anything. */
function isParting({ intent, spoken, author, roster }: Heard): boolean {
  const tells = intent === 'statement' || intent === 'status';
  if (!tells || author.kind !== 'human' || !roster.preset.readsIntent) return false;
  return takesLeave(spoken) || onlyLaughs(spoken);
}

// Admission comes before the ladder. Earshot consumes a pairing code itself. An author without `channel.respond` for an
// agent is denied: the message is stored and audited. Neither ever becomes context for a model.

/** The code must be the whole message. `earshot pair` issues it; the host knows whether it is still valid. */
const PAIRING_CODE = /^\s*claim-[a-z0-9]{4}-[a-z0-9]{4}\s*$/;

export function isPairingCode(folded: string): boolean {
  return folded.length <= 64 && PAIRING_CODE.test(folded);
}

/** The same for text that is not folded yet. */
export function isPairingText(text: string): boolean {
  return text.length <= 64 && isPairingCode(foldText(text));
}

export function isDenied(heard: Heard, agent: RosterAgent): boolean {
  return denies(agent, heard.record, heard.author.agent?.id);
}

/** The decision for pairing codes and denied authors. */
export function refusal(heard: Heard, agent: RosterAgent, row: 'denied' | 'pairing'): Decision {
  return {
    eventId: heard.record.event.eventId,
    agent: agent.id,
    decision: row === 'denied' ? 'denied' : 'claim',
    directedness: 'to_other',
    policy: 'must_not_respond',
    mode: 'silent',
    context: 'none',
    reason: row,
    intent: 'statement',
    priority: 'normal',
    trace: { rung: 'admission', row, facts: {} },
  };
}

/** For an agent that is bound to a direct message and no party to it: it must not see what was said. */
export function outsideDirectMessage(heard: Heard, agent: RosterAgent): Decision {
  if (isDenied(heard, agent)) return refusal(heard, agent, 'denied');
  return {
    ...refusal(heard, agent, 'denied'),
    decision: 'observe',
    reason: 'addressed_elsewhere',
    intent: heard.intent,
    trace: { rung: 'addressed_elsewhere', row: 'not_for_me', facts: { by: 'direct_message' } },
  };
}

/** The agent has an open question to this author, or to the room, or the message replies to a task of the agent. */
function wasAsked(heard: Heard, agent: RosterAgent): boolean {
  const { state, author, roster, record } = heard;
  if (!roster.preset.readsIntent) return false;
  if (record.facts.answersTask === true && heard.repliesTo === agent.key) return true;
  return openAsk(state, agent.key, author.key, state.n, roster.limits.askMessages) !== undefined;
}

function cellOf(
  heard: Heard,
  agent: RosterAgent,
  direction: Direction,
  read: Pick<Cell, 'intent' | 'answersAsk' | 'asksNothing'> & { loop: LoopReading },
): Cell {
  const { record, author, state } = heard;
  const claim =
    state.claims.length === 0 ? undefined : claimOn(state, shortKey(record.event.eventId), record.at);
  return {
    directedness: direction.directedness,
    rung: direction.as,
    intent: read.intent,
    authorKind: author.kind,
    fromLead: author.agent !== undefined && author.agent.id === agent.lead,
    fromWorker: author.agent?.lead === agent.id,
    repliesInOwned: direction.reason === 'owned_thread' && isReply(heard),
    structural: heard.structural,
    loopLevel: read.loop.level,
    claimedByOther: claim !== undefined && claim.agent !== agent.key,
    between: direction.as === 'exchange' && mayBeForAnother(heard, agent),
    unsure: direction.band === 'unsure',
    answersAsk: read.answersAsk,
    asksNothing: read.asksNothing,
    mode: modeOf(heard, agent),
    openFloor: heard.roster.openFloor,
    silentKind: SILENT_KINDS.has(record.event.conversation.kind),
  };
}

/** Somebody else spoke last. "stop replying" is still for an agent; a bare "stop" may be for them. */
function mayBeForAnother(heard: Heard, agent: RosterAgent): boolean {
  const { state, author, asks } = heard;
  if (asks?.clear === true) return false;
  if (asks !== undefined && echoes(heard, agent)) return true;
  return state.last !== author.key && state.last !== agent.key;
}

/** The agent's own last words again, quoted by it or not: who repeats "stop" wonders about it. */
function echoes({ state, folded }: Heard, agent: RosterAgent): boolean {
  const [last] = state.recent;
  if (last?.author !== agent.key) return false;
  const said = folded.trim();
  return [said, `"${said}"`, `'${said}'`].some((words) => hashText(words) === last.textHash);
}

function isReply({ repliesTo, underRoot }: Heard): boolean {
  return repliesTo !== undefined || underRoot !== undefined;
}

function assemble(
  heard: Heard,
  agent: RosterAgent,
  direction: Direction,
  cell: Cell,
  row: MatrixRow,
  handling: Handling,
  loop: LoopReading,
): Decision {
  const { record } = heard;
  const injected = handling.mode === 'immediate' || handling.mode === 'buffered';
  const engaged = injected || handling.mode === 'notify';
  const trace: Trace = {
    rung: direction.rung.id,
    row: row.id,
    facts: traceFacts(heard, direction, cell, loop, row),
  };
  if (direction.as !== direction.rung.id) trace.as = direction.as;
  if (handling.lowered.length > 0) trace.lowered = handling.lowered;
  const decision: Decision = {
    eventId: record.event.eventId,
    agent: agent.id,
    decision: engaged || row.policy === 'ack_only' ? 'engage' : 'observe',
    directedness: direction.directedness,
    policy: handling.policy,
    mode: handling.mode,
    context: injected && record.event.conversation.kind !== 'dm' ? 'thread_window' : 'none',
    reason: row.reason ?? direction.reason,
    intent: cell.intent,
    priority: priorityOf(cell),
    trace,
  };
  if (engaged) decorate(decision, heard, agent, cell, row, handling, loop);
  return decision;
}

function priorityOf({ directedness, intent }: Cell): Priority {
  return directedness === 'to_me' && INTERRUPTS.has(intent) ? 'urgent' : 'normal';
}

function decorate(
  decision: Decision,
  heard: Heard,
  agent: RosterAgent,
  cell: Cell,
  row: MatrixRow,
  handling: Handling,
  loop: LoopReading,
): void {
  const { record, roster, state, author } = heard;
  if (cell.authorKind === 'agent' && loop.level === 1) decision.notice = 'loop';
  else if (heard.humans.count > 1 && (row.groupNotice === true || roster.preset.groupNotice === 'always')) {
    decision.notice = 'group';
  }
  if (handling.claimFirst) {
    decision.claimFirst = true;
    decision.offer = row.offer ?? 'open';
  }
  if (handling.mode === 'buffered' || handling.mode === 'immediate') {
    const { composeMaxMs: withinMs } = roster.limits;
    const lines = leadIn(state, record, { author: author.key, agent: agent.key, withinMs });
    if (lines.length > 0) decision.leadIn = lines;
  }
  holdBack(decision, heard, agent, row, cell);
}

/**
 * Agents in focus, agents that have overspent, and followed threads wait. Only a human's urgent, safety and cancel
 * messages interrupt focus; nothing interrupts a budget.
 */
function holdBack(
  decision: Decision,
  heard: Heard,
  agent: RosterAgent,
  row: MatrixRow,
  { unsure }: Cell,
): void {
  const { record, roster, state, author } = heard;
  if (row.id === 'followed_thread') {
    const next = agentState(state, agent.key).batchAt + roster.limits.followBatchMs;
    if (next > record.at) hold(decision, next, 'follow_batch');
  }
  const focus = record.facts.focus?.find((entry) => entry.agent === agent.id && entry.until > record.at);
  const pierces = row.id === 'interrupt' && author.kind === 'human';
  if (focus !== undefined && !pierces) hold(decision, focus.until, 'focus');
  const budget = budgetOf(heard, agent);
  if (budget?.level === 'overspent' && startsTurn(decision)) hold(decision, budget.until, 'budget');
  const { opinion } = record.facts;
  if (opinion !== undefined && unsure && decision.heldUntil === undefined && startsTurn(decision))
    hold(decision, record.at + opinion.waitMs, 'second_opinion');
}

function hold(decision: Decision, until: number, why: Lowering): void {
  decision.heldUntil = Math.max(decision.heldUntil ?? 0, until);
  decision.trace = { ...decision.trace, lowered: [...(decision.trace.lowered ?? NONE_LOWERED), why] };
}

/** Most decisions need only the rung's facts. They share its object, so a hundred quiet agents cost one object. */
function traceFacts(
  { asks, humans }: Heard,
  direction: Direction,
  cell: Cell,
  loop: LoopReading,
  row: MatrixRow,
): Trace['facts'] {
  if (cell.authorKind === 'agent' && loop.level > 0 && cell.directedness !== 'ambient') {
    return {
      ...direction.facts,
      loopLevel: loop.level,
      loopCount: loop.count,
      ...(loop.cause && { cause: loop.cause, releasedBy: humans.count > 0 ? 'person' : 'time' }),
    };
  }
  if (asks !== undefined && obeysBeside(cell, row))
    return { ...direction.facts, asksToo: asks.dial ?? asks.mode };
  if (asks?.dial !== undefined && row.id === 'mode_request') return { ...direction.facts, dial: asks.dial };
  if (row.id === 'expects_answer_between') return { ...direction.facts, somebodyBetween: true };
  return direction.facts;
}
