// Decisions as the log keeps them: outcome → agents. A hundred quiet agents share one outcome and cost one entry; the
// trace is kept with the outcome, so `why` can always answer.
import type { Decision } from '../attention/index.ts';

export type Outcome = Omit<Decision, 'eventId' | 'agent'>;

export interface PackedOutcome {
  agents: string[];
  outcome: Outcome;
}

export function packDecisions(decisions: readonly Decision[]): PackedOutcome[] {
  const packed: PackedOutcome[] = [];
  const alike = new Map<string, PackedOutcome[]>();
  for (const { eventId: _, agent, ...outcome } of decisions) {
    const rough = `${outcome.reason} ${outcome.policy} ${outcome.mode}`;
    const near = alike.get(rough) ?? [];
    const same = near.find((other) => isSame(other.outcome, outcome));
    if (same !== undefined) {
      same.agents.push(agent);
      continue;
    }
    const entry = { agents: [agent], outcome };
    near.push(entry);
    alike.set(rough, near);
    packed.push(entry);
  }
  return packed;
}

/** Outcomes are small plain data; comparing them costs a tenth of comparing their JSON. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const left = Object.entries(a);
  if (left.length !== Object.keys(b).length) return false;
  return left.every(([key, value]) => isSame(value, (b as Record<string, unknown>)[key]));
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
