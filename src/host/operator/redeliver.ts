// Delivers again because a person asked for it. An open delivery goes back to the queue with the same ids and one more
// attempt. A dead letter has ended, and an ended delivery never opens again: a new delivery of the same question gets a
// derived id, and the inbox item of the dead letter is closed. Settled and superseded deliveries are refused.
import type { DeliveryRow } from '../../store/tables.ts';
import { successor } from '../delivery/follow-up.ts';
import { giveBack, queueDelivery } from '../delivery/move.ts';
import { HttpError, notFound } from '../http/http-error.ts';
import { closeItem, inboxKeys } from '../inbox/inbox-row.ts';
import { auditWrite } from '../kernel/audit.ts';
import { addChange, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';

type Redelivered = { ok: true; row: DeliveryRow } | { ok: false; error: HttpError };

const refuse = (error: HttpError) => ({ ...noChange(), result: { ok: false, error } as const });

export async function redeliver(context: HostContext, key: string, who: string): Promise<DeliveryRow> {
  const letter = inboxKeys.deadLetter(key);
  const outcome = await context.apply<Redelivered>({
    states: [],
    rows: [
      ['delivery', key],
      ['inbox', letter],
    ],
    run(view) {
      const row = view.row('delivery', key);
      if (row === undefined) return refuse(notFound('delivery'));
      // A person asks for it whatever its turn has said.
      const open = { ...row, turnId: null };
      const again = row.state === 'dead_lettered' ? revive(row, view.now) : giveBack(open, NOT_DUE);
      if (again.row === undefined || view.row('delivery', again.row.key)?.open === 0)
        return refuse(ended(row));
      const change = noChange();
      addChange(change, again);
      change.writes.push(auditWrite(context, view.now, who, 'redeliver', { key }));
      const closed = closeItem(view.row('inbox', letter), view.now);
      if (closed !== undefined) addChange(change, closed);
      return { ...change, result: { ok: true, row: again.row } };
    },
  });
  if (!outcome.ok) throw outcome.error;
  return outcome.row;
}

const NOT_DUE = { dueAt: null, dueFor: null } as const;

function revive(row: DeliveryRow, now: number) {
  return queueDelivery(successor(row, 'retry', now, { ...NOT_DUE, disposition: null, turnId: null }, {}));
}

function ended({ state, disposition }: DeliveryRow): HttpError {
  return new HttpError(
    409,
    'conflict',
    `It has ended (${state}, ${disposition}) and is not handed over again.`,
  );
}
