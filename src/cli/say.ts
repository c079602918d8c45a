// `earshot say`: speaks in the web chat as a person, prints what was decided about it, and waits for the answer.
import type { WebMessage, WebState } from '../protocol/web-chat.ts';
import { systemClock } from '../runtime/clock.ts';
import { systemRandom } from '../runtime/random.ts';
import { type Command, parseFlags } from './args.ts';
import { AnswerWatch, type AnswersHeard, type Held } from './await-answers.ts';
import { PERSON } from './first-person.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, findHost, listIn, wayOfPerson } from './host-client.ts';
import { CommandError, type Io } from './io.ts';
import { shownLine } from './terminal-text.ts';
import { openWebTalk, roomNamed, type WebTalk } from './web-talk.ts';
import type { WhyAnswer } from './why.ts';

const WAIT_S = 60;
const HELP = `Usage: earshot say TEXT [--in ROOM | --dm AGENT] [--as NAME] [--reply EVENT] [--wait SECONDS]

Says it in the web chat, as you do on the page, prints for each agent what was decided, and waits for the answers.

  --in ROOM       in which room, by the name that people see; general
  --dm AGENT      to this agent alone, as a direct message
  --as NAME       who says it; you when left out
  --reply EVENT   it replies to this message
  --wait SECONDS  how long to wait for answers; ${WAIT_S}. 0: not at all
${CLIENT_HELP}

With --url, EARSHOT_TOKEN is a person's token, such as "earshot invite NAME" makes.

Example:
  earshot say "@lead can you look at the build?"
`;

const OPTIONS = {
  ...CLIENT_OPTIONS,
  as: { type: 'string' },
  in: { type: 'string' },
  dm: { type: 'string' },
  reply: { type: 'string' },
  wait: { type: 'string' },
} as const;

export const sayCommand: Command = {
  help: HELP,
  run,
};

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('say', argv, OPTIONS, 1);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const [text] = positionals;
  if (text === undefined) throw new CommandError(2, 'say: say what (see: earshot say --help)');
  if (values.in !== undefined && values.dm !== undefined)
    throw new CommandError(2, 'say: --in is a room and --dm an agent: give one of them');
  const waitMs = waitOf(values.wait) * 1_000;
  const { url, token } = await wayOfPerson(values, values.as ?? PERSON);
  const json = values.json === true;
  const answers: WebMessage[] = [];
  const watch = new AnswerWatch(systemClock, (answer) => {
    answers.push(answer);
    if (!json) void io.out(`${answerLine(answer, io)}\n`).then(() => io.flush());
  });
  const talk = await openWebTalk(url, token, (news) => watch.told(news));
  try {
    const conversation = await placeOf(talk, values);
    const key = systemRandom.id();
    const reply = values.reply === undefined ? {} : { replyTo: values.reply };
    const { message } = await talk.ask('post', { key, conversation, text, ...reply });
    const decisions = await decisionsOf(message.eventId, values);
    if (!json) {
      await io.out(`${message.eventId}\n${decisions.map((one) => `  ${line(one, io)}\n`).join('')}`);
      if (waitMs > 0) await io.out(awayLine(message, talk, waitMs, io));
      await io.flush();
    }
    const heard = await watch.over(message, waitMs, () => heldBy(message.eventId, values));
    if (json) await io.out(`${JSON.stringify(shown(message, decisions, answers, heard))}\n`);
    else await io.out(endLine(message, heard, answers, talk, waitMs, io));
    return 0;
  } finally {
    talk.close();
  }
}

function waitOf(given: string | undefined): number {
  const seconds = given === undefined ? WAIT_S : Number(given);
  if (Number.isFinite(seconds) && seconds >= 0 && seconds <= 3_600) return seconds;
  throw new CommandError(2, `--wait: "${given}" is no time; write seconds, up to 3600`);
}

async function placeOf(talk: WebTalk, { in: room, dm }: { in?: string; dm?: string }): Promise<string> {
  if (dm === undefined) return roomNamed(talk.hello.conversations, room ?? 'general').id;
  const created = await talk.ask('create', { kind: 'dm', key: systemRandom.id(), with: `agent:${dm}` });
  return created.conversation.id;
}

type Place = { url?: string; data?: string; config?: string };

/** Only an operator reads decisions. A person elsewhere sees the answers alone. */
async function decisionsOf(eventId: string, flags: Place): Promise<WhyAnswer['decisions']> {
  const answer = await whyAnswer(eventId, flags);
  return answer === undefined ? [] : listIn<WhyAnswer['decisions'][number]>(answer, 'decisions');
}

const MAY: ReadonlySet<string> = new Set(['must_respond', 'may_respond']);

/** Whether an agent that may answer has the message, or is going to be handed it. It may have answered already. */
async function heldBy(eventId: string, flags: Place): Promise<Held> {
  const answer = await whyAnswer(eventId, flags);
  const deliveries =
    answer === undefined ? [] : listIn<WhyAnswer['deliveries'][number]>(answer, 'deliveries');
  const asked = deliveries.filter(({ policy }) => MAY.has(policy));
  if (asked.length === 0) return 'nobody';
  return asked.some(({ settledAt }) => settledAt === null) ? 'open' : 'ended';
}

async function whyAnswer(eventId: string, flags: Place): Promise<unknown> {
  if (flags.url !== undefined) return undefined;
  const operator = await findHost(flags);
  return operator?.call('GET', `/v1/why/${eventId}`);
}

function line(
  { headline, decision, policy, mode }: WhyAnswer['decisions'][number],
  { paint, columns }: Io,
): string {
  const words = `${policy} ${mode}`;
  return `${shownLine(headline, columns - words.length - 4)}  ${paint(decision === 'engage' ? 'green' : 'dim', words)}`;
}

function answerLine({ author, text }: WebMessage, { paint, columns }: Io): string {
  const lines = text.split('\n').map((one) => shownLine(one, columns));
  return `${paint('bold', `${author.name}:`)} ${lines.join('\n  ')}`;
}

/** Who is not there may not come soon, and whoever waits in front of a terminal has to know. */
function awayLine({ states, why }: WebMessage, { hello }: WebTalk, waitMs: number, { paint }: Io): string {
  const away = new Set(hello.agents.flatMap(({ id, connected }) => (connected ? [] : [id])));
  if (why === undefined || !states.some(({ agent }) => away.has(agent))) return '';
  return `${paint('dim', `${why.words}. Waiting ${waitMs / 1_000} s at most; Ctrl-C ends that.`)}\n`;
}

const ENDS: Partial<Record<WebState['state'], string>> = {
  acknowledged: 'has seen it and gives no answer',
  not_answered: 'did not answer',
  failed: 'could not answer; earshot agents says why',
};
const WAITS: Partial<Record<WebState['state'], string>> = {
  queued: 'will get it when it is connected',
  delivered: 'has it',
  working: 'is working on it',
  claimed: 'has taken it',
  deferred: 'has put it off',
  retrying: 'failed and tries again',
};

function endLine(
  { why }: WebMessage,
  { states, wasAsked, isLate }: AnswersHeard,
  answers: readonly WebMessage[],
  { hello }: WebTalk,
  waitMs: number,
  { paint }: Io,
): string {
  const rows: string[] = [];
  if (!wasAsked && why !== undefined) {
    const [agent] = why.words.includes('use @') ? hello.agents : [];
    rows.push(`${why.words}${agent === undefined ? '' : `, such as @${agent.id}`}.`);
  } else if (wasAsked && !isLate && states.length === 0 && answers.length === 0)
    rows.push('Nobody had to answer, and nobody did.');
  for (const { agent, state } of states) {
    const words = ENDS[state] ?? (isLate ? WAITS[state] : undefined);
    if (words !== undefined) rows.push(`${agent} ${words}.`);
  }
  if (isLate && waitMs > 0) rows.push('Not waiting any longer; the page and "earshot tail" show what comes.');
  return rows.map((row) => `${paint('dim', row)}\n`).join('');
}

function shown(
  { eventId, conversation }: WebMessage,
  decisions: WhyAnswer['decisions'],
  answers: readonly WebMessage[],
  { states, isLate }: AnswersHeard,
): object {
  const said = answers.map(({ eventId: id, author, text }) => ({ eventId: id, author: author.id, text }));
  return { eventId, conversation, decisions, answers: said, states, waiting: isLate };
}
