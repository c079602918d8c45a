// Judges a line without any explicit sign: how likely is it for this agent? The line is read once, and each candidate is
// scored when it is asked for. The dial of the agent makes a band of the probability.
import type { TraceFact } from '../decision.ts';
import type { LiveExchange } from '../participants.ts';
import type { RosterAgent } from '../roster.ts';
import type { AttentionState } from '../state.ts';
import { dialHere } from '../dial.ts';
import { type Band, bandOf, engagesFrom } from './bands.ts';
import { type Scene, featuresOf, isCandidate, sceneOf } from './features.ts';
import type { ReadLine } from './line.ts';
import { parametersOf } from './parameters.ts';
import { toldOf } from './reasons.ts';
import { probabilityOf, score } from './score.ts';

export interface Judgement {
  /** In thousandths. */
  probability: number;
  band: Band;
  features: readonly number[];
  /** The reasons, for the trace. */
  told: () => Readonly<Record<string, TraceFact>>;
}

/** Undefined: the agent was neither heard nor spoken to lately, so there is nothing to judge. */
export type Judge = (agent: RosterAgent) => Judgement | undefined;

export interface Judged {
  state: AttentionState;
  author: string;
  at: number;
  line: () => ReadLine;
  live: LiveExchange | undefined;
  agents: readonly RosterAgent[];
}

/** `version`: of the parameters that the record names. */
export function judgeOf(version: number, judged: Judged): Judge {
  const parameters = parametersOf(version);
  let scene: Scene | undefined;
  let last: { agent: RosterAgent; judgement: Judgement | undefined } | undefined;
  return (agent) => {
    if (last?.agent === agent) return last.judgement;
    scene ??= sceneOf({ ...judged, read: judged.line() });
    let judgement: Judgement | undefined;
    if (isCandidate(scene, agent.key)) {
      const features = featuresOf(scene, agent.key, agent.names);
      const sum = score(parameters, features) + agent.attentionBias;
      const probability = probabilityOf(sum);
      const { attention, asked } = dialHere(judged.state, agent);
      judgement = {
        probability,
        band: bandOf(probability, attention),
        features,
        told: () => toldOf(parameters, features, sum, engagesFrom(attention), asked),
      };
    }
    last = { agent, judgement };
    return judgement;
  };
}
