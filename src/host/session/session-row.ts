// Session rows: one per agent, with the epoch of its newest session and when that one ended. This file owns them.
//
//   opened (epoch + 1) ─▶ closed, with the time ─▶ opened (epoch + 1) ─▶ …
//
// A greater epoch fences every older session. A delivery that was queued after the last session ended was never handed
// to anybody; an edit may change such a delivery in place.
import type { Agreement } from '../../protocol/initialize.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { DeliveryRow, SessionRow } from '../../store/tables.ts';
import type { Store, UnitView } from '../../store/store.ts';
import { type Change, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import type { CloseReason } from '../../transport/transport.ts';

export interface Taken {
  epoch: number;
  /** Events the harness holds that must not be answered any more. */
  superseded: string[];
}

/**
 * Opens a session with a new epoch. Undefined: the harness was gone before it could be stored. It may have a session
 * elsewhere by now, which must stay the newest.
 */
export function takeOver(
  { apply, store }: Pick<HostContext, 'apply'> & { store: Pick<Store, 'nodes'> },
  agent: string,
  { protocolVersion }: Agreement,
  holding: readonly string[],
  isGone: () => boolean = () => false,
): Promise<Taken | undefined> {
  return apply({
    states: [],
    rows: [
      ['session', agent],
      ...holding.map((eventId) => ['delivery', deliveryKey(eventId, agent)] as const),
    ],
    run(view) {
      if (isGone()) return { ...noChange(), result: undefined };
      const epoch = (view.row('session', agent)?.epoch ?? 0) + 1;
      const { id: node } = store.nodes;
      const opened = { key: agent, epoch, openedAt: view.now, closedAt: null, protocolVersion };
      const row: SessionRow = { ...opened, ...(node !== undefined && { node }) };
      const superseded = holding.filter(
        (eventId) => view.row('delivery', deliveryKey(eventId, agent))?.open !== 1,
      );
      return { writes: [{ table: 'session', row }], news: [], result: { epoch, superseded } };
    },
  });
}

/** Closes a session. Changes nothing when it is closed already or a newer one has taken over. */
export function closeSession(view: UnitView, agent: string, epoch: number): Change {
  const row = view.row('session', agent);
  if (row === undefined || row.epoch !== epoch || row.closedAt !== null) return noChange();
  return { writes: [{ table: 'session', row: { ...row, closedAt: view.now } }], news: [] };
}

export function isSessionOpen(session: SessionRow | undefined): boolean {
  return session !== undefined && session.closedAt === null;
}

/** Whether it is certain that no harness was handed the delivery: no session was open since it was made. */
export function neverHanded(row: DeliveryRow, session: SessionRow | undefined): boolean {
  if (row.state === 'held') return true;
  if (row.state !== 'queued' || row.attempt > 1) return false;
  return session === undefined || (session.closedAt !== null && row.createdAt > session.closedAt);
}

// A link: one live session of one agent as the deliver step sees it, over any transport (WebSocket, stdio, webhook,
// memory). The newest link of an agent fences the older ones.

export interface Link {
  agent: string;
  /** From the session row. The link with the greater epoch is newer. */
  epoch: number;
  agreement: Agreement;
  /** False for a webhook, which has no session that could end in the middle of a turn. */
  keepsSessions?: boolean;
  request(method: string, params: unknown, options: LinkRequest): Promise<LinkAnswer>;
  /** False when it could not be sent. */
  notify(method: string, params: unknown): boolean;
  close(reason: CloseReason): void;
}

export interface LinkRequest {
  timeoutMs: number;
  /** Called with the request's id once it has left. A cancellation names it. */
  onSent: (requestId: string) => void;
}

export type LinkAnswer =
  | { type: 'result'; result: unknown }
  /** `retryAfterMs`: how long the harness asks to be left alone. */
  | { type: 'error'; message: string; retryable: boolean; retryAfterMs?: number | undefined }
  | { type: 'timeout' }
  | { type: 'closed' };
