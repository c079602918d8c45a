// Decisions as the log keeps them: outcome → agents. A hundred quiet agents share one outcome and cost one entry; the
// trace is kept with the outcome, so `why` can always answer.
import type { Decision } from '../attention/index.ts';

export type Outcome = Omit<Decision, 'eventId' | 'agent'>;

export interface PackedOutcome {
  agents: string[];
  outcome: Outcome;
}

export function packDecisions(decisions: readonly Decision[]): PackedOutcome[] {
  const packed = new Map<string, PackedOutcome>();
  for (const { eventId: _, agent, ...outcome } of decisions) {
    const key = JSON.stringify(outcome);
    const same = packed.get(key);
    if (same === undefined) packed.set(key, { agents: [agent], outcome });
    else same.agents.push(agent);
  }
  return [...packed.values()];
}

/** What was decided about one agent; undefined when it was not asked. */
export function decisionFor(
  packed: readonly unknown[],
  eventId: string,
  agent: string,
): Decision | undefined {
  for (const { agents, outcome } of packed as PackedOutcome[]) {
    if (agents.includes(agent)) return { eventId, agent, ...outcome };
  }
  return undefined;
}

export function unpackDecisions(packed: readonly unknown[], eventId: string): Decision[] {
  return (packed as PackedOutcome[]).flatMap(({ agents, outcome }) =>
    agents.map((agent) => ({ eventId, agent, ...outcome })),
  );
}
