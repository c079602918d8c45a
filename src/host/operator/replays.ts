// Replays a period of the log, or a transcript, under another configuration, and lists what would be decided otherwise.
// A replay is bounded and yields to the event loop between pages. It sends nothing and changes no state of the host.
import { type AttentionSettings, createReplay } from '../../attention/index.ts';
import { chatEventSchema } from '../../protocol/chat-event.ts';
import type { ReplayAnswer } from '../../protocol/operator-api.ts';
import { readParams } from '../../protocol/read-params.ts';
import type { LogRow } from '../../store/tables.ts';
import { unpackDecisions } from '../kernel/log-row.ts';
import { textOf } from '../kernel/log-row.ts';
import type { ServerContext } from '../http/context.ts';
import { DifferenceReport } from './differences.ts';
import { unavailable } from '../http/http-error.ts';
import { yieldToEventLoop, Refold } from './refold.ts';

/** At most this many records or events are decided. When there are more, the answer says that it is not complete. */
export const REPLAY_EVENTS_MAX = 20_000;
/** This many records before the period are folded first, so that conversations do not start empty. */
export const WARM_UP_RECORDS = 5_000;
const PAGE = 250;
const MALFORMED_NAMED = 20;

export interface ReplayOptions {
  /** When undefined, the log is compared with its stored decisions, and a transcript with the host's own settings. */
  before: AttentionSettings | undefined;
  after: AttentionSettings;
  all: boolean;
}

export async function replayLog(
  context: ServerContext,
  period: { from: number; to: number },
  { before, after, all }: ReplayOptions,
): Promise<ReplayAnswer> {
  const { store, attention } = context.host.context;
  const differences = new DifferenceReport(all);
  const was = new Refold(before ?? attention);
  const would = new Refold(after);
  const first = (await store.log.seek({ at: period.from })) ?? Number.MAX_SAFE_INTEGER;
  const end = (await store.log.seek({ at: period.to })) ?? Number.MAX_SAFE_INTEGER;
  let events = 0;
  let complete = true;
  const fold = (row: LogRow & { position: number }): void => {
    const again = would.fold(row);
    const earlier = before === undefined ? unpackDecisions(row.decisions, row.key) : was.fold(row);
    if (row.position < first) return;
    events++;
    const { event } = row.record;
    differences.add({
      about: {
        at: row.at,
        author: event.author.displayName ?? event.author.id,
        conversation: event.conversation,
        text: textOf(row),
      },
      before: earlier,
      after: again,
      rosters: { before: was.rosterOf(row), after: would.rosterOf(row) },
    });
  };
  for (let at = await warmUpFrom(context, first); ; ) {
    if (context.drain.draining) throw unavailable('The host is stopping. Ask again shortly.');
    const { rows, reached } = await store.log.find({}, { after: at, before: end, limit: PAGE });
    for (const row of rows) {
      if (events >= REPLAY_EVENTS_MAX) complete = false;
      else fold(row);
    }
    if (reached === undefined || !complete) break;
    at = reached;
    await yieldToEventLoop();
  }
  const { listedAll, ...counted } = differences.answer();
  return {
    source: 'log',
    before: before === undefined ? 'decided' : 'config',
    events,
    ...counted,
    malformed: { count: 0, lines: [] },
    duplicates: 0,
    complete: complete && listedAll,
  };
}

async function warmUpFrom({ host }: ServerContext, first: number): Promise<number> {
  const { log } = host.context.store;
  const { before } = await log.extent(undefined, first);
  const from = await log.seek({ offset: Math.max(0, before - WARM_UP_RECORDS) });
  return (from ?? first) - 1;
}

export async function replayTranscript(
  { host, drain }: ServerContext,
  transcript: string,
  { before, after, all }: ReplayOptions,
): Promise<ReplayAnswer> {
  const differences = new DifferenceReport(all);
  const was = createReplay(before ?? host.context.attention);
  const would = createReplay(after);
  const malformed: ReplayAnswer['malformed'] & { lines: { line: number; problem: string }[] } = {
    count: 0,
    lines: [],
  };
  let events = 0;
  let complete = true;
  for (const [index, text] of transcript.split('\n').entries()) {
    if (text.trim() === '') continue;
    if (events >= REPLAY_EVENTS_MAX) {
      complete = false;
      break;
    }
    const read = readLine(text);
    if (typeof read === 'string') {
      if (++malformed.count <= MALFORMED_NAMED) malformed.lines.push({ line: index + 1, problem: read });
      continue;
    }
    events++;
    const [left, right] = [was.feed(read), would.feed(read)];
    if (left.type === 'folded' && right.type === 'folded') {
      differences.add({
        about: {
          at: left.record.at,
          author: read.author.displayName ?? read.author.id,
          conversation: read.conversation,
          text: 'text' in read ? (read.text ?? '') : '',
        },
        before: left.decisions,
        after: right.decisions,
        rosters: { before: was.rosterOf(read), after: would.rosterOf(read) },
      });
    }
    if (events % PAGE !== 0) continue;
    if (drain.draining) throw unavailable('The host is stopping. Ask again shortly.');
    await yieldToEventLoop();
  }
  const { listedAll, ...counted } = differences.answer();
  return {
    source: 'transcript',
    before: 'config',
    events,
    ...counted,
    malformed,
    duplicates: was.duplicates(),
    complete: complete && listedAll,
  };
}

/** The event, or what is wrong with the line. The problem never quotes the line. */
function readLine(text: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'expected one JSON object, this is not valid JSON';
  }
  const read = readParams(chatEventSchema, value);
  if (read.ok) return read.value;
  const { problem } = read.error.data as { problem?: unknown };
  return typeof problem === 'string' ? problem : 'expected a ChatEvent';
}
