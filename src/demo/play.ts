// Turns a script into a handler for `onTurn`. All scripted agents share this: they claim offers, say how many messages
// they read as one, stay silent when they only may speak and have nothing to say, and stop when they are cancelled.
import type { ReplyOptions, Turn, TurnEvent, TurnHandler } from '../agent/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { BUILDER } from './builder.ts';
import { LEAD } from './lead.ts';
import { REVIEWER } from './reviewer.ts';
import type { ScriptAnswer, DemoScript, CueInput } from './script.ts';

/** Who plays in the demo. Their ids and roles are in the demo configuration. */
export const CAST: readonly DemoScript[] = [LEAD, BUILDER, REVIEWER];

export function play(script: DemoScript, clock: Clock): TurnHandler {
  return async (turn) => {
    const offered = turn.events.some(({ notices }) => notices.includes('claim_first'));
    const claim = offered ? await turn.claim() : undefined;
    if (claim !== undefined && claim.event === undefined) return; // another was faster
    const told =
      claim?.event === undefined ? await tellBack(script, turn, clock) : listen(turn, clock, claim.event);
    const answer = await answerTo(script, told);
    if (answer === undefined) return;
    const claimed = offered ? 'I have claimed this, so nobody else answers. ' : '';
    const { event } = told;
    const isNewest = claim !== undefined || event === turn.events.at(-1);
    const options = { ...asksNothing(told), ...(isNewest ? {} : { inReplyTo: event.eventId }) };
    await turn.reply(`${claimed}${readAs(told.parts)}${answer}`, options);
  };
}

/** What was put off may come back together with new words. It is answered by itself, and the rest is left. */
async function tellBack(script: DemoScript, turn: Turn, clock: Clock): Promise<CueInput> {
  const back = turn.events.filter(({ attempt }) => attempt > 1);
  const fresh = turn.events.filter(({ attempt }) => attempt <= 1);
  if (back.length === 0 || fresh.length === 0) return listen(turn, clock);
  for (const event of back) {
    const answer = await answerTo(script, listen(turn, clock, event));
    if (answer !== undefined) await turn.reply(answer, { inReplyTo: event.eventId });
  }
  const [newest] = fresh.slice(-1);
  const words = withoutNames(fresh.map(({ text }) => text).join('\n'));
  return { ...listen(turn, clock, newest), words, parts: fresh.length };
}

/** `alone`: the one event that it is about, and not all that the turn has. */
function listen(turn: Turn, clock: Clock, alone?: TurnEvent): CueInput {
  const event = alone ?? turn.events.at(-1);
  if (event === undefined) throw new Error('a turn without events: there is nothing to answer');
  return {
    turn,
    event,
    words: withoutNames(alone?.text ?? turn.text),
    parts: turn.events.length + turn.context.filter(({ leadIn }) => leadIn).length,
    mustAnswer: alone !== undefined || turn.policy === 'must_respond',
    pause: (ms) => pause(turn, clock, ms),
  };
}

function withoutNames(text: string): string {
  return text.replace(/@[\w.-]+/g, ' ').trim();
}

async function answerTo(script: DemoScript, told: CueInput): Promise<ScriptAnswer> {
  const { turn, event, words, mustAnswer } = told;
  if (event.knock !== undefined) return script.knocked?.(told);
  const fromAgent = event.author.kind === 'agent';
  for (const { hears, does, agents } of script.cues) {
    const heard = fromAgent && agents !== true ? null : hears.exec(words);
    if (heard !== null) return typeof does === 'string' ? does : does(told, heard);
  }
  if (!mustAnswer) return undefined;
  if (!fromAgent) return script.otherwise;
  await turn.react('done'); // between agents a signal is enough
  return undefined;
}

/** A reply to an agent asks for no answer. Two scripts would otherwise thank each other until they are stopped. */
function asksNothing({ event }: CueInput): ReplyOptions {
  return event.author.kind === 'agent' || event.knock !== undefined ? { directedness: 'ambient' } : {};
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

function readAs(parts: number): string {
  return parts > 1 ? `I read ${NUMBERS[parts] ?? parts} messages as one. ` : '';
}

function pause({ signal }: Turn, clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancelled = (): void => {
      cancel();
      reject(signal.reason instanceof Error ? signal.reason : new Error('the turn was cancelled'));
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', cancelled);
      resolve();
    });
    signal.addEventListener('abort', cancelled, { once: true });
    if (signal.aborted) cancelled();
  });
}
