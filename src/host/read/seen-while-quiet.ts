// What an agent saw while quiet: the messages of a conversation since its last turn there, handed over when
// the next turn starts, each once. The log is the memory: from this turn's own record back to the record of the turn
// before it, which is where the cursor stood; so it is the same after a restart, and when `turn/started` is repeated.
import { displayName } from '../../protocol/identity.ts';
import { instantMs } from '../../protocol/log-record.ts';
import type { SeenWireEvent } from '../../protocol/methods.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { decisionOf } from '../delivery/delivery-row.ts';
import { decisionForAgent, textOf } from '../kernel/log-row.ts';
import { isBackfill, maySeeBackfill, mayReadRoom } from './may-read.ts';
import { foldText, holdsStatusWord } from '../../attention/index.ts';
import type { ChatEventOf } from '../../protocol/chat-event.ts';

export const SEEN_LIMITS = {
  events: 20,
  /** In the first turn of a conversation that was not known before, with nothing but its history to show. */
  seed: 80,
  ageMs: 24 * 3_600_000,
  /** Of one text, in code points. */
  textChars: 800,
  /** Log rows looked through; typing signs and reactions are among them. */
  rows: 1_000,
  /** Read at a time: most turns find what they look for in the first page. */
  page: 50,
} as const;

export async function seenWhileQuiet(
  context: HostContext,
  agent: string,
  turnId: string,
  taken: readonly DeliveryRow[],
): Promise<SeenWireEvent[]> {
  const seen: SeenWireEvent[] = [];
  let most: number = SEEN_LIMITS.events;
  for (const [conversation, rows] of Map.groupBy(taken, (row) => row.conversation)) {
    // Handed one event of a room that is not its own, an agent hears nothing else of it.
    if (!(await mayReadRoom(context, agent, conversation))) continue;
    const log = newestFirst(context, conversation);
    const own = new Set(rows.flatMap(({ source, eventId }) => [source, eventId]));
    const leadIn = new Set(rows.flatMap((row) => decisionOf(row).leadIn ?? []));
    const since = context.clock.now() - SEEN_LIMITS.ageMs;
    const lines = await sinceLastTurn(context, log, { agent, turnId, since, own });
    most = Math.max(most, lines.length);
    seen.push(...lines.map((line) => shown(line, leadIn)));
    if (await asksForStatus(context, rows)) {
      seen.push(...(await reports(newestFirst(context, conversation), agent, since)));
    }
  }
  return seen.slice(-most);
}

async function reports(log: AsyncIterable<LogRow>, agent: string, since: number): Promise<SeenWireEvent[]> {
  const found = new Reports(agent);
  for await (const row of log) {
    if (row.at < since || found.full) break;
    found.add(row);
  }
  return found.shown();
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

interface Line {
  row: LogRow;
  /** As last edited. */
  text: string;
}

interface Looking {
  agent: string;
  turnId: string;
  since: number;
  own: ReadonlySet<string>;
}

async function sinceLastTurn(
  context: HostContext,
  log: AsyncIterable<LogRow>,
  { agent, turnId, since, own }: Looking,
): Promise<Line[]> {
  const lines: Line[] = [];
  /** Only history may be more; one observed message, and it is trimmed like the rest. */
  let most: number = SEEN_LIMITS.seed;
  const edited = new Map<string, string>();
  const deleted = new Set<string>();
  let begun = false;
  for await (const row of log) {
    const { event } = row.record;
    if (event.type === 'turn' && event.phase === 'started' && event.author.id === agent) {
      if (event.turnId === turnId) begun = true;
      else if (begun) break;
      continue;
    }
    // An edit or a delete counts also when it came after the turn began: what is gone is not shown.
    if (event.type === 'delete') deleted.add(event.targetEventId);
    if (event.type === 'edit' && !edited.has(event.targetEventId)) {
      edited.set(event.targetEventId, textOf(row));
      if (own.has(row.key)) deleted.add(event.targetEventId); // the turn has it already, in its new words
    }
    if (!begun || event.type !== 'message' || own.has(row.key) || deleted.has(row.key)) continue;
    if (row.at < since) break;
    const past = isBackfill(row);
    if (past ? !isRecent(context, row, agent, since) : !observed(row, agent)) continue;
    if (!past) most = SEEN_LIMITS.events;
    lines.unshift({ row, text: edited.get(row.key) ?? textOf(row) });
    if (lines.length >= most) break;
  }
  return lines;
}

/** History, the agent's own words too: what it said before it was here it does not remember. */
function isRecent(context: HostContext, row: LogRow, agent: string, since: number): boolean {
  return instantMs(row.record.event.at) >= since && maySeeBackfill(context, row, agent);
}

/** Quiet modes only: what is injected has a turn of its own, a knock withholds its words, status comes as a digest. */
const QUIET = new Set(['tool_mailbox', 'silent']);
const NEVER = new Set(['denied', 'pairing', 'left']);

/** Watched without a turn: shown with the next one, and open to its tools. */
export function observed(row: LogRow, agent: string): boolean {
  const { author } = row.record.event;
  if (author.kind === 'agent' && author.id === agent) return false;
  const stance = decisionForAgent(row, agent);
  if (stance === undefined || stance.decision === 'denied' || stance.decision === 'claim') return false;
  return QUIET.has(stance.mode) && !NEVER.has(stance.reason);
}

function shown({ row, text }: Line, leadIn: ReadonlySet<number>): SeenWireEvent {
  const { event } = row.record;
  const name = displayName(event.author.displayName ?? '');
  const attachments = 'attachments' in event ? (event.attachments ?? []) : [];
  const cut = shortened(text);
  return {
    eventId: row.key,
    author: { id: event.author.id, kind: event.author.kind, ...(name === '' ? {} : { displayName: name }) },
    createdAt: new Date(instantMs(event.at)).toISOString(),
    content: [
      ...(cut === '' ? [] : [{ type: 'text' as const, text: cut }]),
      ...attachments.map((attachment) => ({ type: 'attachment' as const, ...attachment })),
    ],
    ...(leadIn.has(row.seq) ? { leadIn: true } : {}),
  };
}

function shortened(text: string): string {
  if (text.length <= SEEN_LIMITS.textChars) return text;
  const points = Array.from(text);
  if (points.length <= SEEN_LIMITS.textChars) return text;
  return `${points.slice(0, SEEN_LIMITS.textChars - 1).join('')}…`;
}

// Progress is a notification, and enters a turn only when somebody asks how far things are: then the newest report of
// each piece of work in the conversation comes along as context. Which words ask is plain data, per language.

/** Reports that come along, the newest ones. */
export const REPORTS_MAX = 5;

const MAY_ASK: ReadonlySet<string> = new Set(['question', 'request', 'urgent']);

/** Whether one of what the turn takes in asks how far things are. */
export async function asksForStatus({ store }: HostContext, taken: readonly DeliveryRow[]): Promise<boolean> {
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

/** The newest of each piece of work, oldest first. Never our own: the agent knows those. */
export class Reports {
  readonly #agent: string;
  readonly #newest = new Map<string, LogRow>();

  constructor(agent: string) {
    this.#agent = agent;
  }

  /** Rows come newest first. */
  add(row: LogRow): void {
    const { event } = row.record;
    if (event.type !== 'progress' || event.author.id === this.#agent) return;
    const work = `${event.author.id} ${event.progressToken ?? ''}`;
    if (!this.#newest.has(work) && !this.full) this.#newest.set(work, row);
  }

  get full(): boolean {
    return this.#newest.size >= REPORTS_MAX;
  }

  shown(): SeenWireEvent[] {
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
        content: [{ type: 'text', text: wordsOf(event, textOf(row)) }],
      };
    });
  }
}

function wordsOf({ progress, total }: ChatEventOf<'progress'>, text: string): string {
  const far = progress === undefined ? '' : ` ${progress}${total === undefined ? '' : ` of ${total}`}`;
  return `progress${far}${text === '' ? '' : `: ${text}`}`;
}
