// `turn.ask`: asks a question and waits for its answer inside the running turn. The question is an ordinary send. The
// answer is a delivery that the running turn takes in, like an urgent one, so the host knows what became of it.
import { readFragments } from './answer.ts';
import { act, type ActDeps, render, voiceOf } from './build-turn.ts';
import { authorKey, type TurnEvent } from './event.ts';
import { startNested } from './host-turn.ts';
import { type AnswerPart, type NoAnswer, OpenAsk } from './open-ask.ts';
import { string } from './read-event.ts';
import type { RunDeps, Run } from './run.ts';
import type { Answer, AskOptions } from './turn.ts';
import type { Working } from './working.ts';

export interface AskDeps extends RunDeps {
  working: Working;
}

export async function ask(deps: AskDeps, text: string, options: AskOptions = {}): Promise<Answer> {
  const { shared, run, working } = deps;
  const { limits, asks } = shared;
  run.signal.throwIfAborted();
  const about = run.own;
  if (about === undefined || run.over) return none('over', 'This turn is over: it can ask nothing any more.');
  const target = options.target ?? about.conversation.target;
  return working.rest(async () => {
    const leave = await asks.enter(target, run.signal, limits.waitingAsks);
    run.signal.throwIfAborted();
    if (leave === undefined)
      return none('refused', `${limits.waitingAsks} questions wait for an answer there: ask fewer at once.`);
    try {
      return await put(deps, about, { ...options, target, text });
    } finally {
      leave();
    }
  });
}

interface Question extends AskOptions {
  target: string;
  text: string;
}

async function put(deps: AskDeps, about: TurnEvent, question: Question): Promise<Answer> {
  const { shared, run } = deps;
  const { target, timeoutMs = shared.limits.askMs } = question;
  const who = namesOf(question.who) ?? [authorKey(about.author)];
  const sent = await act(deps satisfies ActDeps, 'chat.send_message', messageOf(run, about, question));
  run.signal.throwIfAborted();
  const questionId = string(sent.data['eventId']);
  if (!sent.ok || questionId === undefined) return none('refused', sent.text);
  const end = await shared.asks.during(new OpenAsk({ shared, run, target, who, questionId, timeoutMs }));
  run.signal.throwIfAborted();
  return end.type === 'none' ? none(end.why) : await taken(deps, end.parts, questionId);
}

/** Addressed to the person who is asked. It is a reply if that person wrote the message the turn is about. */
function messageOf(run: Run, about: TurnEvent, { who, target, text }: Question): Record<string, unknown> {
  const message = { text: asQuestion(text), target };
  const [first, ...others] = namesOf(who) ?? [];
  if (first === undefined || (others.length === 0 && first === authorKey(about.author))) {
    const last = run.answers;
    return target === last?.conversation.target ? { ...message, inReplyTo: last.eventId } : message;
  }
  return {
    ...message,
    inReplyTo: null,
    recipient: first,
    mentions: [first, ...others],
    directedness: 'to_me',
  };
}

function namesOf(who: AskOptions['who']): readonly string[] | undefined {
  if (who === undefined || who.length === 0) return undefined;
  return typeof who === 'string' ? [who] : who;
}

/** Ends with a question mark. The host could read it as a statement otherwise, and then drop the "ok" that follows. */
function asQuestion(text: string): string {
  return /[?？؟]/.test(text) ? text : `${text.replace(/[\s.!…]+$/u, '')}?`;
}

async function taken(deps: AskDeps, parts: readonly AnswerPart[], questionId: string): Promise<Answer> {
  const { shared, run } = deps;
  const backs = new Map(parts.map(({ held, back }) => [held, back]));
  const given = await startNested(
    deps,
    parts.map(({ held }) => held),
    { answer: true, back: (held) => backs.get(held)?.(held) },
  );
  run.signal.throwIfAborted();
  const event = given?.events.at(-1);
  if (given === undefined || event === undefined) return none('withdrawn');
  const { events, seen } = given;
  return {
    type: readFragments(events, questionId),
    prompt: render(shared, {
      events,
      seen,
      knocks: [],
      digests: [],
      ...voiceOf(shared, run, await shared.tools),
    }),
    text: events
      .map((part) => part.text)
      .filter((line) => line !== '')
      .join('\n'),
    event,
  };
}

function none(why: NoAnswer, text?: string): Answer {
  return { type: 'none', why, ...(text === undefined ? {} : { text }) };
}
