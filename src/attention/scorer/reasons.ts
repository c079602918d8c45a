// Why a probability is what it is: the strongest reasons for and against, and what it would be without the strongest of
// those that won. Data for the trace; reason-words.ts makes sentences of it.
import type { TraceFact } from '../decision.ts';
import { FEATURES } from './feature-names.ts';
import { REASON_OF } from './reason-words.ts';
import { type ScorerParameters, probabilityOf, shares } from './score.ts';

const MOST_REASONS = 3;

/** `from`: the probability from which the agent hears the line as its own. `notch`: it was asked for in the chat. */
export function toldOf(
  parameters: ScorerParameters,
  features: readonly number[],
  sum: number,
  from: number,
  notch: string | undefined,
): Readonly<Record<string, TraceFact>> {
  const probability = probabilityOf(sum);
  const reasons = reasonsOf(parameters, features);
  const pro = strongest(reasons, 1);
  const contra = strongest(reasons, -1);
  const won = (probability >= from ? pro : contra)[0];
  const told: Record<string, TraceFact> = {
    scorer: parameters.version,
    probability,
    from,
    for: written(pro, reasons, features),
    against: written(contra, reasons, features),
  };
  if (won !== undefined) {
    told['tip'] = written([won], reasons, features);
    told['without'] = probabilityOf(sum - (reasons.shares[won] ?? 0));
  }
  if (notch !== undefined) told['notch'] = notch;
  return told;
}

/** The group of each feature, by its place, as a number. */
const GROUPS: readonly number[] = (() => {
  const groups = [...new Set(FEATURES.map((feature) => REASON_OF[feature].group))];
  return FEATURES.map((feature) => groups.indexOf(REASON_OF[feature].group));
})();
const GROUP_COUNT = Math.max(...GROUPS) + 1;
const NO_SHARES: readonly number[] = Array.from({ length: GROUP_COUNT }, () => 0);

/** By group: features that say the same thing are one reason. */
interface Reasons {
  /** The groups, in the order of their first features. */
  groups: readonly number[];
  /** What each added to the score, all features of the group together. */
  shares: readonly number[];
  /** The place of the feature that tells it, because it added or took away most. */
  places: readonly number[];
}

function reasonsOf(parameters: ScorerParameters, features: readonly number[]): Reasons {
  const all = shares(parameters, features);
  const sums = NO_SHARES.slice();
  const places = NO_SHARES.slice();
  const most = NO_SHARES.slice();
  const groups: number[] = [];
  for (let place = 0; place < GROUPS.length; place++) {
    const share = all[place] ?? 0;
    if (share === 0) continue;
    const group = GROUPS[place] ?? 0;
    const size = Math.abs(share);
    if (most[group] === 0) groups.push(group);
    sums[group] = (sums[group] ?? 0) + share;
    if (size <= (most[group] ?? 0)) continue;
    most[group] = size;
    places[group] = place;
  }
  return { groups, shares: sums, places };
}

/** At most three groups whose share has this sign, strongest first. Of equals the first. */
function strongest({ groups, shares: sums }: Reasons, sign: 1 | -1): readonly number[] {
  const found: number[] = [];
  for (const group of groups) {
    const share = sign * (sums[group] ?? 0);
    if (share <= 0) continue;
    let at = found.length;
    while (at > 0 && sign * (sums[found[at - 1] ?? 0] ?? 0) < share) at--;
    if (at >= MOST_REASONS) continue;
    for (let last = Math.min(found.length, MOST_REASONS - 1); last > at; last--)
      found[last] = found[last - 1] ?? 0;
    found[at] = group;
  }
  return found;
}

/** Features and their values, as a trace keeps them: "toAuthorAgo=1 you=0". */
function written(groups: readonly number[], { places }: Reasons, features: readonly number[]): string {
  let text = '';
  for (const group of groups) {
    const place = places[group] ?? 0;
    text += `${text === '' ? '' : ' '}${FEATURES[place]}=${features[place]}`;
  }
  return text;
}
