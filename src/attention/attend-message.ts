// Attends a message. First every bound agent gets its decision, from the state before the message. Then the message is
// folded into the state: who spoke to whom, open questions, windows, credits, loop counters, modes.
import type { ChatEventOf } from '../protocol/chat-event.ts';
import type { LogRecord } from '../protocol/log-record.ts';
import { keyOf } from './accounts.ts';
import { type Guard, foldTalk, guardOf } from './agent-talk.ts';
import type { Attended } from './attend.ts';
import { endClaim } from './claims.ts';
import { decide, decider, isPairingCode, outsideDirectMessage, refusal } from './decide.ts';
import { type Decision, type Effect, startsTurn } from './decision.ts';
import { hearsDirect } from './direct.ts';
import { goesOnElsewhere } from './directedness.ts';
import { type Heard, readMessage } from './heard.ts';
import { obligeOne } from './injection.ts';
import { guessOne } from './one-guess.ts';
import { asksSomething } from './intent/intent.ts';
import { obeyRequests } from './modes.ts';
import { partWays } from './not-meant.ts';
import {
  closeAsk,
  converse,
  grantCredit,
  keepUp,
  noteAsk,
  noteSpeaker,
  openAsk,
  spendCredit,
} from './participants.ts';
import { noteAnswer, openWindow, remember } from './recent.ts';
import type { Roster } from './roster.ts';
import { noteLine } from './scorer/memory.ts';
import {
  STATE_LIMITS,
  type Addressed,
  type AttentionDraft,
  type AttentionState,
  type Recent,
  agentKey,
  agentState,
  agentsWith,
  closeDraft,
  openDraft,
  shortKey,
  withAgent,
} from './state.ts';
import { hashText } from './text.ts';

/** Marks a recent message, or an open window, as said to somebody to whom it was not delivered. */
const ELSEWHERE: readonly Addressed[] = [{ agent: '', rung: 'addressed_elsewhere' }];

export function attendMessage(
  state: AttentionState,
  record: LogRecord,
  event: ChatEventOf<'message'>,
  roster: Roster,
): Attended {
  const heard = readMessage(state, record, event, roster);
  if (isPairingCode(heard.folded)) {
    return {
      state,
      decisions: everybodyElse(heard).map((agent) => refusal(heard, agent, 'pairing')),
      effects: [],
    };
  }
  const guard = guardOf(heard);
  const each = guessOne(heard, decideEach(heard, guard), (asked, agent) => decide(asked, agent, guard));
  const decisions = obligeOne(heard, each);
  const admitted = decisions.length === 0 || decisions.some(({ decision }) => decision !== 'denied');
  const past = record.facts.origin === 'backfill';
  if (!admitted) return { state, decisions: past ? [] : decisions, effects: [] };
  if (past) return { state: foldSaid(heard, event, [], []), decisions: [], effects: [] };

  // One of our agents wrote it, or another program with its login. It must not count as somebody who takes part.
  if (heard.writers.size > 0) return { state: foldWritten(heard, event), decisions, effects: [] };

  const addressed = addressedBy(decisions, roster);
  let next = foldSaid(heard, event, addressed, decisions);
  next = foldTurns(foldAnswers(next, heard, decisions), heard, decisions);
  next = foldNotMeant(next, heard, decisions);
  const talked = foldTalk(next, heard, decisions, guard);
  const effects = [...talked.effects, ...receipts(heard, decisions)];
  const obeyed = obeyRequests(talked.state, heard, decisions);
  effects.push(...obeyed.effects);
  return { state: obeyed.state, decisions, effects };
}

/** A message is never delivered to its own author. */
function everybodyElse(heard: Heard): Roster['agents'] {
  const { agents } = heard.roster;
  return heard.author.agent === undefined ? agents : agents.filter((agent) => agent.key !== heard.author.key);
}

function decideEach(heard: Heard, guard: Guard): readonly Decision[] {
  const others = everybodyElse(heard);
  const byLadder = decider(heard, guard);
  if (heard.direct === undefined || others.length < 2) return others.map((agent) => byLadder(agent));
  return others.map((agent) =>
    hearsDirect(heard.direct, agent) ? byLadder(agent) : outsideDirectMessage(heard, agent),
  );
}

function addressedBy(decisions: readonly Decision[], roster: Roster): readonly Addressed[] {
  const addressed: Addressed[] = [];
  const obliged: Addressed[] = [];
  for (const { agent, directedness, policy, trace } of decisions) {
    if (directedness !== 'to_me' || trace.rung === 'admission') continue;
    const rung = trace.as ?? trace.rung;
    if (rung === 'amendment' || rung === 'act') continue;
    const list = policy === 'must_respond' ? obliged : addressed;
    list.push({ agent: roster.byIdentity.get(agent)?.key ?? agent, rung });
  }
  if (obliged.length === 0) return addressed;
  return addressed.length === 0 ? obliged : [...obliged, ...addressed];
}

/** The changes that follow from the message itself, whatever was decided about it. */
function foldSaid(
  heard: Heard,
  event: ChatEventOf<'message'>,
  addressed: readonly Addressed[],
  decisions: readonly Decision[],
): AttentionState {
  const { record, author, roster } = heard;
  const draft = openDraft(heard.state);
  noteSpeaker(draft, author, record.at);
  const named = spokenTo(heard);
  const target = named ?? heard.exchange?.partner ?? bondedTo(heard, addressed) ?? heard.underRoot;
  const agent = author.agent;
  const mayBond = agent === undefined || !agentState(draft, agent.key).disengaged;
  // A follow-up is only inferred to belong to its exchange, so it must not prolong that exchange: guesses do not chain.
  const inferred = named === undefined && heard.exchange?.turn === 'follow_up' && !heard.nudges;
  if (inferred && heard.state.last === author.key) keepUp(draft, author.key, record.at);
  else if (target !== undefined && mayBond && !inferred) {
    converse(draft, author.key, target, record.at, named === undefined);
  }
  // Only the person whom a reply answers gets a credit. People whom it names or tags do not.
  if (agent?.stickiness === 'one_shot' && mayBond && heard.repliesTo !== undefined) {
    grantCredit(draft, heard.repliesTo, agent.key, record.at, roster.limits);
  }
  if (agent !== undefined) foldOwnMessage(draft, heard, event, target);
  if (draft.root !== null && author.key !== draft.root.author && isThird(heard)) {
    draft.root = { ...draft.root, othersSpoke: true };
  }
  const toSomebody = isToSomebody(heard, named);
  // What a person types next goes on with it, so it is for the same somebody.
  const elsewhere = addressed.length === 0 && toSomebody && author.kind === 'human';
  if (record.facts.scorer !== undefined && roster.preset.scores && mayBond) {
    const before = heard.state.recent[0]?.at;
    const to = named ?? heard.exchange?.partner ?? heard.underRoot ?? '';
    noteLine(draft, {
      author: author.key,
      to,
      // "??" calls again whoever was called.
      explicit: named !== undefined || (heard.nudges && to !== ''),
      read: heard.line(),
      gapMs: before === undefined ? undefined : record.at - before,
    });
  }
  openWindow(draft, author.key, elsewhere ? ELSEWHERE : addressed, record.at, roster.limits);
  remember(draft, rememberedAs(heard, event, remembered(decisions, addressed, toSomebody)));
  return closeDraft(draft);
}

/** Whom the message was found to be for. A guess of the scorer bonds nobody: only an answer does. */
function bondedTo({ judge, roster }: Heard, addressed: readonly Addressed[]): string | undefined {
  const found = addressed.find(
    ({ agent, rung }) =>
      judge === undefined || rung !== 'exchange' || roster.byKey.get(agent)?.stickiness !== 'exchange',
  );
  return found?.agent;
}

/** A message that can be replied to, and nothing more. */
function foldWritten(heard: Heard, event: ChatEventOf<'message'>): AttentionState {
  const draft = openDraft(heard.state);
  remember(draft, rememberedAs(heard, event, []));
  return closeDraft(draft);
}

function rememberedAs(heard: Heard, event: ChatEventOf<'message'>, addressed: readonly Addressed[]): Recent {
  const { author, record } = heard;
  return {
    event: shortKey(event.eventId),
    author: author.key,
    seq: record.seq,
    at: record.at,
    textHash: hashText(heard.folded),
    addressed,
    answeredBy: [],
  };
}

const HANDED: ReadonlySet<string> = new Set(['immediate', 'buffered', 'notify']);

/**
 * Only agents to whom it is delivered: when thanks are edited into a request, the request is new to everybody. A
 * message to somebody else is marked ELSEWHERE, so it does not become a lead-in line of a later turn.
 */
function remembered(
  decisions: readonly Decision[],
  addressed: readonly Addressed[],
  toSomebody: boolean,
): readonly Addressed[] {
  if (addressed.length === 0) return toSomebody ? ELSEWHERE : addressed;
  const handed = new Set<string>();
  for (const { agent, mode } of decisions) if (HANDED.has(mode)) handed.add(agentKey(agent));
  const delivered = addressed.filter(({ agent }) => handed.has(agent));
  return delivered.length === 0 ? ELSEWHERE : delivered;
}

/**
 * The one whom this message names as its target. Undefined: it continues the author's exchange, or starts a new one.
 */
function spokenTo(heard: Heard): string | undefined {
  if (heard.direct?.party !== undefined) return heard.direct.party;
  if (heard.repliesTo !== undefined && heard.repliesTo !== heard.author.key) return heard.repliesTo;
  for (const key of heard.mentioned) return key;
  for (const key of heard.recipients) return key;
  if (heard.tagsPerson !== undefined) return heard.tagsPerson;
  if (heard.calls !== undefined) return heard.calls;
  for (const key of heard.named) if (key !== heard.author.key) return key;
  return heard.peer;
}

/** It names somebody (one person or agent, the holders of a role, everybody), or goes on with what does. */
function isToSomebody(heard: Heard, named: string | undefined): boolean {
  const { roles, toAll, door } = heard;
  return named !== undefined || roles.size > 0 || toAll || door !== undefined || goesOnElsewhere(heard);
}

/** Somebody besides the root's author and this message's author has spoken in the thread. */
function isThird(heard: Heard): boolean {
  const { root, speakers } = heard.state;
  if (root === null) return false;
  return speakers.some(({ key }) => key !== root.author && key !== heard.author.key);
}

function foldOwnMessage(
  draft: AttentionDraft,
  heard: Heard,
  event: ChatEventOf<'message'>,
  target: string | undefined,
): void {
  const { key } = heard.author;
  draft.agents = agentsWith(draft, key, { spokeN: draft.n });
  if (event.inReplyTo !== undefined) {
    noteAnswer(draft, event.inReplyTo, key);
    endClaim(draft, key, shortKey(event.inReplyTo));
  }
  if (heard.roster.preset.readsIntent && asksSomething(heard.spoken)) {
    const to = askedOf(heard) ?? target ?? '';
    const asked = { agent: key, event: shortKey(event.eventId), n: draft.n };
    for (const other of othersTagged(heard, event, to)) noteAsk(draft, { ...asked, to: other });
    noteAsk(draft, { ...asked, to });
  }
}

/** Whom a question is put to: the one whom it names, else the one whom it answers. */
function askedOf({ recipients, mentioned, tagsPerson }: Heard): string | undefined {
  for (const key of recipients) return key;
  for (const key of mentioned) return key;
  return tagsPerson;
}

/** A question that tags several people is put to each of them. Whoever answers first answers it. */
function othersTagged({ roster, record }: Heard, event: ChatEventOf<'message'>, to: string): string[] {
  const people = (event.mentions ?? []).filter(({ kind }) => kind === 'human').slice(0, STATE_LIMITS.asks);
  const keys = people.map(({ id }) => keyOf(id, roster, record.facts)).filter((key) => key !== to);
  return keys.slice(0, STATE_LIMITS.asks - 1);
}

/** Closes the questions that the message answers, and spends the credits that engaged an agent. */
function foldAnswers(state: AttentionState, heard: Heard, decisions: readonly Decision[]): AttentionState {
  let next = state;
  for (const decision of decisions) {
    if (decision.directedness !== 'to_me') continue;
    const key = heard.roster.byIdentity.get(decision.agent)?.key ?? decision.agent;
    if (decision.reason === 'sticky') next = spendCredit(next, heard.author.key, key);
    if (decision.intent === 'approval' || decision.intent === 'rejection' || decision.intent === 'answer') {
      const ask = openAsk(next, key, heard.author.key, next.n, heard.roster.limits.askMessages);
      if (ask !== undefined) next = closeAsk(next, ask);
    }
  }
  return next;
}

/** A turn ends `disengaged`. A turn on a followed thread counts as the thread's batch. */
function foldTurns(state: AttentionState, heard: Heard, decisions: readonly Decision[]): AttentionState {
  let next = state;
  for (const decision of decisions) {
    if (!startsTurn(decision)) continue;
    const key = heard.roster.byIdentity.get(decision.agent)?.key ?? decision.agent;
    if (agentState(next, key).disengaged) next = withAgent(next, key, { disengaged: false });
    if (decision.trace.row === 'followed_thread' && decision.heldUntil === undefined) {
      next = withAgent(next, key, { batchAt: heard.record.at });
    }
  }
  return next;
}

/** Whoever was told "not you" hears nothing more of it, until it is called. */
function foldNotMeant(state: AttentionState, heard: Heard, decisions: readonly Decision[]): AttentionState {
  let next = state;
  for (const { agent, trace } of decisions) {
    if (trace.facts['notMeant'] !== true) continue;
    next = partWays(next, heard.author.key, heard.roster.byIdentity.get(agent)?.key ?? agent);
  }
  return next;
}

/** A human's thanks get `seen`. A human who must wait for a focused agent gets `queued`. Agents get nothing. */
function receipts(heard: Heard, decisions: readonly Decision[]): Effect[] {
  if (heard.author.kind !== 'human') return [];
  const effects: Effect[] = [];
  const { eventId } = heard.record.event;
  for (const { agent, trace, heldUntil, policy } of decisions) {
    if (trace.rung === 'fragment') continue; // the first fragment got the receipt
    if (trace.row === 'thanks_to_me') effects.push({ type: 'signal', agent, eventId, signal: 'seen' });
    else if (heldUntil !== undefined && policy === 'must_respond') {
      effects.push({ type: 'signal', agent, eventId, signal: 'queued' });
    }
  }
  return effects;
}
