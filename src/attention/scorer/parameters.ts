// The versions of the scorer's parameters. A record names the version that was in force, so an old log keeps its old
// verdicts: a version that was released stays in this list.
import { FEATURE, type FeatureName } from './feature-names.ts';
import { PARAMETERS_1 } from './parameters-1.ts';
import { PARAMETERS_2 } from './parameters-2.ts';
import { PARAMETERS_3 } from './parameters-3.ts';
import { type LearnedParameters, NODE_SIZE, type ScorerParameters, unpacked } from './score.ts';

const VERSIONS: readonly LearnedParameters[] = [PARAMETERS_1, PARAMETERS_2, PARAMETERS_3];

/** What new records name. */
export const SCORER_VERSION = 3;

const compiled = new Map<number, ScorerParameters>();

export function parametersOf(version: number): ScorerParameters {
  let found = compiled.get(version);
  if (found === undefined) {
    const known = VERSIONS.find((one) => one.version === version);
    if (known === undefined) {
      throw new Error(
        `a record names version ${version} of the scorer, this Earshot has ${VERSIONS.map((one) => one.version).join(', ')}: ` +
          'start the Earshot that wrote it, or a newer one',
      );
    }
    compiled.set(version, (found = placed(unpacked(known))));
  }
  return found;
}

/** With today's places of the features that it was learned with. */
function placed(learned: ScorerParameters): ScorerParameters {
  const places = learned.features.map((name) => {
    const place = FEATURE[name as FeatureName] as number | undefined;
    if (place === undefined)
      throw new Error(`version ${learned.version} of the scorer needs the feature ${name}`);
    return place;
  });
  const nodes = Int32Array.from(learned.nodes);
  for (let at = 0; at < nodes.length; at += NODE_SIZE) {
    const feature = nodes[at] ?? -1;
    if (feature >= 0) nodes[at] = places[feature] ?? -1;
  }
  const plain = learned.plain.map(([place, weight]) => [places[place] ?? -1, weight] as const);
  return { ...learned, features: Object.keys(FEATURE), nodes, plain };
}
