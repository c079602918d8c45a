// The parameter file as src/attention/scorer has it.
import { NODE_SIZE, type ScorerParameters } from '../../src/attention/scorer/score.ts';

export function fileOf({ version, features, bias, nodes, roots, plain }: ScorerParameters): string {
  const trees = roots.map((first, index) =>
    treeOf(nodes, first, roots[index + 1] ?? nodes.length / NODE_SIZE),
  );
  return `// Written by scripts/train (docs/scoring.md). Records name this version, so it is never changed.
import type { LearnedParameters } from './score.ts';

export const PARAMETERS_${version}: LearnedParameters = {
  version: ${version},
  features:
    '${features.join(' ')}',
  bias: ${bias},
  plain: { ${plain.map(([place, weight]) => `${features[place] ?? ''}: ${weight}`).join(', ')} },
  trees: [
${trees.map((tree) => `    '${tree}',`).join('\n')}
  ],
};
`;
}

/** The nodes of one tree, whose first is its node 0. */
function treeOf(nodes: ArrayLike<number>, first: number, end: number): string {
  const numbers = Array.from({ length: (end - first) * NODE_SIZE }, (_, index) => {
    const number = nodes[first * NODE_SIZE + index] ?? 0;
    const isInner = (nodes[first * NODE_SIZE + index - (index % NODE_SIZE)] ?? -1) >= 0;
    const isPlace = index % NODE_SIZE === 2 || index % NODE_SIZE === 3;
    return isPlace && isInner ? number - first : isPlace ? 0 : number;
  });
  return numbers.join(' ');
}
