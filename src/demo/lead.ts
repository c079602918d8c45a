// The lead answers questions, gives work to the builder, and gets what the others could not settle. A model can play it
// instead of the script: leadModel.
import { derivationAs } from '../protocol/derived-id.ts';
import type { AgentLog } from '../agent/index.ts';
import { readListed } from '../agent/read-event.ts';
import type { Env } from '../agent/runners/child.ts';
import type { Runner } from '../agent/runners/runner.ts';
import type { ScriptAnswer, DemoScript, CueInput } from './script.ts';

/** More messages than a loop reaches before it is stopped. */
const THREAD_EVENTS = 50;

const HELP = `Things to try:
- @builder build it, then edit it or say "@builder stop"
- @builder remind me in 10 s
- @builder get a review
- @lead please get it built
- @builder make coffee
- @oncall is the build green?
- @lead leave`;

export const LEAD: DemoScript = {
  agent: 'lead',
  cues: [
    {
      name: 'help',
      hears: /\b(?:help|what can (?:you|I) do)\b/i,
      does: async ({ turn }) => {
        // The text names the others, but asks nothing of them.
        await turn.reply(HELP, { directedness: 'ambient' });
        return undefined;
      },
    },
    {
      name: 'delegate',
      hears: /\b(?:have|get) it built\b/i,
      does: async ({ turn }) => {
        const order = { recipient: 'agent:builder', mentions: ['agent:builder'] };
        await turn.reply('@builder please build it.', order);
        return undefined;
      },
    },
    {
      name: 'the deploy',
      hears: /\b(?:deploy\w*|release|build|green|red)\b/i,
      does: 'Nothing blocks the deploy: the build is green.',
    },
    // Last: people greet and ask in one breath.
    {
      name: 'hello',
      hears: /\b(?:hello|hi|hey|are you (?:there|here|back))\b/i,
      does: 'I am here. I answer when I am addressed and am quiet otherwise.',
    },
  ],
  otherwise: 'I have read it. I am a script and know little: "@lead help" says what we can show.',
  knocked: escalated,
};

/** An escalation comes without its text. The lead answers where it happened. */
async function escalated(told: CueInput): Promise<ScriptAnswer> {
  const { event } = told;
  if (event.reason === 'loop_stopped') return loopStopped(told);
  const who = derivationAs(event.eventId, 'escalated')?.agent ?? 'an agent';
  return `This has come to me because ${who} did not take it. I have noted it.`;
}

/** Tells the person who spoke last before the agents went on alone, in one message. */
async function loopStopped({ turn }: CueInput): Promise<ScriptAnswer> {
  const { data } = await turn.readThread({ limit: THREAD_EVENTS });
  const person = readListed(data).findLast(({ author }) => author.kind === 'human')?.author.id;
  const text =
    'two of us were going round in circles, so Earshot stopped them. They answer again when a person speaks to them.';
  if (person === undefined) return `To whom it concerns: ${text}`;
  await turn.reply(`@${person} ${text}`, { mentions: [`human:${person}`] });
  return undefined;
}

/** The lead as a real model, when the environment names one. If that fails, `problem` says why and the script plays. */
export interface LeadModel {
  name: string | undefined;
  runner: Runner | undefined;
  problem: string | undefined;
}

const INSTRUCTIONS =
  'You are "lead", the lead of a small demo team in a chat. "builder" builds, "reviewer" reviews; both are scripts, and ' +
  'both hold the role "oncall". Answer in one to three short, friendly sentences. When two agents were stopped because ' +
  'they went in circles, tell the person who started it, once.';

export async function leadModel(env: Env, log: AgentLog): Promise<LeadModel> {
  const { modelFromEnv, modelRunner } = await import('../agent/runners/models.ts');
  const name = modelFromEnv(env);
  if (name === undefined) return { name, runner: undefined, problem: undefined };
  try {
    const runner = await modelRunner({ name, env, instructions: INSTRUCTIONS, log });
    return { name, runner, problem: undefined };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    log.warn({ model: name }, `the lead is played by a script: ${problem}`);
    return { name: undefined, runner: undefined, problem };
  }
}
