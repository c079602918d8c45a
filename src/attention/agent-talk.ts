// Agents among themselves. Only a question or a task put to an agent obliges it: a mention, a reply or a line of an
// exchange that asks nothing starts no turn (matrix.ts, row `agent_no_task`). Whatever an agent says to another goes
// through the loop guard, pair by pair, and people who speak to one of the two release it.
import { type Decision, type Effect, startsTurn } from './decision.ts';
import type { Direction } from './directedness.ts';
import type { Heard } from './heard.ts';
import { TASKS } from './matrix.ts';
import { type Asking, askingSentences, onlyOrders, readAsking } from './intent/asking.ts';
import { type Judged, type LoopReading, judge, keepPair, releasePairs, stopPairs } from './loop-guard.ts';
import { countPeerTurn, isPeerLoop, peerTurnsOf, resetPeerTurns } from './peer-turns.ts';
import type { RosterAgent } from './roster.ts';
import { type AttentionState, type LoopPair, type LoopState, agentKey, findSpeaker } from './state.ts';
import { textMentions } from './text.ts';

/** What the loop guard says about the message, for the agent with this key. */
export type Guard = (to: string) => LoopReading;

export const NO_LOOP: LoopReading = {
  level: 0,
  cause: null,
  count: 0,
  prompted: false,
  met: false,
  echoes: false,
};
export const NO_GUARD: Guard = () => NO_LOOP;

/** Judges each addressed agent once. Nothing is read of a message that is not an agent's. */
export function guardOf(heard: Heard): Guard {
  const { author, roster } = heard;
  if (author.kind !== 'agent' || roster.openFloor) return NO_GUARD;
  if (roster.preset.loopGuard === 'advisory') return peerGuard(heard);
  return judgeOf(heard);
}

function peerGuard({ state, record }: Heard): Guard {
  const loop = peersNow(state, record);
  return (to) => {
    const count = peerTurnsOf(loop, to) + 1;
    return { ...NO_LOOP, level: isPeerLoop(count) ? 1 : 0, count };
  };
}

function judgeOf(heard: Heard): (to: string) => Judged {
  const { author, roster, record, state, repliesTo } = heard;
  const judged = new Map<string, Judged>();
  let said: Asking | undefined;
  return (to) => {
    const known = judged.get(to);
    if (known !== undefined) return known;
    said ??= readAsking(textOf(heard), heard.spoken, namesOfTalkers(heard));
    const named = heard.recipients.has(to);
    const asks = heard.asksAgents && !asksOthers(heard, to);
    const alone = heard.humans.count === 0;
    const turn = {
      from: author.key,
      to,
      at: record.at,
      repliesTo,
      asks,
      named,
      said,
      alone,
    };
    const reading = judge(state.loop, turn, roster.limits);
    judged.set(to, reading);
    return reading;
  };
}

function textOf({ record: { event } }: Heard): string {
  return event.type === 'message' ? (event.text ?? '') : '';
}

function namesOfTalkers({ author, mentioned, named, roster }: Heard): readonly string[] {
  const talking = roster.known.filter(
    ({ key }) => key === author.key || mentioned.has(key) || named.has(key),
  );
  return talking.flatMap(({ names }) => names);
}

/**
 * Whether an agent's message puts nothing to this agent. A first direct message, and naming it as the recipient, put
 * something to it whatever the words; inside an exchange both only go on with it. The next line of a request belongs to
 * the request.
 */
export function asksNothingOf(
  heard: Heard,
  agent: RosterAgent,
  direction: Direction,
  guard: Guard,
  answersAsk: boolean,
): boolean {
  if (heard.author.kind !== 'agent' || !heard.roster.preset.readsIntent) return false;
  // In answer to a question or a task, what begins like an order is a report: "run 19 completed".
  if (heard.asksAgents && answersAsk && heard.intent === 'request' && onlyOrders(heard.spoken)) return true;
  if (heard.asksAgents) return asksOthers(heard, agent.key);
  const called = direction.as === 'direct_message' || heard.recipients.has(agent.key);
  if (called && !guard(agent.key).prompted) return false;
  return direction.rung.id !== 'fragment' || !continuesAsk(heard, agent);
}

const TAG = /(?<![\p{L}\p{N}])@[\p{L}\p{N}]/u;

/** "@ada is it up? @builder has the log": whatever it asks, it puts to somebody else whom it tags. */
function asksOthers({ spoken, recipients, roster, direct, resolved }: Heard, key: string): boolean {
  // Names in a platform's tags are its own, so they tell nothing about ours.
  if (resolved || direct !== undefined || recipients.has(key) || !TAG.test(spoken)) return false;
  const asking = askingSentences(spoken);
  const me = `agent:${roster.byKey.get(key)?.id}`;
  return (
    asking.length > 0 &&
    asking.every((said) => TAG.test(said) && !textMentions(said, roster.names.mentionable).includes(me))
  );
}

function continuesAsk({ state, author }: Heard, agent: RosterAgent): boolean {
  return state.asks.some((ask) => ask.agent === author.key && (ask.to === '' || ask.to === agent.key));
}

/** Whether a decision says that its agent was asked for something. An answer to it is one, however late it comes. */
export function putsTask({ directedness, policy, intent, reason }: Decision): boolean {
  if (directedness !== 'to_me' && directedness !== 'to_my_role') return false;
  if (policy !== 'must_respond' && policy !== 'may_respond') return false;
  return TASKS.has(intent) || reason === 'obligation' || reason === 'assignment';
}

/** The fold of what was said among agents, or by a person to them. */
export function foldTalk(
  state: AttentionState,
  heard: Heard,
  decisions: readonly Decision[],
  guard: Guard,
): { state: AttentionState; effects: Effect[] } {
  const { author, roster, record } = heard;
  const advisory = roster.preset.loopGuard === 'advisory';
  if (author.kind === 'human') {
    const next = advisory ? withoutPeerTurns(state, record.at) : foldPerson(state, heard, decisions);
    return { state: next, effects: [] };
  }
  if (author.kind !== 'agent' || roster.openFloor) return { state, effects: [] };
  if (advisory) return { state: foldPeerTurn(state, heard, decisions), effects: [] };
  return foldPairs(state, heard, decisions, guard);
}

function withoutPeerTurns(state: AttentionState, at: number): AttentionState {
  return { ...state, loop: resetPeerTurns(state.loop, at) };
}

/**
 * A person releases those whom they speak to and those in whose thread they answer, not every pair of the room. Told to
 * stop or to leave, an agent's exchanges with other agents are over until a person calls one of them.
 */
export function foldPerson(
  state: AttentionState,
  { record }: Heard,
  decisions: readonly Decision[],
): AttentionState {
  if (state.loop.pairs.length === 0) return state;
  const inThread = record.event.conversation.kind === 'thread';
  const called = decisions.filter(
    ({ directedness, policy }) =>
      (policy === 'must_respond' || policy === 'may_respond') &&
      (directedness === 'to_me' || (inThread && directedness === 'to_my_role')),
  );
  const told = decisions.filter(({ trace: { row } }) => row === 'stop_request' || row === 'leave_request');
  const loop = stopPairs(releasePairs(state.loop, keysOf(called)), keysOf(told));
  return loop === state.loop ? state : { ...state, loop };
}

function keysOf(decisions: readonly Decision[]): ReadonlySet<string> {
  return new Set(decisions.map(({ agent }) => agentKey(agent)));
}

/** Counts what engaged an agent. A human in the parent room has reset the counts here too. */
function foldPeerTurn(
  state: AttentionState,
  { record }: Heard,
  decisions: readonly Decision[],
): AttentionState {
  const engaged = decisions.filter((decision) => startsTurn(decision)).map(({ agent }) => agentKey(agent));
  const loop = countPeerTurn(peersNow(state, record), engaged, record.at);
  return loop === state.loop ? state : { ...state, loop };
}

function peersNow({ loop }: AttentionState, { facts }: Heard['record']): LoopState {
  const parentHumanAt = facts.parent?.humanAt ?? 0;
  return parentHumanAt > loop.peers.humanAt ? resetPeerTurns(loop, parentHumanAt) : loop;
}

/** One escalation for each stop: the host tells those who can release it. */
function foldPairs(
  state: AttentionState,
  heard: Heard,
  decisions: readonly Decision[],
  guard: Guard,
): { state: AttentionState; effects: Effect[] } {
  let { loop } = state;
  const effects: Effect[] = [];
  for (const decision of decisions) {
    if (!isTurn(decision)) continue;
    const to = agentKey(decision.agent);
    const judged = guard(to) as Judged;
    const stopped = decision.reason === 'loop_stopped';
    const before = loop.pairs.find((pair) => isSamePair(pair, judged.pair));
    loop = keepPair(loop, stopped ? judged.pair : { ...judged.pair, stopped: null });
    if (stopped && judged.cause !== null && (before?.stopped ?? null) === null)
      effects.push(escalation(heard, decision.agent, judged.cause));
  }
  const foreign = foreignPartner(state, heard);
  if (foreign !== undefined) loop = keepPair(loop, { ...(guard(foreign) as Judged).pair, stopped: null });
  return { state: loop === state.loop ? state : { ...state, loop }, effects };
}

/** An obligation has a ladder of its own, and what its sender declared to be for somebody else is no turn here. */
function isTurn({ directedness, policy, reason, trace }: Decision): boolean {
  if (directedness !== 'to_me' || trace.rung === 'admission' || trace.rung === 'obligation') return false;
  return policy !== 'must_not_respond' || reason === 'loop_stopped';
}

function isSamePair(one: LoopPair, other: LoopPair): boolean {
  return one.a === other.a && one.b === other.b;
}

/** Somebody else's agent gets no decision here, but what we say to it is a turn of our exchange with it. */
function foreignPartner(state: AttentionState, { repliesTo, tagsPerson, roster }: Heard): string | undefined {
  const key = repliesTo ?? tagsPerson;
  if (key === undefined || roster.byKey.has(key)) return undefined;
  return findSpeaker(state, key)?.kind === 'agent' ? key : undefined;
}

function escalation(heard: Heard, agent: string, cause: NonNullable<LoopPair['stopped']>): Effect {
  const author = heard.author.agent?.id;
  const { eventId } = heard.record.event;
  const agents = author === undefined ? [agent] : [author, agent];
  return { type: 'escalate', eventId, why: 'loop_stopped', cause, agents, people: heard.humans.count };
}

/** A person's reaction speaks to the author of the message that it is on. */
export function foldSignal(
  state: AttentionState,
  { record, roster }: Heard,
  owner: string | undefined,
): AttentionState {
  if (roster.preset.loopGuard === 'advisory') return withoutPeerTurns(state, record.at);
  if (owner === undefined) return state;
  const loop = releasePairs(state.loop, new Set([owner]));
  return loop === state.loop ? state : { ...state, loop };
}
