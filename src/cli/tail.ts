// `earshot tail`: what happens, as it happens: every event with what was decided, sessions, ends, what waits for a
// person. The stream is opened before the log is read, so that nothing falls between.
import { type Command, parseFlags } from './args.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, requireHost } from './host-client.ts';
import { CommandError, type Io } from './io.ts';
import { shown } from './shown-text.ts';
import { type StreamEvent, streamEvents } from './stream-events.ts';

const HELP = `Usage: earshot tail [--lines N] [--once]

Prints the newest events with their decisions and goes on as more happen, until Ctrl-C.

  --lines N       how many from before; 10
  --once          only those, then end
${CLIENT_HELP}

Example:
  earshot tail --lines 50
`;

const OPTIONS = { ...CLIENT_OPTIONS, lines: { type: 'string' }, once: { type: 'boolean' } } as const;
const LINES = { usual: 10, most: 200 };

export const tailCommand: Command = {
  name: 'tail',
  summary: 'show what happens, as it happens',
  help: HELP,
  run,
};

interface LogEvent {
  eventId: string;
  at: string;
  type: string;
  conversation: { id: string };
  author: { id: string; displayName?: string };
  text?: string;
  signal?: string;
  decisions: { agent: string; decision: string; policy: string; mode: string; reason: string }[];
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseFlags('tail', argv, OPTIONS, 0);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const lines = values.lines === undefined ? LINES.usual : Number(values.lines);
  if (!Number.isInteger(lines) || lines < 0 || lines > LINES.most) {
    throw new CommandError(2, `--lines: expected a whole number up to ${LINES.most}`);
  }
  const host = await requireHost(values);
  const json = values.json === true;
  const stop = new AbortController();
  const stream = values.once === true ? undefined : await host.open('/v1/stream', stop.signal);
  const before = lines === 0 ? [] : await newest(() => host.call('GET', `/v1/log?last=true&limit=${lines}`));
  const seen = new Set(before.map(({ eventId }) => eventId));
  for (const event of before) await io.out(json ? `${JSON.stringify(event)}\n` : eventText(event, io));
  await io.flush();
  if (stream === undefined) return 0;
  for await (const news of streamEvents(stream)) {
    if (news.type === 'logged' && seen.delete((news.data as unknown as LogEvent).eventId)) continue;
    await io.out(json ? `${JSON.stringify(news)}\n` : newsText(news, io));
    await io.flush();
  }
  io.err('earshot: the host has ended the stream\n');
  return 0;
}

async function newest(read: () => Promise<unknown>): Promise<LogEvent[]> {
  return ((await read()) as { log: LogEvent[] }).log;
}

function eventText(event: LogEvent, { paint, columns }: Io): string {
  const { at, type, conversation, author, text, signal, decisions } = event;
  const said = type === 'message' ? (text ?? '') : `(${[type, signal, text].filter(Boolean).join(' ')})`;
  const head = `${at.slice(11, 19)} ${conversation.id} ${author.displayName ?? author.id}: ${said}`;
  const rows = decisions.map(({ agent, decision, policy, mode, reason }) => {
    const row = `         ${agent} ${policy} ${mode} (${reason})`;
    return `${paint(decision === 'engage' ? 'green' : 'dim', shown(row, columns).padStart(0))}\n`;
  });
  return `${shown(head, columns)}\n${rows.map((row) => `  ${row}`).join('')}`;
}

function newsText({ type, data }: StreamEvent, io: Io): string {
  const word = (key: string): string => (typeof data[key] === 'string' ? data[key] : '');
  switch (type) {
    case 'logged':
      return eventText(data as unknown as LogEvent, io);
    case 'settled':
      return `  ${shown(`${word('agent')} settled ${word('eventId')}: ${word('disposition')} ${word('why')}`, io.columns)}\n`;
    case 'session':
      return `  ${word('agent')} ${data['connected'] === true ? 'connected' : 'disconnected'}\n`;
    case 'inbox':
      return `  ${io.paint('yellow', shown(`a person is asked: ${word('key')}`, io.columns))}\n`;
    default:
      return '';
  }
}
