// An agent's send obliges at most one agent. decide.ts sees to that for the agents it names. This file compares the
// decisions of all agents: fragments, credits and thread questions could oblige several at once.
import type { Decision, Trace } from './decision.ts';
import type { Heard } from './heard.ts';
import { type Handling, applyCapabilities, lower } from './injection.ts';

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
