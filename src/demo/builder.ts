// The builder shows slow work that can be cancelled and interrupted, a deferred reminder, and a question it is blocked
// on.
import { argues } from './argument.ts';
import type { ScriptAnswer, DemoScript, CueInput } from './script.ts';

const STEPS = 5;
const STEP_MS = 1_000;
const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000 };
/** The longest wait in the demo. A longer one is shortened to this. */
const LONGEST_MS = 10 * 60_000;
const REVIEW = 'please review the last change.';

export const BUILDER: DemoScript = {
  agent: 'builder',
  cues: [
    {
      name: 'urgent',
      hears: /\b(?:urgent|emergency|production is down)\b/i,
      does: 'I have dropped what I was doing and look at this first.',
    },
    {
      name: 'remind me',
      hears: /\bremind me in (\d{1,4}) ?(s|m)/i,
      does: (told, [, count = '', unit = '']) => remind(told, Number(count) * (UNITS_MS[unit] ?? 1_000)),
    },
    { name: 'review asked for', hears: /\b(?:get|ask for) a review\b/i, does: askForReview },
    { name: 'review done', hears: /^reviewed\b/i, agents: true, does: takeReview },
    {
      name: 'not its work',
      hears: /\bcoffee\b/i,
      // After a decline, Earshot takes the request to the lead.
      does: async ({ turn }) => {
        await turn.react('declined');
        return undefined;
      },
    },
    ...argues('tabs', 'reviewer'),
    { name: 'build', hears: /\b(?:build|rebuild|ship) (?:it|this|that|the)\b/i, agents: true, does: build },
    { name: 'the build', hears: /\b(?:build|deploy\w*|green|red)\b/i, does: 'The last build is green.' },
    // Last: people greet and ask in one breath.
    { name: 'hello', hears: /\b(?:hello|hi|hey)\b/i, does: 'Hello. I build things.' },
  ],
  otherwise: 'I am listening. "@builder build it" gives me something to do.',
};

/** Says nothing until it is done, so that an edit, another line or "stop" can still change everything. */
async function build({ turn, event, pause }: CueInput): Promise<ScriptAnswer> {
  for (let step = 1; step <= STEPS; step++) {
    await pause(STEP_MS);
    const interrupt = await turn.step();
    if (interrupt === undefined) continue;
    await turn.reply(`You interrupted me after step ${step} of ${STEPS}: I look at this first.`);
  }
  await turn.reply(`Built, in ${STEPS} steps.`, { inReplyTo: event.eventId });
  return undefined;
}

async function remind({ turn, event }: CueInput, ms: number): Promise<ScriptAnswer> {
  const seconds = Math.ceil(Math.min(ms, LONGEST_MS) / 1_000);
  // The deferred event has come back. It comes back only once.
  if (event.attempt > 1) return `This is your reminder: ${seconds} s are over.`;
  await turn.react('queued', { eta: `${seconds} s` });
  const put = await turn.defer('a reminder', { ttlMs: Math.max(1, seconds) * 1_000 });
  return put.ok ? undefined : `I cannot put this off: ${put.text}`;
}

/** Says that it is blocked on the answer. The question comes back to the reviewer until the builder resolves it. */
async function askForReview({ turn }: CueInput): Promise<ScriptAnswer> {
  await turn.reply(`@reviewer ${REVIEW}`, {
    recipient: 'agent:reviewer',
    mentions: ['agent:reviewer'],
    obligation: { blocks: 'halted', defaultAction: 'The change is not merged.' },
  });
  return undefined;
}

/** Only the agent that asked can resolve its question. The reviewer's answer alone does not. */
async function takeReview({ turn }: CueInput): Promise<ScriptAnswer> {
  const asked = turn.history.findLast(
    ({ author, text }) => author.id === turn.agent && text.includes(REVIEW),
  );
  if (asked === undefined) return undefined;
  await turn.react('done', { inReplyTo: asked.eventId, recipient: 'agent:reviewer' });
  return 'I have the review and am no longer blocked: merged.';
}
