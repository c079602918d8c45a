// The model of the setting `secondOpinion`: named and reached like the models of `earshot run --model`. Its packages are
// loaded with the first question. One try, and a short answer.
import { modelByName } from '../agent/runners/models.ts';
import type { Env } from '../agent/runners/child.ts';
import type { OpinionModel } from '../host/opinion/second-opinion.ts';
import { loadOptional } from '../runtime/optional-package.ts';

/** Room for a word, and for what some models write around it. */
const ANSWER_TOKENS = 16;

export function opinionModel(env: Env): OpinionModel {
  return {
    async ask({ system, prompt }, signal, name) {
      const model = await modelByName(name, env);
      const { generateText } = await loadOptional(['ai'], () => import('ai'));
      const { text, usage } = await generateText({
        model,
        system,
        prompt,
        abortSignal: signal,
        maxRetries: 0,
        maxOutputTokens: ANSWER_TOKENS,
      });
      return { text, ...(usage.totalTokens === undefined ? {} : { tokens: usage.totalTokens }) };
    },
  };
}
