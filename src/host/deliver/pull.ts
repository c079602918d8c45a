// Pull harnesses (MCP, HTTP): `wait_events` leases the agent's queued deliveries for a while. When there are none, the
// call waits. A delivery that is not settled before its lease ends is handed out again, so a harness without memory
// loses nothing.
import { negotiate } from '../../protocol/initialize.ts';
import type { Agreement } from '../../protocol/initialize.ts';
import type { WireEvent } from '../../protocol/wire-event.ts';
import { WAIT_MAX_MS } from '../../protocol/read-tools.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { lease, settle } from '../delivery/move.ts';
import { noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { laneItem, lowerModeFor, wireEventOf } from './payload.ts';

export interface Puller {
  wait(
    agent: string,
    limit: number,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<WireEvent[]>;
  /** Remembers what the agent agreed to when it last initialized. */
  agree(agent: string, agreement: Agreement): void;
}

/** How many open deliveries are searched for queued ones. */
const LOOKED_AT = 500;

export function createPuller(context: HostContext): Puller {
  const agreements = new Map<string, Agreement>();
  return {
    agree: (agent, agreement) => agreements.set(agent, agreement),
    async wait(agent, limit, timeoutMs, signal) {
      const until = context.clock.now() + Math.min(timeoutMs, WAIT_MAX_MS);
      for (;;) {
        const arrived = nextDelivery(context, agent, signal);
        const events = await leaseQueued(context, agent, limit, agreements.get(agent) ?? DEFAULT_AGREEMENT);
        const left = until - context.clock.now();
        if (events.length > 0 || left <= 0 || signal?.aborted === true) {
          arrived.cancel();
          return events;
        }
        await arrived.wait(left);
      }
    },
  };
}

const DEFAULT_AGREEMENT: Agreement = baseProfile();

/** For a client that never initialized: the short event, and fragments composed by the host. */
function baseProfile(): Agreement {
  const outcome = negotiate({ protocolVersion: '2026-06-24' });
  if (!outcome.ok) throw new Error('the base profile is always spoken');
  return outcome.agreement;
}

/** Starts to listen at once. The caller reads the store after that, so no delivery is missed in between. */
function nextDelivery(context: HostContext, agent: string, signal: AbortSignal | undefined) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const unlisten = context.bus.listen((news) => {
    if (news.type === 'deliver' && news.delivery.agent === agent) resolve();
  });
  const abort = (): void => resolve();
  signal?.addEventListener('abort', abort, { once: true });
  const cancel = (): void => {
    unlisten();
    signal?.removeEventListener('abort', abort);
  };
  return {
    cancel,
    async wait(ms: number): Promise<void> {
      const stop = context.clock.after(ms, resolve);
      await promise;
      stop();
      cancel();
    },
  };
}

async function leaseQueued(
  context: HostContext,
  agent: string,
  limit: number,
  agreement: Agreement,
): Promise<WireEvent[]> {
  const open = await context.store.scan('delivery', 'openByAgent', { eq: [agent, 1], limit: LOOKED_AT });
  const ready = open.filter(({ state }) => state === 'queued').slice(0, limit);
  const events: WireEvent[] = [];
  for (const { key } of ready) {
    const row = await leaseOne(context, key, agreement);
    const item = row === undefined ? undefined : await laneItem(context, row);
    if (item !== undefined) events.push(wireEventOf(context, item, agreement));
  }
  return events;
}

/** Leases one delivery to the caller. When the lease ends, the sweep gives it back. */
function leaseOne(
  { apply, settings }: HostContext,
  key: string,
  agreement: Agreement,
): Promise<DeliveryRow | undefined> {
  return apply<DeliveryRow | undefined>({
    states: [],
    rows: [['delivery', key]],
    run(view) {
      const row = view.row('delivery', key);
      if (row?.state !== 'queued') return { ...noChange(), result: undefined };
      const mode = lowerModeFor(row, agreement.capabilities.injection);
      if (mode === 'tool_mailbox') {
        return { ...settle(row, 'ignored', 'capability', view.now), result: undefined };
      }
      const moved =
        row.policy === 'must_not_respond'
          ? settle(row, 'ignored', null, view.now)
          : lease(row, mode, view.now + settings.limits.visibilityMs);
      return { ...moved, result: moved.row };
    },
  });
}
