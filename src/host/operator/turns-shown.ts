// The turns that an agent took about a message: when, how long, what each has cost, and why it ended as it did. Read from
// the log, where the host marks the beginning and the end of every turn.
import type { ChatEventOf } from '../../protocol/chat-event.ts';
import { iso } from '../../protocol/log-record.ts';
import type { ShownTurn } from '../../protocol/operator-api.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import type { StoreReader } from '../kernel/context.ts';
import { whyWords } from './delivery-words.ts';
import { LATER_RECORDS } from './later.ts';

type TurnMark = ChatEventOf<'turn'>;

/** By agent, oldest first. A limited number of records after the message is read. */
export async function turnsAbout(
  store: StoreReader,
  row: LogRow,
  deliveries: readonly DeliveryRow[],
): Promise<ReadonlyMap<string, readonly ShownTurn[]>> {
  if (deliveries.length === 0) return new Map();
  const range = { eq: [row.conversation], after: row.seq, limit: LATER_RECORDS };
  const marks = (await store.scan('log', 'byConversation', range)).flatMap(({ record: { event }, at }) =>
    event.type === 'turn' && event.turnId !== undefined ? [{ mark: event, turnId: event.turnId, at }] : [],
  );
  const found = new Map<string, ShownTurn[]>();
  for (const { mark, turnId, at } of marks) {
    if (mark.phase !== 'started') continue;
    const agent = mark.author.id;
    const taken = deliveries.filter((one) => one.agent === agent && isAbout(mark, turnId, one));
    if (taken.length === 0) continue;
    const end = marks.find((one) => one.mark.phase === 'ended' && one.turnId === turnId);
    const ended = end === undefined ? {} : { endedAt: iso(end.at), ...endOf(end.mark, taken) };
    found.set(agent, [...(found.get(agent) ?? []), { turnId, startedAt: iso(at), ...ended }]);
  }
  return found;
}

function isAbout({ eventIds = [] }: TurnMark, turnId: string, delivery: DeliveryRow): boolean {
  return delivery.turnId === turnId || eventIds.includes(delivery.eventId);
}

function endOf(mark: TurnMark, taken: readonly DeliveryRow[]): Partial<ShownTurn> {
  const { usage, error } = mark;
  return {
    failed: mark.outcome === 'failed',
    words: endWords(mark, taken),
    ...(usage === undefined ? {} : { usage }),
    ...(error === undefined ? {} : { error }),
  };
}

/** The delivery was replaced because the turn left it unanswered. */
const ASKED_AGAIN: ReadonlySet<string> = new Set(['reminder', 'expired', 'lapsed']);

/** Why it ended as it did, in one sentence. The log marks failures; the rest is in what became of its deliveries. */
function endWords({ outcome, error, turnId }: TurnMark, taken: readonly DeliveryRow[]): string {
  if (outcome === 'failed') return `It failed: ${error ?? 'its harness gave no reason'}.`;
  const row = taken.find((one) => one.turnId === turnId);
  const because = row === undefined || row.why === null ? '' : `: ${whyWords(row.why)}`;
  if (ASKED_AGAIN.has(row?.why ?? '')) return `It ended without an answer, though one was due${because}.`;
  if (row === undefined || row.state === 'superseded') return `It was called off${because}.`;
  switch (row.disposition) {
    case 'responded':
      return 'It answered.';
    case 'acknowledged':
      return 'It gave a sign and said nothing.';
    case 'claimed':
      return 'It took the message, to go on with it later.';
    case 'deferred':
      return 'It put the message off.';
    case 'superseded':
      return `It was called off${because}.`;
    case 'ignored':
    case 'failed':
    case null:
      if (row.sends > 0) return 'It answered.';
      return row.policy === 'must_respond'
        ? `It ended without an answer, though one was due${because}.`
        : 'It had nothing to say, and need not have.';
  }
}
