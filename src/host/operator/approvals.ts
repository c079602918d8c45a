// A human's word on what waits in the inbox. Approving is that human's `agree` on this very request: the send goes from
// awaiting_approval to queued, what it answers is settled, the item is closed and the audit says who, in one transaction.
import { deliveryKey } from '../../protocol/identity.ts';
import type { RowRef, UnitView, Write } from '../../store/store.ts';
import type { InboxRow, OutboxRow } from '../../store/tables.ts';
import type { HostContext, HostNews } from '../kernel/context.ts';
import { settle } from '../delivery/delivery-state.ts';
import { auditWrite } from '../kernel/audit.ts';
import { HttpError, notFound } from '../http/http-error.ts';

interface Decided {
  writes: Write[];
  news: HostNews[];
}
type Outcome = { ok: true; item: InboxRow; news: HostNews[] } | { ok: false; error: HttpError };

export function approve(context: HostContext, key: string, who: string): Promise<InboxRow> {
  return decideOn(context, key, who, 'approve', (view, send) => {
    const queued: OutboxRow = { ...send, state: 'queued', dueAt: view.now };
    const decided: Decided = {
      writes: [{ table: 'outbox', row: queued }],
      news: [{ type: 'outbox', key: send.key }],
    };
    const answered = answeredKey(send);
    const delivery = answered === undefined ? undefined : view.row('delivery', answered);
    const settled =
      delivery && settle({ ...delivery, sends: delivery.sends + 1 }, 'responded', null, view.now);
    if (settled !== undefined) {
      decided.writes.push({ table: 'delivery', row: settled });
      decided.news.push({ type: 'settled', delivery: settled });
    }
    return decided;
  });
}

export function decline(context: HostContext, key: string, who: string): Promise<InboxRow> {
  return decideOn(context, key, who, 'decline', (_view, send) => ({
    writes: [{ table: 'outbox', row: { ...send, state: 'cancelled', dueAt: null, error: 'declined' } }],
    news: [],
  }));
}

/** Seen to. An approval is decided, not closed. */
export async function closeItem(context: HostContext, key: string, who: string): Promise<InboxRow> {
  return change(context, key, who, 'close', [], (_view, item) => {
    if (item.kind !== 'approval') return { writes: [], news: [] };
    return new HttpError(409, 'conflict', 'Somebody waits for this: approve or decline it.');
  });
}

async function decideOn(
  context: HostContext,
  key: string,
  who: string,
  what: 'approve' | 'decline',
  run: (view: UnitView, send: OutboxRow) => Decided,
): Promise<InboxRow> {
  const asked = await context.store.get('inbox', key);
  const outbox = typeof asked?.detail['outbox'] === 'string' ? asked.detail['outbox'] : undefined;
  const send = outbox === undefined ? undefined : await context.store.get('outbox', outbox);
  const answered = send === undefined ? undefined : answeredKey(send);
  const rows: RowRef[] = [];
  if (outbox !== undefined) rows.push(['outbox', outbox]);
  if (answered !== undefined) rows.push(['delivery', answered]);
  return change(context, key, who, what, rows, (view, item) => {
    const current = outbox === undefined ? undefined : view.row('outbox', outbox);
    if (item.kind !== 'approval' || current === undefined) {
      return new HttpError(409, 'conflict', 'Nothing here waits to be agreed to: close it instead.');
    }
    if (current.state !== 'awaiting_approval') {
      return new HttpError(
        409,
        'conflict',
        `The send is ${current.state} by now: nothing is left to decide.`,
      );
    }
    return run(view, current);
  });
}

/** The item closed and whatever comes with it, or a refusal and nothing changed. */
async function change(
  context: HostContext,
  key: string,
  who: string,
  what: string,
  rows: readonly RowRef[],
  run: (view: UnitView, item: InboxRow) => Decided | HttpError,
): Promise<InboxRow> {
  const outcome = await context.store.transact<Outcome>({
    states: [],
    rows: [['inbox', key], ...rows],
    run(view) {
      const item = view.row('inbox', key);
      if (item === undefined) return { writes: [], result: { ok: false, error: notFound('inbox item') } };
      if (item.open === 0) {
        const error = new HttpError(409, 'conflict', 'It is closed already: nothing is left to do.');
        return { writes: [], result: { ok: false, error } };
      }
      const decided = run(view, item);
      if (decided instanceof HttpError) return { writes: [], result: { ok: false, error: decided } };
      const closed: InboxRow = { ...item, open: 0, closedAt: view.now };
      const detail = { item: key, ...(what === 'approve' ? { signal: 'agree' } : {}) };
      const writes: Write[] = [
        ...decided.writes,
        { table: 'inbox', row: closed },
        auditWrite(context, view.now, who, what, detail),
      ];
      return { writes, result: { ok: true, item: closed, news: decided.news } };
    },
  });
  if (!outcome.ok) throw outcome.error;
  for (const news of outcome.news) context.bus.tell(news);
  context.bus.tell({ type: 'inbox', key });
  return outcome.item;
}

function answeredKey({ inReplyTo, agent }: OutboxRow): string | undefined {
  return inReplyTo === null ? undefined : deliveryKey(inReplyTo, agent);
}
