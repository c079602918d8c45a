// deliver: hands each agent's open deliveries to its live session, at least once, until acknowledged. The store holds
// the truth. Each connection has a lane as its working memory: filled from the store when the session begins, and from
// the news while it lasts.
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { detailOf } from '../delivery/delivery-row.ts';
import { type Moved, countAttempt, deadLetter, settle } from '../delivery/move.ts';
import { addChange, noChange, type HostNews } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import type { Link, LinkAnswer } from '../session/link.ts';
import { closeSession } from '../session/session-row.ts';
import { createAcceptance, type HandOutcome, Lane, type LaneItem } from './lane.ts';
import { type Composer, createComposer } from './composer.ts';
import { laneItem, lowerModeFor, wireEventOf } from './payload.ts';

/** How many open deliveries a lane keeps in memory; the rest waits in the store and is read on when half are gone. */
export const LANE_ITEMS = 2_000;

/** One live session of one agent. */
interface Connection {
  link: Link;
  lane: Lane;
  composer: Composer;
  /** The store has more than the lane took in; the next read goes on from `position`. */
  more: boolean;
  position: number;
  loading: boolean;
  /** Deliveries announced while there was more to read. They are looked up once the reading is through. */
  announced: Set<string>;
}

export interface Courier {
  /** Opens the agent's lane to this session, which from now on is the only one. */
  attach(link: Link, holding: ReadonlySet<string>): Promise<void>;
  detach(link: Link): void;
  connected(agent: string): boolean;
  /** For offers: connected first, then the least busy. */
  rank(agent: string): number;
  agents(): { agent: string; load: number }[];
  notify(agent: string, method: string, params: unknown): void;
}

interface CourierState {
  context: HostContext;
  connections: Map<string, Connection>;
  /** Sessions whose end is being recorded: whoever reads on for the agent waits for that. */
  ending: Map<string, Promise<void>>;
  accepted: (item: LaneItem) => void;
}

export function createCourier(context: HostContext): Courier {
  const connections = new Map<string, Connection>();
  const state: CourierState = {
    context,
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

/** The end of the session, and one attempt more for what it was handed and did not acknowledge: one commit. */
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
  const connection: Connection = {
    link,
    lane,
    composer,
    more: true,
    position: 0,
    loading: false,
    announced: new Set(),
  };
  connections.set(link.agent, connection);
  await ending.get(link.agent); // the attempts of the older session are counted in what is read now
  await load(context, connection, holding);
  if (connections.get(link.agent) !== connection) return;
  lane.open();
  context.bus.publish({ type: 'session', agent: link.agent, connected: true });
}

/** Everything unsettled goes to the new session again, except what it says it holds and what has been put off. */
async function load(
  context: HostContext,
  connection: Connection,
  holding: ReadonlySet<string>,
): Promise<void> {
  if (connection.loading || !connection.more) return;
  connection.loading = true;
  try {
    const rows = await context.store.scan('delivery', 'openByAgent', {
      eq: [connection.link.agent, 1],
      after: connection.position,
      limit: LANE_ITEMS,
    });
    connection.position = rows.at(-1)?.position ?? connection.position;
    for (const { position: _, ...row } of rows) {
      connection.announced.delete(row.key);
      await enqueue(context, connection, row, holding);
    }
    if (rows.length === LANE_ITEMS) return;
    connection.more = false; // from here on news is added as it comes
    for (const key of connection.announced) {
      const row = await context.store.get('delivery', key);
      if (row?.open === 1 && !connection.lane.has(key)) await enqueue(context, connection, row, holding);
    }
    connection.announced.clear();
  } finally {
    connection.loading = false;
  }
}

async function enqueue(
  context: HostContext,
  connection: Connection,
  row: DeliveryRow,
  holding: ReadonlySet<string>,
): Promise<void> {
  if (row.state === 'held' || row.dueFor === 'lapse' || row.dueFor === 'hand') return;
  if (holding.has(row.eventId)) return;
  const item = await laneItem(context, row);
  if (item === undefined) return;
  // What an earlier session accepted is handed as a further attempt. What none accepted has its number already.
  if (row.state === 'queued') connection.composer.add(item);
  else connection.lane.add({ ...item, delivery: { ...row, attempt: row.attempt + 1 } });
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
      if (connection?.link !== link || !connection.more) return;
      if (connection.lane.load < LANE_ITEMS / 2) readOn(context, connection);
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

function readOn(context: HostContext, connection: Connection): void {
  load(context, connection, NOTHING_HELD).catch((error: unknown) => {
    const { agent } = connection.link;
    context.log.error({ err: error, agent }, 'reading on failed; the next session reads again');
  });
}

const NOTHING_HELD: ReadonlySet<string> = new Set();

function hand(context: HostContext, link: Link, item: LaneItem): HandOutcome | Promise<HandOutcome> {
  const { delivery } = item;
  const mode = lowerModeFor(delivery, link.agreement.capabilities.injection);
  if (mode === 'tool_mailbox') {
    void update(context, item, (row, now) => settle(row, 'ignored', 'capability', now));
    return { type: 'settled' };
  }
  const lowered = mode === delivery.mode ? item : { ...item, delivery: { ...delivery, mode } };
  const { ackTimeoutMs } = context.settings.limits;
  return link
    .request('chat/deliver', wireEventOf(context, lowered, link.agreement), ackTimeoutMs)
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

/** Moves one delivery. What ended meanwhile stays ended. Never rejects. */
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
      // The harness never saw what still waited here. Anything else it may be at work on, accepted or not.
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
  if (connection === undefined) return; // the store has it, and a session reads it there
  if (connection.more) {
    connection.announced.add(delivery.key);
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
