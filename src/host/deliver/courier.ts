// deliver: hands each agent's open deliveries to its live session, again and again until they are acknowledged. The
// store is the truth. Each connection has a lane as its working memory, which is filled from the store when the
// session begins (backlog.ts) and from the news after that.
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { detailOf } from '../delivery/delivery-row.ts';
import { type Moved, countAttempt, deadLetter, settle } from '../delivery/move.ts';
import { addChange, noChange, type HostNews } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { type Link, type LinkAnswer, closeSession } from '../session/session-row.ts';
import { type Backlog, LANE_ITEMS, newBacklog, readBacklog } from './backlog.ts';
import { createAcceptance, type HandOutcome, Lane, type LaneItem } from './lane.ts';
import { type Composer, createComposer } from './composer.ts';
import { laneItem, lowerModeFor, wireEventOf } from './payload.ts';
import { waitingKnocks } from './waiting-knocks.ts';
import type { TypingSigns } from './pull-windows.ts';

/** One live session of one agent. */
interface Connection {
  link: Link;
  lane: Lane;
  composer: Composer;
  backlog: Backlog;
}

export interface Courier {
  /** Makes this the agent's only session, and starts to hand deliveries to it. */
  attach(link: Link, holding: ReadonlySet<string>): Promise<void>;
  detach(link: Link): void;
  connected(agent: string): boolean;
  /** The load of the agent's lane; Infinity when it is not connected. Offers go to the smallest first. */
  rank(agent: string): number;
  agents(): { agent: string; load: number }[];
  notify(agent: string, method: string, params: unknown): void;
}

interface CourierState {
  context: HostContext;
  typing: TypingSigns;
  connections: Map<string, Connection>;
  /** Agents whose last session is being closed in the store. The next session waits for that before it reads. */
  ending: Map<string, Promise<void>>;
  accepted: (item: LaneItem) => void;
}

/** `typing` remembers who types, for harnesses that pull. */
export function createCourier(context: HostContext, typing: TypingSigns): Courier {
  const connections = new Map<string, Connection>();
  const state: CourierState = {
    context,
    typing,
    connections,
    ending: new Map(),
    accepted: createAcceptance(context),
  };
  context.bus.listen((news) => onNews(state, news));
  return {
    attach: (link, holding) => attach(state, link, holding),
    detach(link) {
      const connection = connections.get(link.agent);
      if (connection?.link !== link) return;
      connections.delete(link.agent);
      endConnection(state, connection);
      context.bus.publish({ type: 'session', agent: link.agent, connected: false });
    },
    connected: (agent) => connections.has(agent),
    rank: (agent) => connections.get(agent)?.lane.load ?? Number.POSITIVE_INFINITY,
    agents: () => [...connections].map(([agent, { lane }]) => ({ agent, load: lane.load })),
    notify: (agent, method, params) => connections.get(agent)?.link.notify(method, params),
  };
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
  { lane, composer, link: { agent, epoch } }: Connection,
): Promise<void> {
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
  const older = connections.get(link.agent);
  if (older !== undefined && older.link.epoch > link.epoch) return link.close('fenced');
  if (older !== undefined) {
    endConnection(state, older);
    older.link.close('fenced');
  }
  const lane: Lane = new Lane(laneDeps(state, link));
  const composer = createComposer(context, link, (item) => lane.add(item));
  const backlog = newBacklog(link.agent, lane, composer);
  const connection: Connection = { link, lane, composer, backlog };
  connections.set(link.agent, connection);
  await ending.get(link.agent); // so that the rows have the attempts of the older session
  await readBacklog(context, backlog, holding);
  if (connections.get(link.agent) !== connection) return;
  lane.open();
  context.bus.publish({ type: 'session', agent: link.agent, connected: true });
}

function laneDeps(
  { context, connections, accepted }: CourierState,
  link: Link,
): ConstructorParameters<typeof Lane>[0] {
  const { limits } = context.settings;
  return {
    windowDeliveries: limits.windowDeliveries,
    handAttempts: limits.handAttempts,
    hand: (item) => hand(context, link, item),
    accepted,
    left: () => {
      const connection = connections.get(link.agent);
      if (connection?.link !== link || !connection.backlog.more) return;
      if (connection.lane.load < LANE_ITEMS / 2) readNextPage(context, connection.backlog);
    },
    refused: (item, why) => {
      context.log.warn({ delivery: item.delivery.key, why }, 'a delivery was dead-lettered');
      void update(context, item, (row, now) => deadLetter(row, why, now));
    },
    backoffMs: (attempt) => {
      const full = Math.min(limits.retryCapMs, limits.retryBaseMs * 2 ** (attempt - 1));
      return full / 2 + (full / 2) * context.random.next();
    },
    after: (ms, run) => context.clock.after(ms, run),
  };
}

const NOTHING_HELD: ReadonlySet<string> = new Set();

function readNextPage(context: HostContext, backlog: Backlog): void {
  readBacklog(context, backlog, NOTHING_HELD).catch((error: unknown) => {
    context.log.error(
      { err: error, agent: backlog.agent },
      'reading on failed; the next session reads again',
    );
  });
}

function hand(context: HostContext, link: Link, item: LaneItem): HandOutcome | Promise<HandOutcome> {
  const { delivery } = item;
  const mode = lowerModeFor(delivery, link.agreement.capabilities.injection);
  if (mode === 'tool_mailbox') {
    void update(context, item, (row, now) => settle(row, 'ignored', 'capability', now));
    return { type: 'settled' };
  }
  const lowered = mode === delivery.mode ? item : { ...item, delivery: { ...delivery, mode } };
  if (mode !== 'notify') return deliver(context, link, lowered);
  return waitingKnocks(context, delivery).then((waiting) => deliver(context, link, { ...lowered, waiting }));
}

function deliver(context: HostContext, link: Link, item: LaneItem): Promise<HandOutcome> {
  const { ackTimeoutMs } = context.settings.limits;
  return link
    .request('chat/deliver', wireEventOf(context, item, link.agreement), ackTimeoutMs)
    .then(outcomeOf);
}

function outcomeOf(answer: LinkAnswer): HandOutcome {
  switch (answer.type) {
    case 'result':
      return { type: 'accepted' };
    case 'timeout':
      return { type: 'again', why: 'no_acknowledgement' };
    case 'closed':
      return { type: 'gone' };
    case 'error':
      return answer.retryable
        ? { type: 'again', why: answer.message }
        : { type: 'refused', why: answer.message };
  }
}

/** Moves one delivery. Does nothing if it has ended meanwhile. Never rejects. */
function update(
  { apply, log }: HostContext,
  { delivery: { key } }: LaneItem,
  run: (row: DeliveryRow, now: number) => Moved,
): Promise<void> {
  return apply({
    states: [],
    rows: [['delivery', key]],
    run(view) {
      const row = view.row('delivery', key);
      const { writes, news } = row === undefined ? noChange() : run(row, view.now);
      return { writes, news, result: undefined };
    },
  }).catch((error: unknown) => {
    log.error({ err: error, delivery: key }, 'a delivery could not be updated; it is handed over again');
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
      // The harness never saw a delivery that still waited in the composer. Any other may be in its hands.
      if (connection.composer.drop(news.delivery)) break;
      const { eventId } = news.delivery;
      connection.link.notify('notifications/cancelled', { eventId, reason: news.reason });
      break;
    }
    case 'settled': {
      const connection = connections.get(news.delivery.agent);
      connection?.lane.drop(news.delivery.key);
      connection?.composer.drop(news.delivery);
      break;
    }
    case 'typing':
      state.typing.note(news);
      for (const connection of connections.values()) connection.composer.typing(news);
      break;
    case 'progress':
    case 'logged':
    case 'outbox':
    case 'outbox_done':
    case 'due':
    case 'cancel_turn':
    case 'inbox':
    case 'session':
    case 'warning':
      break;
  }
}

function onDelivery(
  { context, connections }: CourierState,
  delivery: DeliveryRow,
  event: LogRow | undefined,
): void {
  const connection = connections.get(delivery.agent);
  if (connection === undefined) return; // the next session reads it from the store
  if (connection.backlog.more) {
    connection.backlog.announced.add(delivery.key);
    return;
  }
  if (event !== undefined && detailOf(delivery).fragments === undefined) {
    connection.composer.add({ delivery, event });
    return;
  }
  laneItem(context, delivery)
    .then((item) => {
      if (item !== undefined && connections.get(delivery.agent) === connection) connection.composer.add(item);
    })
    .catch((error: unknown) => {
      context.log.error({ err: error, delivery: delivery.key }, 'a delivery could not be read');
    });
}
