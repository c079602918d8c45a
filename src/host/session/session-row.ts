// The record of an agent's sessions: a new epoch for each, and when the last one ended. What was queued after that end
// has never been handed to anybody, which is what an edit needs to know.
import type { DeliveryRow, SessionRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';

export function closeSession({ store, log }: HostContext, agent: string, epoch: number): void {
  store
    .transact({
      states: [],
      rows: [['session', agent]],
      run(view) {
        const row = view.row('session', agent);
        if (row === undefined || row.epoch !== epoch || row.closedAt !== null)
          return { writes: [], result: undefined };
        return { writes: [{ table: 'session', row: { ...row, closedAt: view.now } }], result: undefined };
      },
    })
    .catch((error: unknown) => log.warn({ err: error, agent }, 'the end of a session was not recorded'));
}

/** Certain, not probable: no session has been open since the delivery was made. */
export function neverHanded(row: DeliveryRow, session: SessionRow | undefined): boolean {
  if (row.state === 'held') return true;
  if (row.state !== 'queued' || row.attempt > 1) return false;
  return session === undefined || (session.closedAt !== null && row.createdAt > session.closedAt);
}
