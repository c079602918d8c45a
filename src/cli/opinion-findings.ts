// What `earshot doctor` says about second opinions: whether the model that the settings name answers at all.
import type { StoreHealth } from '../host/operator/routes/health.ts';
import type { Finding } from './agent-findings.ts';

/** So many questions in a row without an answer are no accident. */
const IN_VAIN = 3;

export function opinionFindings({ secondOpinion }: StoreHealth): Finding[] {
  if (secondOpinion === undefined) return [];
  const { model, asked, inVain, last } = secondOpinion;
  const what = 'opinion';
  if (inVain < IN_VAIN)
    return [{ what, ok: true, said: `${model} was asked ${asked === 1 ? 'once' : `${asked} times`}` }];
  const late = last === 'late';
  const said =
    `none of the last ${inVain} questions to ${model} was answered in time, the last ${late ? 'was late' : 'failed'}; ` +
    'attention decides alone';
  const fix = late
    ? 'look at the address of host.secondOpinion.model, or give it more timeoutMs'
    : 'look at the name, key and address of host.secondOpinion.model; the log of the host says why it failed';
  return [{ what, ok: false, said, fix }];
}
