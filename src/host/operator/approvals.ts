// A person decides on an item of the inbox. To approve a send is that person's `agree` on it. One commit then moves the
// send from awaiting_approval to queued, settles the delivery that it answers, closes the item, and writes the audit.
// To decline it tells its agent, in the same commit (send/approval.ts).
import { deliveryKey } from '../../protocol/identity.ts';
import type { RowRef, UnitView } from '../../store/store.ts';
import type { InboxRow, OutboxRow } from '../../store/tables.ts';
import { settle } from '../delivery/move.ts';
import { HttpError, notFound } from '../http/http-error.ts';
import { approvedSend, closeItem, type Decided } from '../inbox/inbox-row.ts';
import { auditWrite } from '../kernel/audit.ts';
import { type Change, type UnitNames, addChange, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { moveOutbox, queueSend } from '../outbox/outbox-row.ts';
import { type ApprovalDeps, endOfApproval } from '../send/approval.ts';

/** Who decides. `name`: how the platform calls them, where they decide in chat. */
export type Decider = string | { who: string; name: string };

type InboxOutcome = { ok: true; item: InboxRow } | { ok: false; error: HttpError };

const refuse = (error: HttpError) => ({ ...noChange(), result: { ok: false, error } as const });

export function approve(context: HostContext, key: string, who: Decider): Promise<InboxRow> {
  return decideOn(context, key, who, 'approve', (view, send) => {
    const change = noChange();
    const queued = moveOutbox(send, 'queued', { dueAt: view.now });
    if (queued !== undefined) addChange(change, queueSend(queued));
    const answered = answeredKey(send);
    const delivery = answered === undefined ? undefined : view.row('delivery', answered);
    if (delivery !== undefined) addChange(change, settle(delivery, 'responded', null, view.now));
    return change;
  });
}

export async function decline(
  deps: ApprovalDeps,
  key: string,
  who: Decider,
  reason?: string,
): Promise<InboxRow> {
  const outbox = approvedSend(await deps.context.store.get('inbox', key));
  const send = outbox === undefined ? undefined : await deps.context.store.get('outbox', outbox);
  const end = send === undefined ? undefined : await endOfApproval(deps, send, { why: 'declined', reason });
  return decideOn(deps.context, key, who, 'decline', (view, row) => end?.run(view, row) ?? noChange(), end);
}

const NAMES_NOTHING: UnitNames = { states: [] };

/** Closes an item that a person has dealt with. An approval that waits is approved or declined instead. */
export async function closeInboxItem(context: HostContext, key: string, who: string): Promise<InboxRow> {
  return closeWith(context, key, who, 'close', NAMES_NOTHING, (view, item) => {
    const outbox = approvedSend(item);
    const waits = outbox !== undefined && view.row('outbox', outbox)?.state === 'awaiting_approval';
    if (!waits) return noChange();
    return new HttpError(409, 'conflict', 'Somebody waits for this: approve or decline it.');
  });
}

async function decideOn(
  context: HostContext,
  key: string,
  decider: Decider,
  what: 'approve' | 'decline',
  run: (view: UnitView, send: OutboxRow) => Change,
  needs: UnitNames = NAMES_NOTHING,
): Promise<InboxRow> {
  const outbox = approvedSend(await context.store.get('inbox', key));
  const send = outbox === undefined ? undefined : await context.store.get('outbox', outbox);
  const answered = send === undefined ? undefined : answeredKey(send);
  const rows: RowRef[] = [...(needs.rows ?? [])];
  if (outbox !== undefined) rows.push(['outbox', outbox]);
  if (answered !== undefined) rows.push(['delivery', answered]);
  const { who, name } = typeof decider === 'string' ? { who: decider } : decider;
  const decided: Decided = { what, by: who, ...(name !== undefined && { name }) };
  const unit = { ...needs, rows, decided };
  return closeWith(context, key, who, what, unit, (view, item) => {
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

/** Closes the item together with the changes of `run`, in one commit. A refusal changes nothing. */
async function closeWith(
  context: HostContext,
  key: string,
  who: string,
  what: string,
  { states, reads, rows = [], decided }: UnitNames & { decided?: Decided },
  run: (view: UnitView, item: InboxRow) => Change | HttpError,
): Promise<InboxRow> {
  const outcome = await context.apply<InboxOutcome>({
    states,
    ...(reads !== undefined && { reads }),
    rows: [['inbox', key], ...rows],
    run(view) {
      const item = view.row('inbox', key);
      if (item === undefined) return refuse(notFound('inbox item'));
      const closed = closeItem(item, view.now, decided);
      if (closed === undefined)
        return refuse(new HttpError(409, 'conflict', 'It is closed already: nothing is left to do.'));
      const change = run(view, item);
      if (change instanceof HttpError) return refuse(change);
      const all = noChange();
      addChange(all, change);
      addChange(all, closed);
      const detail = { item: key, ...(what === 'approve' ? { signal: 'agree' } : {}) };
      all.writes.push(auditWrite(context, view.now, who, what, detail));
      return { ...all, result: { ok: true, item: closed.row } };
    },
  });
  if (!outcome.ok) throw outcome.error;
  return outcome.item;
}

function answeredKey({ inReplyTo, agent }: OutboxRow): string | undefined {
  return inReplyTo === null ? undefined : deliveryKey(inReplyTo, agent);
}
