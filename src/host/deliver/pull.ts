// Pull harnesses (MCP, HTTP): `wait_events` takes what is open, leases it for a while, and holds the call when there is
// nothing. What is not settled before its lease ends is offered again, so a harness without memory loses nothing.
import { negotiate } from '../../protocol/initialize.ts';
import type { Agreement } from '../../protocol/initialize.ts';
import { project } from '../../protocol/project.ts';
import type { WireEvent } from '../../protocol/wire-event.ts';
import { WAIT_MAX_MS } from '../../protocol/read-tools.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { capMode } from './capabilities.ts';
import type { HostContext } from '../kernel/context.ts';
import { settle } from '../delivery/delivery-state.ts';
import { laneItem } from './lane-item.ts';
import { payloadOf } from '../read/payload.ts';

export interface Puller {
  wait(
    agent: string,
    limit: number,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<WireEvent[]>;
  /** What the agent agreed to when it last initialized over a pull transport. */
  agree(agent: string, agreement: Agreement): void;
}

/** Scanned for what can be taken; an agent with more open than this works them off in order. */
const LOOKED_AT = 500;

export function createPuller(context: HostContext): Puller {
  const agreements = new Map<string, Agreement>();
  return {
    agree: (agent, agreement) => agreements.set(agent, agreement),
    async wait(agent, limit, timeoutMs, signal) {
      const until = context.clock.now() + Math.min(timeoutMs, WAIT_MAX_MS);
      for (;;) {
        const arrived = nextDelivery(context, agent, signal);
        const taken = await take(context, agent, limit, agreements.get(agent) ?? DEFAULT_AGREEMENT);
        const left = until - context.clock.now();
        if (taken.length > 0 || left <= 0 || signal?.aborted === true) {
          arrived.cancel();
          return taken;
        }
        await arrived.wait(left);
      }
    },
  };
}

const DEFAULT_AGREEMENT: Agreement = agreed();

/** A pull client that never initialized gets the short event and composed turns: the base profile. */
function agreed(): Agreement {
  const outcome = negotiate({ protocolVersion: '2026-06-24' });
  if (!outcome.ok) throw new Error('the base profile is always spoken');
  return outcome.agreement;
}

/** Listening starts before the store is read, so that nothing falls between. */
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

async function take(
  context: HostContext,
  agent: string,
  limit: number,
  agreement: Agreement,
): Promise<WireEvent[]> {
  const open = await context.store.scan('delivery', 'openByAgent', { eq: [agent, 1], limit: LOOKED_AT });
  const ready = open.filter(({ state }) => state === 'queued').slice(0, limit);
  const events: WireEvent[] = [];
  for (const { key } of ready) {
    const row = await lease(context, key, agreement);
    const item = row === undefined ? undefined : await laneItem(context, row);
    if (row?.dueFor === 'hand' && row.dueAt !== null) context.bus.tell({ type: 'due', at: row.dueAt });
    if (row === undefined || item === undefined) continue;
    const payload = payloadOf(row, item.event, context.clock.now(), context.attention.limits.deadlineMs);
    if (item.text !== undefined) payload.text = item.text;
    events.push(project(payload, agreement));
  }
  return events;
}

/** Ours until the visibility time is over; then the sweep gives it back. */
function lease(context: HostContext, key: string, agreement: Agreement): Promise<DeliveryRow | undefined> {
  return context.store.transact<DeliveryRow | undefined>({
    states: [],
    rows: [['delivery', key]],
    run(view) {
      const row = view.row('delivery', key);
      if (row === undefined || row.state !== 'queued') return { writes: [], result: undefined };
      const mode = capMode(row, agreement.capabilities.injection);
      if (row.policy === 'must_not_respond' || mode === 'tool_mailbox') {
        const done = settle(row, 'ignored', mode === 'tool_mailbox' ? 'capability' : null, view.now);
        const shown = mode === 'tool_mailbox' ? undefined : done;
        return { writes: done === undefined ? [] : [{ table: 'delivery', row: done }], result: shown };
      }
      const dueAt = view.now + context.settings.limits.visibilityMs;
      const next: DeliveryRow = { ...row, mode, state: 'handed', dueAt, dueFor: 'hand' };
      return { writes: [{ table: 'delivery', row: next }], result: next };
    },
  });
}
