// Decisions as the log keeps them: outcome → agents. A hundred quiet agents share one outcome and cost one entry; the
// trace is kept with the outcome, so `why` can always answer.
import type { Decision, Trace } from '../../attention/index.ts';
import type { LogRow } from '../../store/tables.ts';

export type Outcome = Omit<Decision, 'eventId' | 'agent'>;

export interface PackedOutcome {
  agents: string[];
  outcome: Outcome;
}

export function packDecisions(decisions: readonly Decision[]): PackedOutcome[] {
  const packed: PackedOutcome[] = [];
  for (const decision of decisions) {
    const same = packed.find(({ outcome }) => isSame(outcome, decision));
    if (same === undefined) {
      packed.push({ agents: [decision.agent], outcome: outcomeOf(decision) });
    } else same.agents.push(decision.agent);
  }
  return packed;
}

/** Outcomes that came up lately. Messages end in a few dozen, whoever wrote them: rows share them, and nobody copies. */
const RECENT_MAX = 64;
const recent: Outcome[] = [];
let oldest = 0;

function outcomeOf(decision: Decision): Outcome {
  const known = recent.find((outcome) => isSame(outcome, decision));
  if (known !== undefined) return known;
  const { eventId: _, agent: __, ...outcome } = decision;
  Object.freeze(outcome.trace);
  recent[oldest] = Object.freeze(outcome);
  oldest = (oldest + 1) % RECENT_MAX;
  return outcome;
}

/** Field by field, what most often differs first: a hundred agents are compared for each message they overhear. */
function isSame(a: Outcome, b: Outcome): boolean {
  return (
    a.reason === b.reason &&
    a.policy === b.policy &&
    a.mode === b.mode &&
    a.decision === b.decision &&
    a.directedness === b.directedness &&
    a.context === b.context &&
    a.intent === b.intent &&
    a.priority === b.priority &&
    a.refersTo === b.refersTo &&
    a.notice === b.notice &&
    a.claimFirst === b.claimFirst &&
    a.offer === b.offer &&
    a.heldUntil === b.heldUntil &&
    isSameList(a.leadIn, b.leadIn) &&
    isSameTrace(a.trace, b.trace)
  );
}

function isSameTrace(a: Trace, b: Trace): boolean {
  return (
    a.rung === b.rung &&
    a.row === b.row &&
    a.as === b.as &&
    isSameList(a.lowered, b.lowered) &&
    (a.facts === b.facts || isSameFacts(a.facts, b.facts))
  );
}

function isSameFacts(a: Trace['facts'], b: Trace['facts']): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

function isSameList<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): boolean {
  if (a === b) return true;
  return a?.length === b?.length && a?.every((item, index) => item === b?.[index]) === true;
}

/** What was decided about a logged event for one agent; undefined when it was not asked. */
export function decisionForAgent(
  { key, decisions }: Pick<LogRow, 'key' | 'decisions'>,
  agent: string,
): Decision | undefined {
  for (const { agents, outcome } of decisions as PackedOutcome[]) {
    if (agents.includes(agent)) return { eventId: key, agent, ...outcome };
  }
  return undefined;
}

export function unpackDecisions(packed: readonly unknown[], eventId: string): Decision[] {
  return (packed as PackedOutcome[]).flatMap(({ agents, outcome }) =>
    agents.map((agent) => ({ eventId, agent, ...outcome })),
  );
}
