// A decision as replay prints it for machines: always the same keys in the same order, so that two replays of one file
// are the same bytes.
import type { Decision } from '../attention/decision.ts';

export function decisionRow(decision: Decision): Record<string, unknown> {
  const { eventId, agent } = decision;
  return { eventId, agent, ...outcomeRow(decision) };
}

/** Without whose and which: the two sides of a difference. */
export function outcomeRow(decision: Decision): Record<string, unknown> {
  const { decision: inbound, directedness, policy, mode, reason, intent, trace } = decision;
  const row: Record<string, unknown> = {
    decision: inbound,
    directedness,
    policy,
    mode,
    reason,
    intent,
    trace,
  };
  for (const key of OPTIONAL) if (decision[key] !== undefined) row[key] = decision[key];
  return row;
}

const OPTIONAL = ['refersTo', 'notice', 'claimFirst', 'heldUntil', 'leadIn'] as const;
