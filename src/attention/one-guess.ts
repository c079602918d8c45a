// A line without any sign is for one. The scorer judges each agent alone, so it may find the line likely enough for two:
// then the likelier hears it, and the others are told so.
import type { Decision } from './decision.ts';
import type { Heard } from './heard.ts';
import type { RosterAgent } from './roster.ts';
import { isFirst } from './scorer/weigh.ts';

/** `again` decides once more for an agent. */
export function guessOne(
  heard: Heard,
  decisions: readonly Decision[],
  again: (heard: Heard, agent: RosterAgent) => Decision,
): readonly Decision[] {
  const { judge, roster } = heard;
  if (judge === undefined || isFirst(heard)) return decisions;
  const likely = decisions.filter(isLikely);
  if (likely.length < 2) return decisions;
  const kept = likely.reduce((best, one) => (certainty(one) > certainty(best) ? one : best));
  const outweighed: Heard = {
    ...heard,
    judge: (agent) => {
      const judgement = judge(agent);
      if (judgement === undefined) return undefined;
      return { ...judgement, band: 'not', told: () => ({ ...judgement.told(), likelier: kept.agent }) };
    },
  };
  return decisions.map((one) => {
    const agent = roster.byIdentity.get(one.agent);
    const yields = one !== kept && isLikely(one) && certainty(one) !== CERTAIN;
    return yields && agent !== undefined ? again(outweighed, agent) : one;
  });
}

/** By what went before alone: nothing in the line says whom it is for. */
function isLikely({ directedness, trace: { rung } }: Decision): boolean {
  return directedness === 'to_me' && (rung === 'exchange' || rung === 'fragment');
}

const CERTAIN = Infinity;

/** In thousandths. What the scorer was not asked about is certain. */
function certainty({ trace }: Decision): number {
  const { probability } = trace.facts;
  return typeof probability === 'number' ? probability : CERTAIN;
}
