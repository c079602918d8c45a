// `earshot why`: explains in words what was decided about one event for each agent, and what became of it.
import type { CorrectionLabel } from '../protocol/correction.ts';
import type {
  ActAnswer,
  LogEntry,
  Namesake,
  PromptsShown,
  ShownPrompt,
  WhyAgent,
  WhyAnswer,
} from '../protocol/operator-api.ts';
import type { LaterChange } from '../protocol/operator-later.ts';
import { type Command, parseFlags } from './args.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, type HostClient, listIn, requireHost } from './host-client.ts';
import { CommandError, type Io } from './io.ts';
import { shownLine } from './terminal-text.ts';

export type { WhyAnswer } from '../protocol/operator-api.ts';

const HELP = `Usage: earshot why EVENT|LINK|last [AGENT] [--in ROOM] [--rules] [--prompt] [--should answer|quiet|neither]

Tells why each agent, or this one, was or was not woken by an event: what was looked at, what decided and on what facts,
and what has happened to it since. EVENT is an id, the host's or that of the chat it came from; a link to it from the
page does as well. "last" is what a person said last, or, with AGENT, the last of it that was decided about this agent.

  --in ROOM       the conversation, by its id or key, where several chats use this id
  --rules         also the names of the rules and the words of the protocol
  --prompt        what the model of this AGENT read in the turns about it, instead of the reasons
  --should WHAT   says that this AGENT should have answered it (answer) or stayed quiet (quiet), or takes that back
                  (neither); "earshot tune" learns from it
${CLIENT_HELP}

Example:
  earshot why last
  earshot why hello-1763240000 lead
  earshot why last lead --should quiet
`;

const OPTIONS = {
  ...CLIENT_OPTIONS,
  in: { type: 'string' },
  rules: { type: 'boolean' },
  prompt: { type: 'boolean' },
  should: { type: 'string' },
} as const;

export const whyCommand: Command = {
  help: HELP,
  run,
};

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('why', argv, OPTIONS, 2);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const [named, agent] = positionals;
  if (named === undefined)
    throw new CommandError(2, 'why: name the event, or write "why last" (see: earshot why --help)');
  if (values.prompt === true && agent === undefined)
    throw new CommandError(2, 'why: --prompt needs the agent: earshot why EVENT AGENT --prompt');
  const label = labelOf(values.should, agent);
  const host = await requireHost(values);
  const event = named === 'last' ? await lastEvent(host, agent, values.in) : named;
  if (label !== undefined) {
    const body = { agent, label, ...(values.in === undefined ? {} : { conversation: values.in }) };
    const said = await host.call('POST', `/v1/why/${encodeURIComponent(event)}/correction`, body);
    const { words } = said as ActAnswer;
    await io.out(values.json === true ? `${JSON.stringify(said)}\n` : `${plain(words)}\n`);
    return 0;
  }
  const query = new URLSearchParams({
    ...(agent === undefined ? {} : { agent }),
    ...(values.in === undefined ? {} : { conversation: values.in }),
  });
  if (values.prompt === true) {
    const path = `/v1/why/${encodeURIComponent(event)}/prompt?${query.toString()}`;
    const told = (await host.call('GET', path)) as PromptsShown;
    await io.out(values.json === true ? `${JSON.stringify(told)}\n` : promptsText(told, io));
    return 0;
  }
  const answer = (await host.call(
    'GET',
    `/v1/why/${encodeURIComponent(event)}?${query.toString()}`,
  )) as WhyAnswer;
  const agents = listIn<WhyAgent>(answer, 'agents');
  await io.out(
    values.json === true ? `${JSON.stringify(answer)}\n` : whyText(answer, agents, values.rules === true, io),
  );
  return 0;
}

const LABELS: Readonly<Record<string, CorrectionLabel>> = {
  answer: 'should_have_answered',
  quiet: 'should_have_stayed_quiet',
  neither: 'withdrawn',
};

function labelOf(should: string | undefined, agent: string | undefined): CorrectionLabel | undefined {
  if (should === undefined) return undefined;
  if (agent === undefined)
    throw new CommandError(2, 'why: --should needs the agent: earshot why EVENT AGENT --should quiet');
  const label = LABELS[should];
  if (label === undefined)
    throw new CommandError(2, `why: --should is answer, quiet or neither, not "${should}"`);
  return label;
}

/** How far it looks back for what a person said. Agents may have said more since. */
const LOOK_BACK = 100;

async function lastEvent(
  host: HostClient,
  agent: string | undefined,
  room: string | undefined,
): Promise<string> {
  const query = new URLSearchParams({
    last: 'true',
    limit: String(LOOK_BACK),
    type: 'message',
    ...(agent === undefined ? {} : { agent }),
    ...(room === undefined ? {} : { conversation: room }),
  });
  const log = listIn<LogEntry>(await host.call('GET', `/v1/log?${query.toString()}`), 'log');
  const last = log.findLast(({ author }) => author.kind === 'human') ?? log.at(-1);
  if (last !== undefined) return last.eventId;
  const whom = agent === undefined ? '' : ` that was decided about ${agent}`;
  throw new CommandError(1, `why last: there is no message yet${whom}; say one with "earshot say"`);
}

/** Turn by turn. The text is printed line by line, each without what could steer a terminal. */
function promptsText(told: PromptsShown, io: Io): string {
  const prompts = listIn<ShownPrompt>(told, 'prompts');
  if (prompts.length === 0) return `${plain(told.note ?? 'No prompt is stored.')}\n`;
  const parts = prompts.map(({ at, turnId, text }) => {
    const head = `${plain(at)}${turnId === undefined ? '' : `  ${plain(turnId)}`}`;
    return `${io.paint('bold', head)}\n${text.split('\n').map(plain).join('\n')}\n`;
  });
  return parts.join('\n');
}

function whyText(answer: WhyAnswer, agents: readonly WhyAgent[], rules: boolean, io: Io): string {
  const { event, later, namesakes = [] } = answer;
  const { author, type, text } = event;
  const who = shownLine(author.displayName ?? author.id, io.columns);
  const parts = [`${io.paint('bold', who)}: ${shownLine(text ?? `(${type})`, io.columns)}\n`];
  for (const one of agents) parts.push(`\n${agentText(one, rules, io)}`);
  const general = later.filter((change) => change.agent === undefined);
  if (general.length > 0) parts.push(`\n${general.map((change) => `${sinceText(change)}\n`).join('')}`);
  if (namesakes.length > 0) parts.push(`\n${namesakesText(event, namesakes)}`);
  return parts.join('');
}

/** How many events with the same id are listed. */
const NAMESAKES_SHOWN = 10;

/** Other chats use the same id: this is one of several, and this is how to ask for another. */
function namesakesText({ conversationKey }: WhyAnswer['event'], others: readonly Namesake[]): string {
  const count = others.length === 1 ? 'Another event has' : `${others.length} other events have`;
  const lines = others
    .slice(0, NAMESAKES_SHOWN)
    .map((one) => `  --in ${plain(one.conversationKey)}  (${plain(one.eventId)})`);
  const head = `This is the one in ${plain(conversationKey)}. ${count} this id in its own chat; to choose:`;
  return [head, ...lines].map((line) => `${line}\n`).join('');
}

function agentText({ headline, steps, decision, since }: WhyAgent, rules: boolean, io: Io): string {
  const colour = decision?.decision === 'engage' ? 'green' : 'dim';
  const lines = [io.paint('bold', plain(headline))];
  if (rules && decision !== undefined) {
    const { decision: inbound, directedness, policy, mode, reason, trace } = decision;
    const named = `${inbound}: ${directedness} ${policy} ${mode} ${reason} (rule ${trace.rung}, row ${trace.row})`;
    lines.push(`  ${io.paint(colour, named)}`);
  }
  lines.push(...steps.map((step, index) => `  ${index + 1}. ${plain(step)}`));
  lines.push(...since.map((change) => `  ${io.paint(colour, sinceText(change))}`));
  return lines.map((line) => `${line}\n`).join('');
}

const plain = (text: string): string => shownLine(text, Number.POSITIVE_INFINITY);

function sinceText({ at, words }: LaterChange): string {
  return `${at.slice(11, 19)} ${plain(words)}`;
}
