// `earshot replay`: what would have been decided, for every message of a recorded chat and every agent, and why.
import { createReplay } from '../attention/replay.ts';
import type { AttentionSettings } from '../attention/settings.ts';
import { REASONS } from '../protocol/vocabulary.ts';
import { type Command, oneOfFlag, parseFlags } from './args.ts';
import { loadConfig } from './config.ts';
import { type EventSource, openEvents, readEvents } from './event-lines.ts';
import { CommandError, type Io } from './io.ts';
import {
  differenceReport,
  humanReport,
  jsonReport,
  type Report,
  type DecisionFilter,
} from './replay-report.ts';
import { htmlReport } from './report/html-report.ts';
import { writeState } from './state-file.ts';
import { plural } from './totals.ts';

const HELP = `Usage: earshot replay FILE|- [--config FILE] [--against FILE] [--report FILE] [--json] [--strict] [--agent ID] [--reason WORD]

Decides a recorded chat again: for every message and every agent, whether it must, may or must not answer, and why.
FILE has one ChatEvent (a JSON object) a line; - reads standard input. Nothing is sent anywhere. A line looks like this:

  {"eventId":"m1","at":"2026-06-02T09:00:00Z","platform":"slack","workspaceId":"T1","conversation":{"id":"C1","kind":"channel"},"author":{"id":"U1","kind":"human"},"type":"message","text":"@lead are you there?"}

schema/chat-event.json has every field; earshot import makes such lines of a Slack or Discord export.

  --config FILE     the agents and rules; ./earshot.yaml when left out
  --against FILE    a second config: show only what it would decide otherwise, and the turns saved or added
  --report FILE     write a report for people instead: one HTML file
  --json            one JSON object a line instead of text
  --strict          stop at the first malformed line; otherwise they are counted and skipped
  --agent ID        only this agent's decisions
  --reason WORD     only decisions with this reason, such as mention or ambient
  --state-out FILE  write the state at the end, for earshot explain --state
  -h, --help        this text

Examples:
  earshot replay examples/standup.jsonl --config examples/earshot.yaml
  earshot replay chat.jsonl --against quieter.yaml
  earshot replay chat.jsonl --json --agent lead | head
`;

const OPTIONS = {
  config: { type: 'string' },
  against: { type: 'string' },
  report: { type: 'string' },
  json: { type: 'boolean' },
  strict: { type: 'boolean' },
  agent: { type: 'string' },
  reason: { type: 'string' },
  'state-out': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const replayCommand: Command = {
  help: HELP,
  run,
};

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('replay', argv, OPTIONS, 1);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const [path] = positionals;
  if (path === undefined) {
    throw new CommandError(
      2,
      'replay: name the recorded chat, or - for standard input (see: earshot replay --help)',
    );
  }
  const reason = oneOfFlag('reason', values.reason, REASONS);
  const settings = await loadConfig(values.config);
  const against = values.against === undefined ? undefined : await loadConfig(values.against);
  const agent = oneOfFlag('agent', values.agent, agentIds(settings, against));
  const shown: DecisionFilter = (decision) =>
    (agent === undefined || decision.agent === agent) && (reason === undefined || decision.reason === reason);
  const json = values.json === true;
  const filtered = agent !== undefined || reason !== undefined;
  const replay = createReplay(settings);
  if (values.report !== undefined && (json || filtered || against !== undefined)) {
    throw new CommandError(
      2,
      'replay: --report is about everything: leave out --json, --against, --agent and --reason',
    );
  }
  const report =
    values.report !== undefined
      ? htmlReport(io, values.report, path, settings, replay)
      : against !== undefined
        ? differenceReport(io, createReplay(against), shown, json)
        : json
          ? jsonReport(io, shown)
          : humanReport(io, shown, filtered);
  await foldFile(await openEvents(path, io), replay, report, io, values.strict === true);
  await report.end();
  if (values['state-out'] !== undefined) await writeState(values['state-out'], replay);
  return 0;
}

function agentIds(...settings: (AttentionSettings | undefined)[]): string[] {
  return [...new Set(settings.flatMap((one) => one?.agents.map(({ id }) => id) ?? []))];
}

/** Problems beyond this number are only counted. */
const MALFORMED_NAMED = 20;

async function foldFile(
  source: EventSource,
  replay: ReturnType<typeof createReplay>,
  report: Report,
  io: Io,
  strict: boolean,
): Promise<void> {
  let [bytes, events, malformed] = [0, 0, 0];
  for await (const read of readEvents(source, (count) => (bytes += count))) {
    if (read.type === 'malformed') {
      const where = `${source.name}:${read.line}: ${read.problem}`;
      if (strict) {
        await io.flush();
        throw new CommandError(1, where);
      }
      if (++malformed <= MALFORMED_NAMED) io.err(`${where}\n`);
      continue;
    }
    events++;
    const fed = replay.feed(read.event);
    if (fed.type === 'folded') await report.tell(read.event, fed);
    // The input may be a pipe that never ends, and somebody may be watching the output.
    if (source.bytes === undefined) await io.flush();
    io.progress.show(() => progressText(bytes, source.bytes, events));
  }
  io.progress.clear();
  if (events === 0) {
    throw new CommandError(
      1,
      `${source.name}: no line of it is a ChatEvent; see earshot replay --help for the format`,
    );
  }
  const duplicates = replay.duplicates();
  if (malformed > 0) io.err(`${source.name}: ${malformed} malformed ${plural(malformed, 'line')} skipped\n`);
  if (duplicates > 0) {
    io.err(
      `${source.name}: ${duplicates} repeated ${plural(duplicates, 'event')} ignored, the first of each counts\n`,
    );
  }
}

const mb = (bytes: number): string => (bytes / 1_048_576).toFixed(1);

function progressText(bytes: number, total: number | undefined, events: number): string {
  const share =
    total === undefined || total === 0 ? '' : ` of ${mb(total)} MB (${Math.floor((100 * bytes) / total)} %)`;
  return `${mb(bytes)}${share === '' ? ' MB' : share}, ${events} events`;
}
