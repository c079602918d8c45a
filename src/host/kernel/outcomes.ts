// What rows keep of decisions (store/kept-outcome.ts). Nearly all decisions end in one of a few dozen outcomes, so rows
// share these instead of copies.
import { type Decision, type DecisionOutcome, sameDecision } from '../../attention/index.ts';
import { type KeptOutcome, keepOutcome, outcomeOf } from '../../store/kept-outcome.ts';

interface Shared {
  outcome: DecisionOutcome;
  kept: KeptOutcome;
}

const SHARED_MAX = 64;
const shared: Shared[] = [];
/** So that one that is shared is not read again. */
const outcomes = new WeakMap<KeptOutcome, DecisionOutcome>();
let oldest = 0;

export function keepDecision(decision: DecisionOutcome | Decision): Shared {
  const known = shared.find(({ outcome }) => sameDecision(outcome, decision));
  if (known !== undefined) return known;
  const { eventId: _, agent: __, ...outcome } = decision as Decision;
  Object.freeze(outcome.trace);
  const made: Shared = { outcome: Object.freeze(outcome), kept: keepOutcome(outcome) };
  outcomes.set(made.kept, made.outcome);
  shared[oldest] = made;
  oldest = (oldest + 1) % SHARED_MAX;
  return made;
}

/** Also of a row of before, which has the outcome itself. */
export function keptOutcome(kept: KeptOutcome | DecisionOutcome): DecisionOutcome {
  return outcomes.get(kept as KeptOutcome) ?? (outcomeOf(kept) as DecisionOutcome);
}
