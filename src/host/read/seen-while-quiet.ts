// What an agent saw while quiet: the messages of a conversation since its last turn there. It gets them when the next
// turn starts, each once. They are read from the log, between this turn's record and the record of the turn before, so
// the answer is the same after a restart and when `turn/started` is repeated. If somebody asks for status, the newest
// progress reports come along.
import { FIT_LIMITS, fittingItems } from '../../protocol/fit.ts';
import { displayName } from '../../protocol/identity.ts';
import { instantMs } from '../../protocol/log-record.ts';
import type { SeenWireEvent } from '../../protocol/methods.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { decisionOf } from '../delivery/delivery-row.ts';
import { decisionForAgent, textOf } from '../kernel/log-row.ts';
import { isBackfill, mayReadBackfill, mayReadRoom } from './may-read.ts';
import { isForNobodyElse, lineTo } from './said-to.ts';
import { foldText, holdsStatusWord } from '../../attention/index.ts';
import type { ChatEventOf } from '../../protocol/chat-event.ts';

export const SEEN_LIMITS = {
  events: 20,
  /** More are shown in the first turn of a conversation, if they are all history. */
  seed: 80,
  ageMs: 24 * 3_600_000,
  /** Of one text, in code points. Longer texts are cut. */
  textChars: 800,
  /** How many log rows are searched. Typing events and reactions count too. */
  rows: 1_000,
  /** Rows read at a time. One page is enough for most turns. */
  page: 50,
} as const;

export async function seenWhileQuiet(
  context: HostContext,
  agent: string,
  turnId: string,
  taken: readonly DeliveryRow[],
  /** The host composed the turn, so it has the lines just before it already. */
  composed = false,
): Promise<SeenWireEvent[]> {
  const seen: SeenWireEvent[] = [];
  let limit: number = SEEN_LIMITS.events;
  for (const [conversation, rows] of Map.groupBy(taken, (row) => row.conversation)) {
    // An agent may be handed one event of a room that it may not read. It sees nothing else of that room.
    if (!(await mayReadRoom(context, agent, conversation))) continue;
    const log = newestFirst(context, conversation);
    const own = new Set(rows.flatMap(({ source, eventId }) => [source, eventId]));
    const leadIn = new Set(rows.flatMap((row) => decisionOf(row).leadIn ?? []));
    const since = context.clock.now() - SEEN_LIMITS.ageMs;
    const found = await sinceLastTurn(context, log, { agent, turnId, since, own });
    const lines = composed ? found.filter(({ row }) => !leadIn.has(row.seq)) : found;
    limit = Math.max(limit, lines.length);
    for (const line of lines) seen.push(await seenEventOf(context, line, agent, leadIn));
    if (await asksForStatus(context, rows)) {
      seen.push(...(await newestReports(newestFirst(context, conversation), agent, since)));
    }
  }
  return newestThatFit(seen.slice(-limit));
}

/** Strange characters take up to six bytes. The newest lines are kept; the thread has all of them. */
function newestThatFit(seen: readonly SeenWireEvent[]): SeenWireEvent[] {
  return fittingItems(seen.toReversed(), FIT_LIMITS.seenBytes).toReversed();
}

async function newestReports(
  log: AsyncIterable<LogRow>,
  agent: string,
  since: number,
): Promise<SeenWireEvent[]> {
  const found = new Reports(agent);
  for await (const row of log) {
    if (row.at < since || found.full) break;
    found.add(row);
  }
  return found.wireEvents();
}

async function* newestFirst(context: HostContext, conversation: string): AsyncGenerator<LogRow> {
  const { page, rows } = SEEN_LIMITS;
  let before: number | undefined;
  for (let read = 0; read < rows; read += page) {
    const found = await context.store.scan('log', 'byConversation', {
      eq: [conversation],
      limit: page,
      descending: true,
      ...(before === undefined ? {} : { before }),
    });
    yield* found;
    if (found.length < page) return;
    before = found.at(-1)?.seq;
  }
}

interface SeenLine {
  row: LogRow;
  /** The newest edit, if there is one. Its text is the one that counts. */
  edit: LogRow | undefined;
}

interface SeenQuery {
  agent: string;
  turnId: string;
  since: number;
  /** Events that the turn was handed. */
  own: ReadonlySet<string>;
}

async function sinceLastTurn(
  context: HostContext,
  log: AsyncIterable<LogRow>,
  { agent, turnId, since, own }: SeenQuery,
): Promise<SeenLine[]> {
  const lines: SeenLine[] = [];
  /** The larger limit is for history alone. One observed message lowers it. */
  let limit: number = SEEN_LIMITS.seed;
  const edited = new Map<string, LogRow>();
  const deleted = new Set<string>();
  let begun = false;
  for await (const row of log) {
    const { event } = row.record;
    if (event.type === 'turn' && event.phase === 'started' && event.author.id === agent) {
      if (event.turnId === turnId) begun = true;
      else if (begun) break;
      continue;
    }
    // An edit or delete counts even if it came after the turn began, so deleted text is never shown.
    if (event.type === 'delete') deleted.add(event.targetEventId);
    if (event.type === 'edit' && !edited.has(event.targetEventId)) {
      edited.set(event.targetEventId, row);
      if (own.has(row.key)) deleted.add(event.targetEventId); // the turn was handed the edited text
    }
    if (!begun || event.type !== 'message' || own.has(row.key) || deleted.has(row.key)) continue;
    if (row.at < since) break;
    const isHistory = isBackfill(row);
    if (isHistory ? !isReadableHistory(context, row, agent, since) : !wasObserved(row, agent)) continue;
    if (!isHistory) limit = SEEN_LIMITS.events;
    lines.unshift({ row, edit: edited.get(row.key) });
    if (lines.length >= limit) break;
  }
  return lines;
}

/** Includes the agent's own messages from the history, because it does not remember them. */
function isReadableHistory(context: HostContext, row: LogRow, agent: string, since: number): boolean {
  return instantMs(row.record.event.at) >= since && mayReadBackfill(context, row, agent);
}

/** Only the quiet modes. An injected event has its own turn, `notify` hides the text, status comes as a digest. */
const QUIET = new Set(['tool_mailbox', 'silent']);
const NEVER = new Set(['denied', 'pairing', 'left']);

/** Whether the agent observed the event without a turn. It sees it in its next turn and may read it by tools. */
export function wasObserved(row: LogRow, agent: string): boolean {
  const { author } = row.record.event;
  if (author.kind === 'agent' && author.id === agent) return false;
  const decided = decisionForAgent(row, agent);
  if (decided === undefined || decided.decision === 'denied' || decided.decision === 'claim') return false;
  return QUIET.has(decided.mode) && !NEVER.has(decided.reason);
}

async function seenEventOf(
  context: HostContext,
  { row, edit }: SeenLine,
  agent: string,
  leadIn: ReadonlySet<number>,
): Promise<SeenWireEvent> {
  const { event } = row.record;
  const name = displayName(event.author.displayName ?? '');
  const attachments = 'attachments' in event ? (event.attachments ?? []) : [];
  const cut = shortened(textOf(edit ?? row));
  const to = await lineTo(context, row, edit);
  return {
    eventId: row.key,
    author: { id: event.author.id, kind: event.author.kind, ...(name === '' ? {} : { displayName: name }) },
    createdAt: new Date(instantMs(event.at)).toISOString(),
    content: [
      ...(cut === '' ? [] : [{ type: 'text' as const, text: cut }]),
      ...fittingItems(attachments, FIT_LIMITS.seenAttachmentsBytes).map((attachment) => ({
        type: 'attachment' as const,
        ...attachment,
      })),
    ],
    ...(to.length === 0 ? {} : { to }),
    ...(leadIn.has(row.seq) && isForNobodyElse(to, agent) ? { leadIn: true } : {}),
  };
}

function shortened(text: string): string {
  if (text.length <= SEEN_LIMITS.textChars) return text;
  const points = Array.from(text);
  if (points.length <= SEEN_LIMITS.textChars) return text;
  return `${points.slice(0, SEEN_LIMITS.textChars - 1).join('')}…`;
}

// Progress reports. Progress is a notification and starts no turn. When a message of the turn asks for status, the
// newest report of each piece of work in the conversation comes along as context.

const REPORTS_MAX = 5;

const MAY_ASK: ReadonlySet<string> = new Set(['question', 'request', 'urgent']);

/** Whether one of the turn's deliveries asks for status. */
async function asksForStatus({ store }: HostContext, taken: readonly DeliveryRow[]): Promise<boolean> {
  for (const delivery of taken) {
    const row = await store.get('log', delivery.source);
    if (
      row !== undefined &&
      MAY_ASK.has(decisionOf(delivery).intent) &&
      holdsStatusWord(foldText(textOf(row)))
    )
      return true;
  }
  return false;
}

/** Collects the newest report of each piece of work. The agent's own reports are left out. */
class Reports {
  readonly #agent: string;
  readonly #newest = new Map<string, LogRow>();

  constructor(agent: string) {
    this.#agent = agent;
  }

  /** Rows must come newest first. */
  add(row: LogRow): void {
    const { event } = row.record;
    if (event.type !== 'progress' || event.author.id === this.#agent) return;
    const work = `${event.author.id} ${event.progressToken ?? ''}`;
    if (!this.#newest.has(work) && !this.full) this.#newest.set(work, row);
  }

  get full(): boolean {
    return this.#newest.size >= REPORTS_MAX;
  }

  /** Oldest first. */
  wireEvents(): SeenWireEvent[] {
    return [...this.#newest.values()].toReversed().map((row) => {
      const event = row.record.event as ChatEventOf<'progress'>;
      const name = displayName(event.author.displayName ?? '');
      return {
        eventId: row.key,
        author: {
          id: event.author.id,
          kind: event.author.kind,
          ...(name === '' ? {} : { displayName: name }),
        },
        createdAt: new Date(instantMs(event.at)).toISOString(),
        content: [{ type: 'text', text: shortened(reportText(event, textOf(row))) }],
      };
    });
  }
}

function reportText({ progress, total }: ChatEventOf<'progress'>, text: string): string {
  const far = progress === undefined ? '' : ` ${progress}${total === undefined ? '' : ` of ${total}`}`;
  return `progress${far}${text === '' ? '' : `: ${text}`}`;
}
