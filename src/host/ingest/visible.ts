// A send has become visible: its event enters the log like anybody's, in the same unit that marks its outbox row. There
// is no moment in which people see a message that the host does not know of.
import type { UnitView } from '../../store/store.ts';
import type { OutboxRow } from '../../store/tables.ts';
import type { Place } from '../../attention/index.ts';
import { settle } from '../delivery/move.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import type { HostContext, StoreReader } from '../kernel/context.ts';
import { readConversation } from '../kernel/conversation.ts';
import { eventOf, type ShownAs, shownAsKeys, shownAsWrites, shownUnder } from '../outbox/on-platform.ts';
import { answeredDelivery, becomeVisible, currentSend, messageBody } from '../outbox/outbox-row.ts';
import type { Committer } from './committer.ts';

export interface VisibleDeps {
  context: HostContext;
  committer: Committer;
  shownAs: ShownAs;
}

/** `ids`: what the platform calls it; the last one is the one it goes by. */
export async function showSend(
  { context, committer, shownAs }: VisibleDeps,
  row: OutboxRow,
  ids: readonly string[],
): Promise<OutboxRow> {
  const { store, clock, apply } = context;
  const place = await placeOfSend(store, row);
  const rows = [['outbox', row.key] as const];
  if (place === undefined) {
    return apply({ states: [], rows, run: (view) => visibleIn(view, row, ids) });
  }
  const answered = row.inReplyTo === null ? undefined : await store.get('log', row.inReplyTo);
  const event = eventOf(row, place, clock.now(), answered?.record.event.author.id);
  const unit = committer.unit(await committer.prepare(event, row.surface));
  const named = shownUnder({ ...row, platformId: null, body: {} }, ids);
  const names = shownAsKeys(named);
  if (names.length > 0) shownAs.expect(row.surface);
  return apply({
    ...unit,
    states: [...unit.states, ...names],
    rows: [...(unit.rows ?? []), ...rows],
    run(view) {
      const { writes, news } = unit.run(view);
      const visible = visibleIn(view, row, ids);
      const change = { writes, news, result: visible.result };
      addChange(change, visible);
      change.writes.push(...shownAsWrites(named));
      return change;
    },
  });
}

function visibleIn(view: UnitView, row: OutboxRow, ids: readonly string[]): Change & { result: OutboxRow } {
  const shown = becomeVisible(shownUnder(currentSend(view, row), ids));
  const change = { ...noChange(), result: shown.row };
  addChange(change, shown);
  if (row.kind === 'message') addChange(change, settleApproved(view, row));
  return change;
}

/** An answer settles its delivery when it is sent. Only one that waited for a person's word is settled here. */
function settleApproved(view: UnitView, row: OutboxRow): Change {
  const key = answeredDelivery(row);
  const delivery = key === undefined ? undefined : view.row('delivery', key);
  return delivery === undefined ? noChange() : settle(delivery, 'responded', null, view.now);
}

/** Where a send goes: its conversation, or for the first message of a new one the place it carries. */
export async function placeOfSend(store: StoreReader, row: OutboxRow): Promise<Place | undefined> {
  return (await readConversation(store, row.conversation))?.place ?? messageBody(row).place;
}
