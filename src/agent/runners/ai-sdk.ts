// The `ai-sdk` runner: a model with tools, on the Vercel AI SDK. Each turn is one run of the tool loop. Its answer is
// posted when the run has ended well. If the model has already answered with a chat tool, nothing more is posted.
import { loadOptional } from '../../runtime/optional-package.ts';
import { type AgentLog, consoleLog } from '../agent-deps.ts';
import { spoken } from '../rules.ts';
import type { Turn } from '../turn.ts';
import type { ModelAnswer, ToolLoopSettings, Usage } from './ai-sdk-run.ts';
import { ModelFailed } from './model-failed.ts';
import type { RunnerCapabilities, Runner } from './runner.ts';

export { ModelFailed } from './model-failed.ts';
export { interruptsOf, type RunnerCapabilities } from './runner.ts';
export { modelByName, modelFromEnv, ModelNameError, modelRunner, type ModelRunnerOptions } from './models.ts';
export type { Runner } from './runner.ts';

// Importing this file is asking for the AI SDK, so a missing package is told right here.
const [{ failureOf }, { runModel }] = await loadOptional(['ai'], () =>
  Promise.all([import('./ai-sdk-failure.ts'), import('./ai-sdk-run.ts')]),
);

export const AI_SDK_CAPABILITIES = {
  wake: true,
  steer: true,
  cancel: true,
  ack: true,
} as const satisfies RunnerCapabilities;

export const AI_SDK_LIMITS = {
  /** Calls of the model in one turn. In the last one it gets no tools and must answer. */
  steps: 20,
  /** The length of one answer. The rest is left out, and the answer says so. */
  answerChars: 32_768,
} as const;

/** A model and any other setting of `ToolLoopAgent`. Pass an existing agent as its settings. */
export interface AiSdkOptions extends Omit<ToolLoopSettings, 'prepareCall' | 'callOptionsSchema' | 'output'> {
  stepLimit?: number;
  log?: AgentLog;
}

export function aiSdkRunner(options: AiSdkOptions): Runner {
  const { stepLimit = AI_SDK_LIMITS.steps, log = consoleLog, ...settings } = options;
  if (!Number.isSafeInteger(stepLimit) || stepLimit < 1)
    throw new RangeError(`stepLimit: ${stepLimit} is no count of steps; write 1 or more`);
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const answer = async (turn: Turn): Promise<void> => {
    const event = turn.events.at(-1)?.eventId;
    const usage: Usage = { steps: 0, tokensIn: 0, tokensCached: 0, tokensOut: 0 };
    const signal = AbortSignal.any([turn.signal, closing.signal]);
    try {
      const said = await runModel({ turn, settings, stepLimit, signal, usage });
      signal.throwIfAborted();
      await post(turn, said, stepLimit, log);
    } catch (error) {
      turn.signal.throwIfAborted();
      if (closing.signal.aborted)
        throw new ModelFailed('the runner was closed: the turn is for the next one');
      throw failureOf(error, stepLimit);
    } finally {
      log.info({ ...usage, event }, 'the model ran');
      report(turn, usage, settings.model);
    }
  };
  const handler = async (turn: Turn): Promise<void> => {
    const run = answer(turn);
    const ended = run.catch(() => undefined);
    running.add(ended);
    await run.finally(() => running.delete(ended));
  };
  return Object.assign(handler, {
    capabilities: AI_SDK_CAPABILITIES,
    async close() {
      closing.abort();
      await Promise.all(running);
    },
  });
}

async function post(turn: Turn, answer: ModelAnswer, stepLimit: number, log: AgentLog): Promise<void> {
  const { text, closedBy, end } = answer;
  const event = turn.events.at(-1)?.eventId;
  if (closedBy !== undefined) {
    log.info({ event, chars: text.length }, `the model used ${closedBy}: its closing words are not posted`);
    return;
  }
  if (end === 'unfinished') {
    log.warn({ event }, 'the model stopped between two steps without an answer: look at stopWhen and tools');
    return;
  }
  if (end === 'filtered') log.warn({ event }, "the provider's filter has stopped the model");
  const said = spoken(text);
  if (said === undefined) {
    log.info({ event }, 'the model had nothing to say');
    return;
  }
  const { ok, text: told } = await turn.reply(bounded(said, end === 'cut'), { final: true });
  if (ok) log.info({ event, chars: said.length }, 'answered');
  else if (!turn.signal.aborted) log.warn({ event }, `the host did not take the answer: ${told}`);
}

function bounded(text: string, cut: boolean): string {
  const { answerChars } = AI_SDK_LIMITS;
  const left = text.length - answerChars;
  if (left > 0)
    return `${text.slice(0, answerChars).toWellFormed()}\n\n[cut: ${left} characters are left out]`;
  return cut ? `${text}\n\n[cut: the model's answer was longer than its token limit]` : text;
}

/** As the provider counted it. One that counts nothing leaves the turn to an estimate. */
function report(
  turn: Turn,
  { tokensIn, tokensCached, tokensOut }: Usage,
  model: AiSdkOptions['model'],
): void {
  if (tokensIn + tokensOut === 0) return;
  turn.usage({
    inputTokens: tokensIn,
    outputTokens: tokensOut,
    ...(tokensCached > 0 && { cachedInputTokens: tokensCached }),
    model: typeof model === 'string' ? model : model.modelId,
    source: 'reported',
  });
}
