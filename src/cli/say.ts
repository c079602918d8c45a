// `earshot say`: posts a message as yourself, through the same API as any source, and prints the decisions about it.
import { systemClock } from '../runtime/clock.ts';
import { systemRandom } from '../runtime/random.ts';
import { type Command, parseFlags } from './args.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, listIn, requireHost } from './host-client.ts';
import { CommandError, type Io } from './io.ts';
import { shownLine } from './terminal-text.ts';
import type { WhyAnswer } from './why.ts';

const HELP = `Usage: earshot say TEXT [--as NAME] [--in CONVERSATION] [--dm] [--reply EVENT]

Posts one message to the host and prints, for each agent, what was decided.

  --as NAME       who says it; you when left out
  --in ID         in which conversation; general
  --dm            it is a direct message
  --reply EVENT   it replies to this event
${CLIENT_HELP}

Example:
  earshot say "@lead can you look at the build?"
`;

const OPTIONS = {
  ...CLIENT_OPTIONS,
  as: { type: 'string' },
  in: { type: 'string' },
  dm: { type: 'boolean' },
  reply: { type: 'string' },
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
  const source = await requireHost(values, 'source');
  const eventId = `say-${systemRandom.id()}`;
  const event = {
    eventId,
    at: systemClock.now(),
    platform: 'dev',
    workspaceId: 'local',
    conversation: {
      id: values.in ?? (values.dm === true ? 'dm-you' : 'general'),
      kind: values.dm === true ? 'dm' : 'channel',
    },
    author: { id: values.as ?? 'you', kind: 'human', displayName: values.as ?? 'You' },
    type: 'message',
    text,
    ...(values.reply === undefined ? {} : { replyTo: { eventId: values.reply } }),
  };
  await source.call('POST', '/v1/events', event);
  if (values.url !== undefined) {
    await io.out(values.json === true ? `${JSON.stringify({ eventId })}\n` : `${eventId}\n`);
    return 0;
  }
  const operator = await requireHost(values);
  const answer = await operator.call('GET', `/v1/why/${eventId}`);
  const decisions = listIn<WhyAnswer['decisions'][number]>(answer, 'decisions');
  if (values.json === true) await io.out(`${JSON.stringify({ eventId, decisions })}\n`);
  else await io.out(`${eventId}\n${decisions.map((one) => `  ${line(one, io)}\n`).join('')}`);
  return 0;
}

function line(
  { headline, decision, policy, mode }: WhyAnswer['decisions'][number],
  { paint, columns }: Io,
): string {
  return `${paint(decision === 'engage' ? 'green' : 'dim', `${policy} ${mode}`)}  ${shownLine(headline, columns)}`;
}
