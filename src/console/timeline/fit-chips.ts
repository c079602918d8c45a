// Chooses which chips of a message fit into one line. Those that woke an agent come first and in full, the others are
// shortened when there is little room, and the rest is counted.
import type { ShownDecision } from '../../protocol/operator-api.ts';
import type { InboundDecision } from '../../protocol/vocabulary.ts';
import { chipWords } from '../ui/chip.tsx';

export interface FittedChip {
  decision: ShownDecision;
  short: boolean;
}

const ORDER: Record<InboundDecision, number> = { engage: 0, claim: 1, denied: 2, observe: 3 };
/** Widths are estimated. Measuring each of thousands of rows in the browser would be slow. */
const CHAR_PX = 6.2;
const CHIP_PX = 27;
const MORE_PX = 70;

export function fitChips(
  decisions: readonly ShownDecision[],
  width: number,
): { shown: readonly FittedChip[]; more: number } {
  const sorted = decisions.toSorted((a, b) => ORDER[a.decision] - ORDER[b.decision]);
  const full = sorted.map((decision) => ({ decision, short: false }));
  if (widthOf(full, decisions) <= width) return { shown: full, more: 0 };
  const brief = sorted.map((decision) => ({ decision, short: decision.decision !== 'engage' }));
  if (widthOf(brief, decisions) <= width) return { shown: brief, more: 0 };
  let kept = brief.length - 1;
  while (kept > 1 && widthOf(brief.slice(0, kept), decisions) + MORE_PX > width) kept--;
  return { shown: brief.slice(0, kept), more: brief.length - kept };
}

function widthOf(chips: readonly FittedChip[], all: readonly ShownDecision[]): number {
  return chips.reduce(
    (sum, { decision, short }) =>
      sum + (decision.agent.length + 1 + chipWords(decision, all, short).length) * CHAR_PX + CHIP_PX,
    0,
  );
}
