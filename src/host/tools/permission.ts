// `chat.ask_permission`: asks where the turn was asked and waits for the answer of the one who may give it. The answer
// ends here (kernel/questions.ts): the program that asked gets a verdict, and its turn runs on. Only a plain yes allows.
import { wireError } from '../../protocol/errors.ts';
import { hostId } from '../../protocol/derived-id.ts';
import { deliveryKey, identity } from '../../protocol/identity.ts';
import type { ToolInput, ToolResult } from '../../protocol/tools.ts';
import type { Cancel } from '../../runtime/clock.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { decisionOf } from '../delivery/delivery-row.ts';
import { readAgentRecord, saidHash } from '../kernel/agent-record.ts';
import { textOf } from '../kernel/log-row.ts';
import { ANSWERED_QUESTION, isAnswer, type OpenQuestion } from '../kernel/questions.ts';
import { sendMessage } from './act.ts';
import { permissionQuestion } from './permission-question.ts';
import { readableEvent } from './read.ts';
import type { ToolAnswer, ToolContext } from './tool-context.ts';

export const PERMISSION_LIMITS = {
  /** How long a person has. Shorter than the five minutes after which an HTTP client gives up. */
  answerMs: 240_000,
  /** How much of an answer that is no plain yes or no the model is shown. */
  answerChars: 1_000,
} as const;

type Verdict = ToolResult<'chat.ask_permission'>;
type Input = ToolInput<'chat.ask_permission'>;

export async function askPermission(
  input: Input,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.ask_permission'>> {
  const about = await askedIn(tools, input);
  if (about === undefined) return undecided(NO_TURN);
  const { author } = about.event.record.event;
  const who = input.approver ?? (author.kind === 'human' ? identity('human', author.id) : undefined);
  if (who === undefined) return undecided(NOBODY);
  const { agent, context } = tools;
  const { conversation, key } = about.event;
  const eventId = hostId('send', context.random.id());
  const asked = await context.questions.open({ agent, conversation, who, eventId, about: key });
  // It listens before it asks, because an answer may come as soon as the question is visible.
  const answer = await listen(tools, asked.question).catch((error: unknown) => {
    asked.close();
    throw error;
  });
  try {
    const sent = await put(tools, input, about, asked.question);
    if (!sent.ok) return undecided(`the question was not posted (${sent.error.message})`);
    const parts = await answer.given();
    if (parts.length === 0) return undecided(UNANSWERED);
    return { ok: true, result: verdictOf(parts, input.input) };
  } finally {
    answer.stop();
    asked.close();
  }
}

const NO_TURN = 'no one turn of yours runs in chat, so there is nobody to ask';
const NOBODY = 'the turn is not about a person; name one with --approver';
const UNANSWERED = `nobody answered within ${PERMISSION_LIMITS.answerMs / 60_000} minutes`;

function undecided(problem: string): ToolAnswer<'chat.ask_permission'> {
  return { ok: false, error: wireError('not_decided', { problem }) };
}

interface Asked {
  event: LogRow;
  turnId: string | undefined;
}

/** The event that the call names, or that of the only turn that runs. */
async function askedIn(tools: ToolContext, { inReplyTo, turnId }: Input): Promise<Asked | undefined> {
  const { context, agent } = tools;
  const running = (await readAgentRecord(context.store, agent)).turns.filter(({ ended }) => !ended);
  if (inReplyTo !== undefined) {
    const event = await readableEvent(tools, inReplyTo);
    const key = deliveryKey(inReplyTo, agent);
    const turn = running.findLast(({ deliveries }) => deliveries.includes(key));
    return event && { event, turnId: turnId ?? turn?.id };
  }
  const [only, ...more] = running;
  const last = more.length === 0 ? only?.deliveries.at(-1) : undefined;
  const delivery = last === undefined ? undefined : await context.store.get('delivery', last);
  const event = delivery && (await context.store.get('log', delivery.source));
  return event && { event, turnId: only?.id };
}

/** Puts the question to the person, in answer to what they wrote if it was theirs. */
async function put(
  tools: ToolContext,
  input: Input,
  { event, turnId }: Asked,
  { who, eventId }: Pick<OpenQuestion, 'who' | 'eventId'>,
) {
  const { context } = tools;
  const { conversation, author } = event.record.event;
  const { kind, id } = conversation;
  const isAuthor = who === `${author.kind}:${author.id}`;
  const asked = permissionQuestion(input.tool_name, input.input);
  const nth = await nthOf(tools, asked, who);
  return sendMessage(
    {
      target: `${kind}:${id}`,
      text: nthText(asked, nth),
      visibility: kind === 'dm' || kind === 'thread' ? kind : 'channel',
      directedness: 'to_me',
      ...(isAuthor
        ? { inReplyTo: event.key }
        : { recipient: who as `human:${string}`, mentions: [who as `human:${string}`] }),
      idempotencyKey: `permission:${context.random.id()}`,
      ...(turnId === undefined ? {} : { turnId }),
    },
    tools,
    eventId,
  );
}

/** Other hosts may have asked the same for the agent: what it said lately is in its record. */
async function nthOf({ context, agent }: ToolContext, asked: string, who: string): Promise<number> {
  const nth = context.questions.nth(agent, asked);
  if (context.changes.isAlone) return nth;
  const { said } = await readAgentRecord(context.store, agent);
  const hashes = new Set(said.map(({ hash }) => hash));
  let free = nth;
  const isSaid = (text: string): boolean => hashes.has(saidHash(text)) || hashes.has(saidHash(text, who));
  while (isSaid(nthText(asked, free))) free++;
  return free;
}

function nthText(asked: string, nth: number): string {
  return nth === 1 ? asked : `${asked} (request ${nth})`;
}

interface Answer {
  yes: boolean;
  text: string;
}

/** Collects what the person says until their compose window closes: "yes" is often followed by "but not in /etc". */
async function listen({ context, signal }: ToolContext, question: OpenQuestion) {
  const { bus, clock, store, attention, changes, log } = context;
  /** The newest that have ended at any host. */
  const ended = (): Promise<readonly DeliveryRow[]> => {
    const eq = [question.agent, question.conversation, 0] as const;
    return store.scan('delivery', 'byAgentConversation', { eq, limit: 32, descending: true });
  };
  // What answered an earlier question. The clocks of hosts differ, so their times do not tell.
  const heard = new Set(changes.isAlone ? [] : (await ended()).map(({ key }) => key));
  const parts: Answer[] = [];
  const { promise, resolve } = Promise.withResolvers<readonly Answer[]>();
  const done = (): void => resolve(parts);
  let timer: Cancel = clock.after(PERMISSION_LIMITS.answerMs, done);
  signal?.addEventListener('abort', done, { once: true });
  const hear = async (delivery: DeliveryRow): Promise<void> => {
    if (heard.has(delivery.key)) return;
    heard.add(delivery.key);
    const logged = await store.get('log', delivery.source);
    if (logged === undefined || !isAnswer(question, delivery, logged)) return;
    parts.push(read(delivery, logged));
    timer();
    timer = clock.after(attention.limits.composeMs, done);
  };
  const failed = (error: unknown): void =>
    log.error({ err: error }, 'an answer to a request for permission could not be read');
  const unlisten = bus.listen((news) => {
    if (news.type === 'settled' && news.delivery.why === ANSWERED_QUESTION) hear(news.delivery).catch(failed);
  });
  /** What other hosts have taken in, in order. */
  const look = async (): Promise<void> => {
    for (const row of (await ended()).toReversed()) if (row.why === ANSWERED_QUESTION) await hear(row);
  };
  const unlook = changes.onLook(() => void look().catch(failed));
  return {
    given: () => promise,
    stop() {
      timer();
      unlisten();
      unlook();
      signal?.removeEventListener('abort', done);
    },
  };
}

function read(delivery: DeliveryRow, logged: LogRow): Answer {
  const { event } = logged.record;
  if (event.type === 'reaction') return { yes: event.signal === 'agree', text: '' };
  return { yes: decisionOf(delivery).intent === 'approval', text: textOf(logged) };
}

function verdictOf(parts: readonly Answer[], input: Input['input']): Verdict {
  if (parts.every(({ yes }) => yes)) return { behavior: 'allow', updatedInput: input };
  const said = parts.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n');
  const quoted = JSON.stringify(said.slice(0, PERMISSION_LIMITS.answerChars));
  return { behavior: 'deny', message: `They did not agree. Do not do it. What they said in chat: ${quoted}` };
}
