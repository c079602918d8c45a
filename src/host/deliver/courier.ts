// deliver: hands each agent's open deliveries to its live session, again and again until they are acknowledged. The
// store is the truth. Each connection has a lane as its working memory, which is filled from the store when the
// session begins (backlog.ts) and from the news after that.
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { detailOf } from '../delivery/delivery-row.ts';
import { countAttempt, deadLetter } from '../delivery/move.ts';
import { addChange, mergeChanges, noChange, type HostNews } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { tellAsker } from '../outbox/trouble-lines.ts';
import { type Link, closeSession } from '../session/session-row.ts';
import { type Backlog, LANE_ITEMS, newBacklog, readBacklog } from './backlog.ts';
import { hand, type Sending } from './hand.ts';
import { createInHand } from './in-hand.ts';
import { createAcceptance, Lane, type LaneItem } from './lane.ts';
import { type Composer, createComposer } from './composer.ts';
import { laneItem } from './payload.ts';
import { ReadInOrder } from './read-in-order.ts';
import type { TypingSigns } from './pull-windows.ts';

/** One live session of one agent. */
interface Connection {
  link: Link;
  lane: Lane;
  composer: Composer;
  backlog: Backlog;
  /** What is on its way to the composer. */
  reading: ReadInOrder;
  /**
   * By the key of a delivery the id of the request that handed it over in this session, until it has ended. Empty for a
   * harness that cannot be told to stop.
   */
  requests: Map<string, string>;
}

export interface Courier {
  /** Makes this the agent's only session, and starts to hand deliveries to it. */
  attach(link: Link, holding: ReadonlySet<string>): Promise<void>;
  detach(link: Link): void;
  /** Whether the agent's session is on this node. */
  serves(agent: string): boolean;
  served(): string[];
  /** Keys of the deliveries that sessions of this node have, or will be handed: the next of them, at most so many. */
  inHand(most: number): string[];
  /** Whether the agent's session here has this delivery, perhaps for long, or will be handed it. */
  has(agent: string, key: string): boolean;
  /** Whether the agent's session here has this delivery, or will be handed it. */
  knows(agent: string, key: string): boolean;
  /** Another node has made this delivery ready. */
  ready(delivery: DeliveryRow): void;
  /** Another node has ended this delivery. */
  ended(delivery: DeliveryRow): void;
  /** A session with this epoch was opened: an older one ends. */
  fence(agent: string, epoch: number): void;
  /** Ends the session of an agent that is in the settings no more. */
  dismiss(agent: string): void;
  /** Whether the agent has a session, on whatever node. */
  connected(agent: string): boolean;
  /** The load of the agent's lane; Infinity when it is not connected. Offers go to the smallest first. */
  rank(agent: string): number;
  agents(): { agent: string; load: number }[];
  /** Tells the harness that a turn was stopped. */
  cancelTurn(agent: string, turnId: string, reason: string): void;
}

interface CourierState {
  context: HostContext;
  typing: TypingSigns;
  connections: Map<string, Connection>;
  /** Agents whose last session is being closed in the store. The next session waits for that before it reads. */
  ending: Map<string, Promise<void>>;
  accepted: Backlog['accepted'];
  /** Acknowledged, and not stored yet. */
  accepting: ReadonlySet<string>;
}

/** `typing` remembers who types, for harnesses that pull. */
export function createCourier(
  context: HostContext,
  typing: TypingSigns,
  elsewhere: (agent: string) => boolean,
): Courier {
  const connections = new Map<string, Connection>();
  const accepting = new Set<string>();
  const state: CourierState = {
    context,
    typing,
    connections,
    ending: new Map(),
    accepted: createAcceptance(context, accepting),
    accepting,
  };
  context.bus.listen((news) => onNews(state, news));
  const detach = (link: Link): void => {
    const connection = connections.get(link.agent);
    if (connection?.link !== link) return;
    connections.delete(link.agent);
    endConnection(state, connection);
    context.bus.publish({ type: 'session', agent: link.agent, connected: false });
  };
  return {
    attach: (link, holding) => attach(state, link, holding),
    detach,
    dismiss: (agent) => connections.get(agent)?.link.close('unauthorized'),
    serves: (agent) => connections.has(agent),
    served: () => [...connections.keys()],
    inHand: createInHand(connections),
    has: (agent, key) => knows(state, agent, key) || connections.get(agent)?.requests.has(key) === true,
    knows: (agent, key) => knows(state, agent, key),
    ready: (delivery) => onReady(state, delivery),
    ended: (delivery) => onEnded(state, delivery),
    fence(agent, epoch) {
      const link = connections.get(agent)?.link;
      if (link === undefined || link.epoch >= epoch) return;
      link.close('fenced');
      // A webhook has no connection whose end would say so.
      detach(link);
    },
    connected: (agent) => connections.has(agent) || elsewhere(agent),
    rank: (agent) => connections.get(agent)?.lane.load ?? (elsewhere(agent) ? ELSEWHERE_LOAD : Infinity),
    agents: () => [...connections].map(([agent, { lane }]) => ({ agent, load: lane.load })),
    cancelTurn(agent, turnId, reason) {
      if (connections.has(agent)) cancel(connections.get(agent), { turnId, reason });
      else if (elsewhere(agent)) context.store.nodes.hint({ cancelTurn: { agent, turnId, reason } });
    },
  };
}

/** How busy an agent of another node counts as. Nobody asks for more. */
const ELSEWHERE_LOAD = 1;

/** What the lane has, and what was acknowledged a moment ago, is no news. */
function knows({ connections, accepting }: CourierState, agent: string, key: string): boolean {
  const connection = connections.get(agent);
  if (connection === undefined) return false;
  const { lane, composer, reading } = connection;
  return accepting.has(key) || lane.has(key) || composer.has(key) || reading.has(key);
}

function onReady(state: CourierState, delivery: DeliveryRow): void {
  if (!knows(state, delivery.agent, delivery.key)) onDelivery(state, delivery, undefined);
}

function onEnded(state: CourierState, delivery: DeliveryRow): void {
  const isWithdrawn = delivery.state === 'superseded' || delivery.state === 'dead_lettered';
  onNews(
    state,
    isWithdrawn
      ? { type: 'withdraw', delivery, reason: delivery.why ?? 'withdrawn' }
      : { type: 'settled', delivery },
  );
}

function endConnection({ context, ending }: CourierState, connection: Connection): void {
  const { agent } = connection.link;
  const ended = recordEnd(context, connection).finally(() => {
    if (ending.get(agent) === ended) ending.delete(agent);
  });
  ending.set(agent, ended);
}

/** Closes the session and counts an attempt for each delivery it did not acknowledge, in one commit. */
async function recordEnd(
  { apply, log }: HostContext,
  { lane, composer, reading, link: { agent, epoch } }: Connection,
): Promise<void> {
  reading.close();
  composer.close();
  const unanswered = lane.close().map(({ delivery: { key, attempt } }) => ({ key, attempt: attempt + 1 }));
  await apply({
    states: [],
    rows: [['session', agent], ...unanswered.map(({ key }) => ['delivery', key] as const)],
    run(view) {
      const change = noChange();
      for (const { key, attempt } of unanswered) {
        const row = view.row('delivery', key);
        if (row !== undefined) addChange(change, countAttempt(row, attempt));
      }
      addChange(change, closeSession(view, agent, epoch));
      return { ...change, result: undefined };
    },
  }).catch((error: unknown) => log.warn({ err: error, agent }, 'the end of a session was not recorded'));
}

async function attach(state: CourierState, link: Link, holding: ReadonlySet<string>): Promise<void> {
  const { context, connections, ending } = state;
  // The settings may have changed while it connected.
  if (!context.agentIds.has(link.agent)) return link.close('unauthorized');
  const older = connections.get(link.agent);
  if (older !== undefined && older.link.epoch > link.epoch) return link.close('fenced');
  if (older !== undefined) {
    endConnection(state, older);
    older.link.close('fenced');
  }
  const requests = new Map<string, string>();
  const preparing: Sending['preparing'] = new Map();
  const isInLane = (key: string): boolean => lane.has(key);
  const lane: Lane = new Lane(laneDeps(state, { link, requests, preparing, isInLane }));
  const composer = createComposer(context, link, (item) => lane.add(item));
  const backlog = newBacklog(link, lane, composer, state.accepted);
  const reading = new ReadInOrder({
    read: (delivery) => readItem(state, link, delivery),
    ready: (item) => composer.add(item),
  });
  const connection: Connection = { link, lane, composer, backlog, reading, requests };
  connections.set(link.agent, connection);
  await ending.get(link.agent); // so that the rows have the attempts of the older session
  await readBacklog(context, backlog, holding);
  if (connections.get(link.agent) !== connection) return;
  lane.open();
  context.bus.publish({ type: 'session', agent: link.agent, connected: true });
}

function laneDeps(state: CourierState, sending: Sending): ConstructorParameters<typeof Lane>[0] {
  const { context, connections, accepted } = state;
  const { link } = sending;
  const { limits } = context.settings;
  return {
    windowDeliveries: limits.windowDeliveries,
    handAttempts: limits.handAttempts,
    handsAgain: link.agreement.capabilities.delivery.redelivery,
    hand: (item) => hand(context, sending, item),
    accepted,
    left: () => {
      const connection = connections.get(link.agent);
      if (connection?.link !== link || !connection.backlog.more) return;
      if (connection.lane.load < LANE_ITEMS / 2) readNextPage(state, connection);
    },
    refused: (item, why) => {
      context.log.warn({ delivery: item.delivery.key, why }, 'a delivery was dead-lettered');
      void giveUp(context, item, why);
    },
    backoffMs: (attempt, afterMs = 0) => {
      const full = Math.min(limits.retryCapMs, limits.retryBaseMs * 2 ** (attempt - 1));
      const own = full / 2 + (full / 2) * context.random.next();
      return Math.max(own, Math.min(afterMs, limits.retryCapMs));
    },
    after: (ms, run) => context.clock.after(ms, run),
  };
}

const NOTHING_HELD: ReadonlySet<string> = new Set();

/** Until the last page is read, news is only noted. So it is tried again until the session ends. */
function readNextPage(state: CourierState, connection: Connection): void {
  const { context, connections } = state;
  const { agent } = connection.link;
  readBacklog(context, connection.backlog, NOTHING_HELD).catch((error: unknown) => {
    context.log.error({ err: error, agent }, 'the backlog could not be read on; it is tried again');
    context.clock.after(context.settings.limits.retryBaseMs, () => {
      if (connections.get(agent) === connection) readNextPage(state, connection);
    });
  });
}

/** Gives a delivery up, and tells whoever asked. Never rejects. */
function giveUp(
  context: HostContext,
  { delivery: { key, conversation } }: LaneItem,
  why: string,
): Promise<void> {
  return context
    .apply({
      states: [conversation],
      rows: [['delivery', key]],
      run(view) {
        const row = view.row('delivery', key);
        const given = row === undefined ? undefined : deadLetter(row, why, view.now);
        if (row === undefined || given?.row === undefined) return { ...noChange(), result: undefined };
        const told = tellAsker(context, view, row, 'gave-up');
        return { ...mergeChanges([given, told]), result: undefined };
      },
    })
    .catch((error: unknown) => {
      context.log.error(
        { err: error, delivery: key },
        'a delivery was not given up; it is handed over again',
      );
    });
}

function onNews(state: CourierState, news: HostNews): void {
  const { connections } = state;
  switch (news.type) {
    case 'deliver':
      onDelivery(state, news.delivery, news.event);
      break;
    case 'withdraw': {
      const connection = connections.get(news.delivery.agent);
      if (connection === undefined) break;
      connection.lane.drop(news.delivery.key);
      connection.reading.drop(news.delivery.key);
      // The harness never saw a delivery that still waited in the composer. Any other may be in its hands.
      if (connection.composer.drop(news.delivery)) break;
      const { eventId, key } = news.delivery;
      const requestId = connection.requests.get(key);
      connection.requests.delete(key);
      const request = requestId === undefined ? {} : { requestId };
      cancel(connection, { ...request, eventId, reason: news.reason });
      break;
    }
    case 'settled': {
      const connection = connections.get(news.delivery.agent);
      connection?.lane.drop(news.delivery.key);
      connection?.reading.drop(news.delivery.key);
      connection?.composer.drop(news.delivery);
      connection?.requests.delete(news.delivery.key);
      break;
    }
    case 'typing':
      state.typing.note(news);
      for (const connection of connections.values()) connection.composer.typing(news);
      break;
    case 'ready':
    case 'progress':
    case 'logged':
    case 'outbox':
    case 'outbox_done':
    case 'due':
    case 'cancel_turn':
    case 'inbox':
    case 'session':
    case 'surface':
    case 'turn_failed':
    case 'warning':
    case 'clock':
    case 'token_revoked':
    case 'settings':
      break;
  }
}

/** Tells a harness that understands it to stop. What it does not hear of is refused when it answers. */
function cancel(connection: Connection | undefined, params: Record<string, string>): void {
  if (connection?.link.agreement.capabilities.utilities.cancellation !== true) return;
  connection.link.notify('notifications/cancelled', params);
}

function onDelivery(state: CourierState, delivery: DeliveryRow, event: LogRow | undefined): void {
  const connection = state.connections.get(delivery.agent);
  if (connection === undefined) return; // the next session reads it from the store
  if (connection.backlog.more) {
    connection.backlog.announced.add(delivery.key);
    return;
  }
  const isWhole = event !== undefined && detailOf(delivery).fragments === undefined;
  connection.reading.add(delivery, isWhole ? { delivery, event } : undefined);
}

/** Tries again until the store answers, or the session has ended. */
async function readItem(
  { context, connections }: CourierState,
  link: Link,
  delivery: DeliveryRow,
): Promise<LaneItem | undefined> {
  const { log, clock, settings } = context;
  while (connections.get(link.agent)?.link === link) {
    try {
      return await laneItem(context, delivery);
    } catch (error) {
      log.error({ err: error, delivery: delivery.key }, 'a delivery could not be read; it is tried again');
      await new Promise<void>((resolve) => void clock.after(settings.limits.retryBaseMs, resolve));
    }
  }
  return undefined;
}
