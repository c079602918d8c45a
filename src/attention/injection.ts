// What lowers the handling of a message after the matrix. Nothing here raises it: the sender's declared posture, one
// obligation per agent send, loop advice, age after a gap, and what the harness cannot do.
import { type Directedness, type InjectionMode, POLICIES, type Policy } from '../protocol/vocabulary.ts';
import type { BudgetFacts } from '../protocol/log-record.ts';
import type { Decision, Lowering, Trace } from './decision.ts';
import type { Direction } from './directedness.ts';
import type { Heard } from './heard.ts';
import type { LoopReading } from './loop-guard.ts';
import type { MatrixRow } from './matrix.ts';
import type { RosterAgent } from './roster.ts';

/** How an agent handles a message: the matrix decides it, and the functions below lower it. */
export interface Handling {
  policy: Policy;
  mode: InjectionMode;
  claimFirst: boolean;
  lowered: readonly Lowering[];
}

const GAP_STALE_MS = 24 * 3_600_000;

/** Everything that lowers one agent's handling, in order. */
export function lowerings(
  heard: Heard,
  agent: RosterAgent,
  direction: Direction,
  row: MatrixRow,
  loop: LoopReading,
): Handling {
  let { handling } = row;
  const { author, record } = heard;
  if (author.kind === 'agent' && direction.rung.id !== 'obligation') {
    handling = applyPosture(handling, heard.declared, heard.recipients.has(agent.key));
    if (handling.policy === 'must_respond' && !isFirstNamed(heard, agent)) {
      handling = lower(handling, 'may_respond', 'notify', 'one_obligation_per_send');
    }
    if (loop.level === 1 && handling.policy === 'must_respond') {
      handling = lower(handling, 'may_respond', handling.mode, 'loop_advice');
    }
  }
  // An obligation does not lapse with age. Everything else that was missed does.
  if (record.facts.origin === 'gap' && direction.rung.id !== 'obligation')
    handling = lowerByAge(handling, heard);
  if (budgetOf(heard, agent) !== undefined) handling = lowerByBudget(handling);
  return applyCapabilities(handling, agent.injection);
}

/** How far the agent has used its budget of the day; undefined while there is some left. */
export function budgetOf({ record }: Heard, { id }: RosterAgent): BudgetFacts | undefined {
  return record.facts.budget?.find(({ agent, until }) => agent === id && until > record.at);
}

/** What need not be answered takes no turn: it waits as a knock for one that must be taken. */
function lowerByBudget(handling: Handling): Handling {
  if (handling.policy !== 'may_respond') return handling;
  const takesTurn = handling.claimFirst || handling.mode === 'immediate' || handling.mode === 'buffered';
  if (!takesTurn) return handling;
  return { ...handling, mode: 'notify', claimFirst: false, lowered: [...handling.lowered, 'budget'] };
}

/**
 * An agent's send obliges one agent: the other party of a DM, else its recipient, mention, reply or name, in that
 * order.
 */
function isFirstNamed(heard: Heard, agent: RosterAgent): boolean {
  const { recipients, mentioned, repliesTo, named, author, roster } = heard;
  const party = heard.direct?.party;
  if (party !== undefined) return party === agent.key;
  for (const key of [
    ...recipients,
    ...mentioned,
    ...(repliesTo === undefined ? [] : [repliesTo]),
    ...named,
  ]) {
    if (key !== author.key && roster.byKey.has(key)) return key === agent.key;
  }
  return true;
}

function lowerByAge(handling: Handling, heard: Heard): Handling {
  const { at, event } = heard.record;
  const age = at - (typeof event.at === 'number' ? event.at : Date.parse(event.at));
  if (age > GAP_STALE_MS) return lower(handling, 'must_not_respond', 'tool_mailbox', 'stale_gap');
  if (age > heard.roster.limits.deadlineMs && handling.policy === 'must_respond') {
    return lower(handling, 'may_respond', handling.mode, 'stale_gap');
  }
  return handling;
}

/**
 * An agent's send obliges at most one agent. `lowerings` sees to that for the agents it names. Here the decisions of
 * all agents are compared: fragments, credits and thread questions could oblige several at once.
 */
export function obligeOne(heard: Heard, decisions: readonly Decision[]): readonly Decision[] {
  if (heard.author.kind !== 'agent') return decisions;
  const owing = decisions.filter(
    ({ policy, trace }) => policy === 'must_respond' && trace.rung !== 'obligation',
  );
  if (owing.length < 2) return decisions;
  const keyOf = ({ agent }: Decision): string => heard.roster.byIdentity.get(agent)?.key ?? agent;
  // A fragment stays with the agent that its first line obliged, the first in the window.
  const first = heard.window?.addressed.find(({ agent }) => owing.some((one) => keyOf(one) === agent));
  const kept = owing.find((one) => keyOf(one) === first?.agent) ?? owing[0];
  return decisions.map((one) => (one !== kept && owing.includes(one) ? spare(heard, one) : one));
}

function spare(heard: Heard, decision: Decision): Decision {
  const { leadIn: _joinsATurn, ...rest } = decision;
  const lowered = decision.trace.lowered ?? [];
  const handling: Handling = { policy: decision.policy, mode: decision.mode, claimFirst: false, lowered };
  const spared = applyCapabilities(
    lower(handling, 'may_respond', 'notify', 'one_obligation_per_send'),
    heard.roster.byIdentity.get(decision.agent)?.injection ?? {},
  );
  const { policy, mode } = spared;
  const trace: Trace = { ...decision.trace, lowered: spared.lowered };
  return {
    ...rest,
    decision: mode === 'notify' ? 'engage' : 'observe',
    policy,
    mode,
    context: 'none',
    trace,
  };
}

function weaker(a: Policy, b: Policy): Policy {
  return POLICIES.indexOf(a) > POLICIES.indexOf(b) ? a : b;
}

function lower(handling: Handling, policy: Policy, mode: InjectionMode, why: Lowering): Handling {
  const lowest = weaker(handling.policy, policy);
  if (lowest === handling.policy && mode === handling.mode) return handling;
  return { ...handling, policy: lowest, mode, lowered: [...handling.lowered, why] };
}

/** A sender may declare for whom the message is meant. Nobody else is asked for more than that. */
function applyPosture(handling: Handling, declared: Directedness | undefined, names: boolean): Handling {
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
