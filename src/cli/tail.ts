// `earshot tail`: prints what happens as it happens: events with their decisions, sessions, settled deliveries, inbox
// entries. It opens the stream before it reads the log, so that it misses nothing.
import type { LogEntry, LogPage } from '../protocol/operator-api.ts';
import { INBOUND_DECISIONS, POLICIES, REASONS } from '../protocol/vocabulary.ts';
import { type Command, oneOfFlag, parseFlags } from './args.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, type HostClient, listIn, requireHost } from './host-client.ts';
import { CommandError, type Io } from './io.ts';
import { eventText, newsText } from './tail-text.ts';

const HELP = `Usage: earshot tail [--lines N] [--once] [filters]

Prints the newest events with their decisions and goes on as more happen, until Ctrl-C.

  --lines N       how many from before; 10
  --once          only those, then end
  --agent ID      only what was decided about this agent
  --in ID         only this conversation, by its id or key
  --author WHO    only from this author, by id or name
  --text WORDS    only messages with these words
  --policy WORD   only decisions such as must_respond or must_not_respond
  --reason WORD   only decisions with this reason, such as mention or ambient
  --decision WORD only engage, observe, denied or claim
  --type WORDS    only these kinds of events, such as message,reaction
  --from TIME     not before this, such as 2026-06-02T09:00:00Z
  --to TIME       only before this; with --once
${CLIENT_HELP}

Example:
  earshot tail --lines 50
  earshot tail --agent lead --policy must_respond --once
`;

const FILTERS = [
  'agent',
  'in',
  'author',
  'text',
  'policy',
  'reason',
  'decision',
  'type',
  'from',
  'to',
] as const;
type Filter = (typeof FILTERS)[number];
const OPTIONS = {
  ...CLIENT_OPTIONS,
  lines: { type: 'string' },
  once: { type: 'boolean' },
  ...(Object.fromEntries(FILTERS.map((name) => [name, { type: 'string' }])) as Record<
    Filter,
    { type: 'string' }
  >),
} as const;
const LINES = { usual: 10, most: 200 };

export const tailCommand: Command = {
  help: HELP,
  run,
};

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseFlags('tail', argv, OPTIONS, 0);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const lines = values.lines === undefined ? LINES.usual : Number(values.lines);
  if (!Number.isInteger(lines) || lines < 0 || lines > LINES.most)
    throw new CommandError(2, `--lines: expected a whole number up to ${LINES.most}`);
  if (values.to !== undefined && values.once !== true)
    throw new CommandError(2, '--to: what is over does not go on; add --once');
  const filter = filterOf(values);
  const host = await requireHost(values);
  const json = values.json === true;
  const stop = new AbortController();
  const stream = values.once === true ? undefined : await host.open('/v1/stream', stop.signal);
  const { log: before, tailCursor } = await pageOf(host, `last=true&limit=${Math.max(1, lines)}${filter}`);
  for (const event of lines === 0 ? [] : before)
    await io.out(json ? `${JSON.stringify(event)}\n` : eventText(event, io));
  await io.flush();
  if (stream === undefined) return 0;
  const more =
    filter === ''
      ? everything(new Set(lines === 0 ? [] : before.map(({ eventId }) => eventId)))
      : matching(host, filter, tailCursor ?? (await endOf(host)), values.agent);
  for await (const news of streamEvents(stream)) {
    for (const one of await more(news)) await io.out(json ? `${JSON.stringify(one)}\n` : newsText(one, io));
    await io.flush();
  }
  io.err('earshot: the host has ended the stream\n');
  return 0;
}

type More = (news: StreamEvent) => StreamEvent[] | Promise<StreamEvent[]>;

function everything(seen: Set<string>): More {
  return (news) => (news.type === 'logged' && seen.delete(String(news.data['eventId'])) ? [] : [news]);
}

/** Filters run at the host. A new record triggers one query, which also covers what came meanwhile. */
function matching(host: HostClient, filter: string, from: string, agent: string | undefined): More {
  let cursor = from;
  return async (news) => {
    if (news.type !== 'logged') return agent !== undefined && news.data['agent'] === agent ? [news] : [];
    const found: StreamEvent[] = [];
    for (;;) {
      const { log, nextCursor, tailCursor } = await pageOf(
        host,
        `after=${cursor}&limit=${LINES.most}${filter}`,
      );
      found.push(...log.map((event) => ({ type: 'logged', data: { ...event } })));
      cursor = nextCursor ?? tailCursor ?? cursor;
      if (nextCursor === undefined) return found;
    }
  };
}

async function endOf(host: HostClient): Promise<string> {
  return String((await pageOf(host, 'last=true&limit=1')).last?.position ?? 0);
}

async function pageOf(host: HostClient, query: string): Promise<LogPage> {
  const answer = (await host.call('GET', `/v1/log?${query}`)) as LogPage;
  listIn<LogEntry>(answer, 'log');
  return answer;
}

function filterOf(values: Partial<Record<Filter, string>>): string {
  oneOfFlag('policy', values.policy, POLICIES);
  oneOfFlag('reason', values.reason, REASONS);
  oneOfFlag('decision', values.decision, INBOUND_DECISIONS);
  return FILTERS.flatMap((name) => {
    const value = values[name];
    const wire = name === 'in' ? 'conversation' : name;
    return value === undefined ? [] : [`&${wire}=${encodeURIComponent(value)}`];
  }).join('');
}

export interface StreamEvent {
  type: string;
  data: Record<string, unknown>;
}

/** Server-sent events out of a response's bytes. */
async function* streamEvents(response: Response): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let waiting = '';
  for await (const chunk of response.body ?? []) {
    waiting += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = waiting.split('\n\n');
    waiting = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== undefined) yield event;
    }
  }
}

function parseBlock(block: string): StreamEvent | undefined {
  const lines = block.split('\n');
  const field = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const [type, data] = [field('event'), field('data')];
  return type === undefined || data === undefined
    ? undefined
    : { type, data: JSON.parse(data) as Record<string, unknown> };
}
