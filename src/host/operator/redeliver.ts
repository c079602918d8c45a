// Handing a delivery over again because a person asked: same event id and idempotency key, one attempt more. A dead
// letter is the one ended delivery that comes back this way; what was settled or superseded stays so.
import type { Write } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { giveBack } from '../delivery/delivery-state.ts';
import { tellAll } from '../kernel/tell.ts';
import { auditWrite } from '../kernel/audit.ts';
import { HttpError, notFound } from '../http/http-error.ts';

type Redelivered =
  | { type: 'again'; row: DeliveryRow }
  | { type: 'unknown' }
  | { type: 'ended'; row: DeliveryRow };

export async function redeliver(context: HostContext, key: string, who: string): Promise<DeliveryRow> {
  const letter = `dead:${key}`;
  const outcome = await context.store.transact<Redelivered>({
    states: [],
    rows: [
      ['delivery', key],
      ['inbox', letter],
    ],
    run(view) {
      const row = view.row('delivery', key);
      if (row === undefined) return { writes: [], result: { type: 'unknown' } };
      const next =
        row.state === 'dead_lettered' ? revived(row) : giveBack({ ...row, dueAt: null, dueFor: null });
      if (next === undefined) return { writes: [], result: { type: 'ended', row } };
      const writes: Write[] = [
        { table: 'delivery', row: next },
        auditWrite(context, view.now, who, 'redeliver', { key }),
      ];
      const filed = view.row('inbox', letter);
      if (filed?.open === 1) writes.push({ table: 'inbox', row: { ...filed, open: 0, closedAt: view.now } });
      return { writes, result: { type: 'again', row: next } };
    },
  });
  if (outcome.type === 'unknown') throw notFound('delivery');
  if (outcome.type === 'ended') {
    const { state, disposition } = outcome.row;
    throw new HttpError(
      409,
      'conflict',
      `It has ended (${state}, ${disposition}) and is not handed over again.`,
    );
  }
  await tellAll(context, [{ type: 'deliver', delivery: outcome.row, event: undefined }]);
  return outcome.row;
}

function revived(row: DeliveryRow): DeliveryRow {
  return {
    ...row,
    state: 'queued',
    open: 1,
    disposition: null,
    why: null,
    settledAt: null,
    attempt: row.attempt + 1,
    turnId: null,
    dueAt: null,
    dueFor: null,
  };
}
