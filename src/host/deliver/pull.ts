// Pull harnesses (MCP, HTTP): `wait_events` leases the agent's queued deliveries for a while. When there are none, the
// call waits. A delivery that is not settled before its lease ends is handed out again, so a harness without memory
// loses nothing. For a harness that lacks the capability `buffered` the windows are composed here (pull-windows.ts).
import { FIT_LIMITS, jsonBytes } from '../../protocol/fit.ts';
import type { Agreement } from '../../protocol/initialize.ts';
import type { WireEvent } from '../../protocol/wire-event.ts';
import { WAIT_MAX_MS } from '../../protocol/read-tools.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { mergeFragments } from '../delivery/merge.ts';
import { accept, lease, type Moved, settle } from '../delivery/move.ts';
import { addChange, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import type { Working } from '../turn/working.ts';
import { laneItem, lowerModeFor, wireEventOf } from './payload.ts';
import { waitingKnocks } from './waiting-knocks.ts';
import { openWindows, type TypingSigns, type Windows } from './pull-windows.ts';

export interface Puller {
  wait(pull: Pull): Promise<Pulled>;
  /** Agents that wait for something now. */
  waiting(): string[];
}

export interface Pulled {
  events: WireEvent[];
  /** More are ready and did not fit into one answer. They stay queued. */
  more: boolean;
}

export interface Pull {
  agent: string;
  /** What the caller agreed to: the shape of the events, and whether it composes by itself. */
  agreement: Agreement;
  limit: number;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/** How many open deliveries are searched for queued ones. */
const LOOKED_AT = 500;

/** The part of the working signs that a pull needs. */
type Begins = Pick<Working, 'begin'>;

export function createPuller(context: HostContext, typing: TypingSigns, working: Begins): Puller {
  const waiting = new Map<string, number>();
  const count = (agent: string, by: number): void => {
    const now = (waiting.get(agent) ?? 0) + by;
    if (now > 0) waiting.set(agent, now);
    else waiting.delete(agent);
  };
  return {
    waiting: () => [...waiting.keys()],
    async wait(pull) {
      const { agent, timeoutMs, signal } = pull;
      const until = context.clock.now() + Math.min(timeoutMs, WAIT_MAX_MS);
      for (;;) {
        const arrived = nextDelivery(context, agent, signal);
        const { events, more, windows } = await leaseReady(context, typing, working, pull);
        const left = until - context.clock.now();
        if (events.length > 0 || left <= 0 || signal?.aborted === true) {
          arrived.cancel();
          return { events, more };
        }
        count(agent, 1);
        await arrived.wait(left, windows).finally(() => count(agent, -1));
      }
    },
  };
}

/** Starts to listen at once. The caller reads the store after that, so no delivery is missed in between. */
function nextDelivery(context: HostContext, agent: string, signal: AbortSignal | undefined) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let open: ReadonlySet<string> = new Set();
  const unlisten = context.bus.listen((news) => {
    if (news.type === 'deliver' && news.delivery.agent === agent) resolve();
    if (news.type === 'ready' && news.agent === agent) resolve();
    // Somebody who stops typing may close a window.
    if (news.type === 'typing' && !news.typing && open.has(news.conversation)) resolve();
  });
  const abort = (): void => resolve();
  signal?.addEventListener('abort', abort, { once: true });
  const cancel = (): void => {
    unlisten();
    signal?.removeEventListener('abort', abort);
  };
  return {
    cancel,
    /** Until there is something, or the first open window closes. */
    async wait(ms: number, { closeAt, conversations }: Windows): Promise<void> {
      open = conversations;
      const closes = closeAt === undefined ? ms : closeAt - context.clock.now();
      const stop = context.clock.after(Math.max(0, Math.min(ms, closes)), resolve);
      await promise;
      stop();
      cancel();
    },
  };
}

async function leaseReady(
  context: HostContext,
  typing: TypingSigns,
  working: Begins,
  { agent, agreement, limit }: Pull,
): Promise<Pulled & { windows: Windows }> {
  const open = await context.store.scan('delivery', 'openByAgent', { eq: [agent, 1], limit: LOOKED_AT });
  const queued = open.filter(({ state }) => state === 'queued');
  const composes = !agreement.capabilities.injection.buffered;
  const windows = await openWindows(context, typing, queued, { composes, limit });
  const events: WireEvent[] = [];
  let left: number = ANSWER_EVENTS_BYTES;
  for (const keys of windows.closed) {
    const isTight = left < FIT_LIMITS.eventBytes && left < (await mostBytes(context, keys, agreement));
    if (isTight) return { events, more: true, windows };
    const row = await leaseOne(context, keys, agreement);
    const item = row === undefined ? undefined : await laneItem(context, row, composes);
    if (item === undefined) continue;
    // Whether an agent works on what it may ignore, nobody knows.
    if (item.delivery.policy === 'must_respond')
      working.begin(item.delivery, context.settings.limits.visibilityMs);
    const waiting = await waitingKnocks(context, item.delivery);
    const event = wireEventOf(context, { ...item, waiting }, agreement);
    left -= jsonBytes(event) + 1;
    events.push(event);
  }
  return { events, more: false, windows };
}

/** What the events of one answer may take. The rest of it is for the rooms, the cursor and what is around them. */
const ANSWER_EVENTS_BYTES = FIT_LIMITS.answerBytes - FIT_LIMITS.roomsBytes - 4_096;
/** What changes between a look at an event and its lease: the attempt, and knocks that wait. */
const CHANGES_BYTES = 1_024;

/** At most how large the event of this window is. What several fragments become is not known before they are leased. */
async function mostBytes(
  context: HostContext,
  [key = '', ...fragments]: readonly string[],
  agreement: Agreement,
): Promise<number> {
  const row = fragments.length === 0 ? await context.store.get('delivery', key) : undefined;
  const composes = !agreement.capabilities.injection.buffered;
  const item = row === undefined ? undefined : await laneItem(context, row, composes);
  if (item === undefined) return FIT_LIMITS.eventBytes;
  const mode = lowerModeFor(item.delivery, agreement.capabilities);
  const event = wireEventOf(context, { ...item, delivery: { ...item.delivery, mode } }, agreement);
  return Math.min(FIT_LIMITS.eventBytes, jsonBytes(event) + CHANGES_BYTES);
}

/** Leases the deliveries of one window to the caller, as one. When the lease ends, the sweep gives it back. */
function leaseOne(
  { apply, settings }: HostContext,
  keys: readonly string[],
  agreement: Agreement,
): Promise<DeliveryRow | undefined> {
  return apply<DeliveryRow | undefined>({
    states: [],
    rows: keys.map((key) => ['delivery', key] as const),
    run(view) {
      const merged = mergeFragments(
        keys.flatMap((key) => view.row('delivery', key) ?? []),
        view.now,
      );
      const { row } = merged;
      if (row === undefined) return { ...noChange(), result: undefined };
      const change = { writes: merged.writes, news: merged.news, result: undefined };
      const mode = lowerModeFor(row, agreement.capabilities);
      if (mode === 'tool_mailbox') {
        addChange(change, settle(row, 'ignored', 'capability', view.now));
        return change;
      }
      const moved = take({ ...row, mode }, agreement, view.now, view.now + settings.limits.visibilityMs);
      addChange(change, moved);
      return { ...change, result: moved.row };
    },
  });
}

/** Without acknowledgement or redelivery what was taken counts as accepted, and is not offered again. */
function take(row: DeliveryRow, { capabilities }: Agreement, now: number, until: number): Moved {
  if (row.policy === 'must_not_respond') return settle(row, 'ignored', null, now);
  const { ack, redelivery } = capabilities.delivery;
  return ack && redelivery ? lease(row, row.mode, until) : accept(row, row);
}
