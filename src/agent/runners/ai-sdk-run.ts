// One run of the tool loop for one turn. Urgent events come in between two steps: `turn.step()` is called right before
// the next call of the model and never after the last one, so that they always reach the model. In the last step the
// model must answer with what it has.
import {
  type Instructions,
  isStepCount,
  type ModelMessage,
  type PrepareStepFunction,
  type SystemModelMessage,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  type ToolSet,
} from 'ai';
import type { Interrupt, Turn } from '../turn.ts';
import { chatTools, Matter } from './ai-sdk-tools.ts';

/** The settings of an AI SDK agent. */
export type ToolLoopSettings = ToolLoopAgentSettings<never, ToolSet>;

export interface Usage {
  steps: number;
  tokensIn: number;
  tokensCached: number;
  tokensOut: number;
}

export interface ModelRun {
  turn: Turn;
  settings: ToolLoopSettings;
  stepLimit: number;
  signal: AbortSignal;
  /** Updated after every step, so that failed and cancelled runs are counted too. */
  usage: Usage;
}

export interface ModelAnswer {
  text: string;
  /** The tool with which the model has already answered. */
  closedBy: string | undefined;
  /** `cut`: the model reached its token limit. `unfinished`: it stopped between two steps. */
  end: 'whole' | 'cut' | 'filtered' | 'unfinished';
}

export async function runModel(run: ModelRun): Promise<ModelAnswer> {
  const { turn, settings, stepLimit, signal, usage } = run;
  const matter = new Matter(turn);
  const { instructions } = settings;
  if (typeof instructions === 'string' && instructions !== '')
    turn.tellPrompt(`${turn.system}\n\n${instructions}\n\n${turn.user}`);
  const agent = new ToolLoopAgent<never, ToolSet>({
    // Tool calls run in the order the model wrote them: a claim comes before the answer it allows.
    toolCallConcurrency: 1,
    ...settings,
    instructions: instructionsFor(turn, settings.instructions),
    tools: { ...settings.tools, ...chatTools(turn, matter) },
    stopWhen: [isStepCount(stepLimit), ...[settings.stopWhen ?? []].flat()],
    prepareStep: stepper(run, matter),
  });
  const asked: Asked = {
    messages: [{ role: 'user', content: turn.user }],
    abortSignal: signal,
    onStepEnd: (step) => {
      usage.steps += 1;
      usage.tokensIn += step.usage.inputTokens ?? 0;
      usage.tokensCached += step.usage.inputTokenDetails.cacheReadTokens ?? 0;
      usage.tokensOut += step.usage.outputTokens ?? 0;
    },
  };
  const { text, finishReason, finalStep } = turn.streams
    ? await streamed(agent, asked, turn, matter)
    : await agent.generate(asked);
  const { closedBy } = matter;
  if (finalStep.toolCalls.length > 0) return { text, closedBy, end: 'unfinished' };
  if (finishReason === 'length') return { text, closedBy, end: 'cut' };
  return { text, closedBy, end: finishReason === 'content-filter' ? 'filtered' : 'whole' };
}

type Asked = Parameters<ToolLoopAgent<never, ToolSet>['generate']>[0];

/** Where people see the answer grow. Only the words after the last tool call are the answer; earlier ones are taken back. */
async function streamed(agent: ToolLoopAgent<never, ToolSet>, asked: Asked, turn: Turn, matter: Matter) {
  const out = turn.stream();
  const result = await agent.stream(asked);
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'start-step' || part.type === 'tool-input-start' || part.type === 'tool-call')
      out.replace();
    // With a tool the model has answered already; what it says after that is not posted.
    else if (part.type === 'text-delta' && matter.closedBy === undefined) out.write(part.text);
  }
  asked.abortSignal?.throwIfAborted();
  const { text, finishReason, finalStep } = result;
  return { text: await text, finishReason: await finishReason, finalStep: await finalStep };
}

/** The rules come first and never change, so that providers can cache them. Anthropic asks for a cache mark. */
function instructionsFor({ system }: Turn, own: Instructions | undefined): Instructions {
  if (own !== undefined && typeof own !== 'string')
    return [{ role: 'system' as const, content: system }, ...[own].flat()];
  const message: SystemModelMessage = {
    role: 'system',
    content: own === undefined || own === '' ? system : `${system}\n\n${own}`,
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  };
  return message;
}

function stepper({ turn, settings, stepLimit }: ModelRun, matter: Matter): PrepareStepFunction<ToolSet> {
  return async (step) => {
    const messages =
      step.stepNumber === 0 ? step.messages : [...step.messages, ...(await steered(turn, matter))];
    const own = await settings.prepareStep?.({ ...step, messages });
    const last = step.stepNumber >= stepLimit - 1;
    return { messages, ...own, ...(last ? { toolChoice: 'none' as const } : {}) };
  };
}

async function steered(turn: Turn, matter: Matter): Promise<ModelMessage[]> {
  const before = turn.events.map(({ eventId }) => eventId);
  const interrupt = await turn.step();
  if (interrupt === undefined) return [];
  const open = matter.closedBy === undefined ? before.at(-1) : undefined;
  matter.changed(before);
  return [{ role: 'user', content: urgentWords(interrupt, open) }];
}

function urgentWords({ prompt }: Interrupt, open: string | undefined): string {
  const rest =
    open === undefined
      ? ''
      : ` What you were asked before is still open: answer that with chat_send_message, inReplyTo ${open}.`;
  return `This came in while you were working and is urgent. Your final text answers this.${rest}\n\n${prompt}`;
}
