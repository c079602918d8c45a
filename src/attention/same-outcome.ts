// When two decisions come to the same: everything that is done, not how the trace words it.
import type { Decision } from './decision.ts';

const OUTCOME = [
  'decision',
  'directedness',
  'policy',
  'mode',
  'reason',
  'intent',
  'refersTo',
  'notice',
  'claimFirst',
  'heldUntil',
] as const;

export function sameOutcome(a: Decision, b: Decision): boolean {
  return OUTCOME.every((key) => a[key] === b[key]);
}
