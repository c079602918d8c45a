// A person's word on what waits in the inbox. Approving is that person's `agree` on this very request. The send goes from
// awaiting_approval to queued, what it answers is settled, the item is closed and the audit says who: one commit.
import { deliveryKey } from '../../protocol/identity.ts';
import type { RowRef, UnitView } from '../../store/store.ts';
import type { InboxRow, OutboxRow } from '../../store/tables.ts';
import { HttpError, notFound } from '../http/http-error.ts';
import { approvedSend, closeItem as closeInboxItem } from '../inbox/inbox-row.ts';
import { auditWrite } from '../kernel/audit.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { cancelSend, moveOutbox, queueSend } from '../outbox/outbox-row.ts';
import { settleAnswered } from '../send/send.ts';

type Decided = { ok: true; item: InboxRow } | { ok: false; error: HttpError };

const refuse = (error: HttpError) => ({ ...noChange(), result: { ok: false, error } as const });

export function approve(context: HostContext, key: string, who: string): Promise<InboxRow> {
  return decideOn(context, key, who, 'approve', (view, send) => {
    const change = noChange();
    const queued = moveOutbox(send, 'queued', { dueAt: view.now });
    if (queued !== undefined) addChange(change, queueSend(queued));
    const answered = answeredKey(send);
    const delivery = answered === undefined ? undefined : view.row('delivery', answered);
    if (delivery !== undefined) addChange(change, settleAnswered(delivery, view.now));
    return change;
  });
}

export function decline(context: HostContext, key: string, who: string): Promise<InboxRow> {
  return decideOn(context, key, who, 'decline', (_view, send) => cancelSend(send, 'declined'));
}

/** Seen to. An approval is decided, not closed. */
export async function closeItem(context: HostContext, key: string, who: string): Promise<InboxRow> {
  return closeWith(context, key, who, 'close', [], (_view, item) => {
    if (item.kind !== 'approval') return noChange();
    return new HttpError(409, 'conflict', 'Somebody waits for this: approve or decline it.');
  });
}

async function decideOn(
  context: HostContext,
  key: string,
  who: string,
  what: 'approve' | 'decline',
  run: (view: UnitView, send: OutboxRow) => Change,
): Promise<InboxRow> {
  const outbox = approvedSend(await context.store.get('inbox', key));
  const send = outbox === undefined ? undefined : await context.store.get('outbox', outbox);
  const answered = send === undefined ? undefined : answeredKey(send);
  const rows: RowRef[] = [];
  if (outbox !== undefined) rows.push(['outbox', outbox]);
  if (answered !== undefined) rows.push(['delivery', answered]);
  return closeWith(context, key, who, what, rows, (view, item) => {
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
async function closeWith(
  context: HostContext,
  key: string,
  who: string,
  what: string,
  rows: readonly RowRef[],
  run: (view: UnitView, item: InboxRow) => Change | HttpError,
): Promise<InboxRow> {
  const decided = await context.apply<Decided>({
    states: [],
    rows: [['inbox', key], ...rows],
    run(view) {
      const item = view.row('inbox', key);
      if (item === undefined) return refuse(notFound('inbox item'));
      const closed = closeInboxItem(item, view.now);
      if (closed === undefined)
        return refuse(new HttpError(409, 'conflict', 'It is closed already: nothing is left to do.'));
      const outcome = run(view, item);
      if (outcome instanceof HttpError) return refuse(outcome);
      const all = noChange();
      addChange(all, outcome);
      addChange(all, closed);
      const detail = { item: key, ...(what === 'approve' ? { signal: 'agree' } : {}) };
      all.writes.push(auditWrite(context, view.now, who, what, detail));
      return { ...all, result: { ok: true, item: closed.row } };
    },
  });
  if (!decided.ok) throw decided.error;
  return decided.item;
}

function answeredKey({ inReplyTo, agent }: OutboxRow): string | undefined {
  return inReplyTo === null ? undefined : deliveryKey(inReplyTo, agent);
}
