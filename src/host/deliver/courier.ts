// deliver: hands each agent's open deliveries to its live session, at least once, until acknowledged. The store holds
// the truth; lanes are working memory, filled from it whenever a session begins and from the news while it lasts.
import { project } from '../../protocol/project.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { createAcceptance } from './accept.ts';
import { capMode } from './capabilities.ts';
import { type Composer, createComposer } from './composer.ts';
import type { HostContext, HostNews } from '../kernel/context.ts';
import { deadLetter, settle } from '../delivery/delivery-state.ts';
import { Lane, type HandOutcome, type LaneItem } from './lane.ts';
import { fragmentsOf, laneItem } from './lane-item.ts';
import type { Link, LinkAnswer } from '../session/link.ts';
import { payloadOf } from '../read/payload.ts';
import { closeSession } from '../session/session-row.ts';

/** How many open deliveries a lane keeps in memory; the rest waits in the store and is read on when half are gone. */
export const LANE_ITEMS = 2_000;

interface Post {
  link: Link;
  lane: Lane;
  composer: Composer;
  /** The store has more than the lane took; read on from here. */
  more: boolean;
  position: number;
  loading: boolean;
  /** Told while there was more to read: what lies behind the reading position is taken from here. */
  told: Set<string>;
}

export interface Courier {
  /** Opens the agent's lane to this session, which from now on is the only one. */
  attach(link: Link, holding: ReadonlySet<string>): Promise<void>;
  detach(link: Link): void;
  connected(agent: string): boolean;
  /** For offers: connected first, then the least busy. */
  rank(agent: string): number;
  agents(): { agent: string; load: number }[];
  tell(agent: string, method: string, params: unknown): void;
}

export function createCourier(context: HostContext): Courier {
  const posts = new Map<string, Post>();
  /** Sessions being put on record as over: whoever reads on for the agent waits for that. */
  const leaving = new Map<string, Promise<void>>();
  const leave = (post: Post): void => {
    const { agent } = post.link;
    const left = shut(context, post).finally(() => {
      if (leaving.get(agent) === left) leaving.delete(agent);
    });
    leaving.set(agent, left);
  };
  const accepted = createAcceptance(context);
  context.bus.listen((news) => onNews(context, posts, news));
  return {
    attach: (link, holding) => attach(context, { posts, leaving, leave, accepted }, link, holding),
    detach(link) {
      const post = posts.get(link.agent);
      if (post?.link !== link) return;
      posts.delete(link.agent);
      leave(post);
      context.bus.tell({ type: 'session', agent: link.agent, connected: false });
    },
    connected: (agent) => posts.has(agent),
    rank: (agent) => posts.get(agent)?.lane.load ?? Number.POSITIVE_INFINITY,
    agents: () => [...posts].map(([agent, { lane }]) => ({ agent, load: lane.load })),
    tell: (agent, method, params) => posts.get(agent)?.link.notify(method, params),
  };
}

/** What was handed and not acknowledged is a further attempt next time; the session's end is on record. */
async function shut(context: HostContext, { lane, composer, link }: Post): Promise<void> {
  composer.close();
  const counted = lane.close().map((item) => {
    const { attempt } = item.delivery;
    return write(context, item, (row) =>
      row.state === 'queued' ? { ...row, attempt: attempt + 1 } : undefined,
    );
  });
  closeSession(context, link.agent, link.epoch);
  await Promise.all(counted);
}

interface Desk {
  posts: Map<string, Post>;
  leaving: ReadonlyMap<string, Promise<void>>;
  leave: (post: Post) => void;
  accepted: (item: LaneItem) => void;
}

async function attach(
  context: HostContext,
  { posts, leaving, leave, accepted }: Desk,
  link: Link,
  holding: ReadonlySet<string>,
): Promise<void> {
  const older = posts.get(link.agent);
  if (older !== undefined && older.link.epoch > link.epoch) return link.close('fenced');
  if (older !== undefined) {
    leave(older);
    older.link.close('fenced');
  }
  const lane: Lane = new Lane(laneDeps(context, posts, link, accepted));
  const composer = createComposer(context, link, (item) => lane.add(item));
  const post: Post = { link, lane, composer, more: true, position: 0, loading: false, told: new Set() };
  posts.set(link.agent, post);
  await leaving.get(link.agent); // what is read from the store has its number then
  await load(context, post, holding);
  if (posts.get(link.agent) !== post) return;
  lane.open();
  context.bus.tell({ type: 'session', agent: link.agent, connected: true });
}

/** Everything unsettled goes to the new session again, except what it says it holds and what has been put off. */
async function load(context: HostContext, post: Post, holding: ReadonlySet<string>): Promise<void> {
  if (post.loading || !post.more) return;
  post.loading = true;
  try {
    const rows = await context.store.scan('delivery', 'openByAgent', {
      eq: [post.link.agent, 1],
      after: post.position,
      limit: LANE_ITEMS,
    });
    post.position = rows.at(-1)?.position ?? post.position;
    for (const { position: _, ...row } of rows) {
      post.told.delete(row.key);
      await take(context, post, row, holding);
    }
    if (rows.length === LANE_ITEMS) return;
    post.more = false; // from here on news is added as it comes
    for (const key of post.told) {
      const row = await context.store.get('delivery', key);
      if (row?.open === 1 && !post.lane.has(key)) await take(context, post, row, holding);
    }
    post.told.clear();
  } finally {
    post.loading = false;
  }
}

async function take(
  context: HostContext,
  post: Post,
  row: DeliveryRow,
  holding: ReadonlySet<string>,
): Promise<void> {
  if (row.state === 'held' || row.dueFor === 'lapse' || row.dueFor === 'hand') return;
  if (holding.has(row.eventId)) return;
  const item = await laneItem(context, row);
  if (item === undefined) return;
  // What an earlier session accepted is handed once more; what none did has its number already.
  if (row.state === 'queued') post.composer.add(item);
  else post.lane.add({ ...item, delivery: { ...row, attempt: row.attempt + 1 } });
}

function laneDeps(
  context: HostContext,
  posts: Map<string, Post>,
  link: Link,
  accepted: (item: LaneItem) => void,
): ConstructorParameters<typeof Lane>[0] {
  const { limits } = context.settings;
  return {
    windowDeliveries: limits.windowDeliveries,
    handAttempts: limits.handAttempts,
    hand: (item) => hand(context, link, item),
    accepted,
    left: () => {
      const post = posts.get(link.agent);
      if (post?.link === link && post.more && post.lane.load < LANE_ITEMS / 2) readOn(context, post);
    },
    refused: (item, why) => {
      context.log.warn({ delivery: item.delivery.key, why }, 'a delivery was dead-lettered');
      void write(context, item, (row) => deadLetter(row, why, context.clock.now()));
    },
    backoffMs: (attempt) => {
      const full = Math.min(limits.retryCapMs, limits.retryBaseMs * 2 ** (attempt - 1));
      return full / 2 + (full / 2) * context.random.next();
    },
    after: (ms, run) => context.clock.after(ms, run),
  };
}

function readOn(context: HostContext, post: Post): void {
  load(context, post, NOTHING_HELD).catch((error: unknown) => {
    context.log.error(
      { err: error, agent: post.link.agent },
      'reading on failed; the next session reads again',
    );
  });
}

const NOTHING_HELD: ReadonlySet<string> = new Set();

function hand(context: HostContext, link: Link, item: LaneItem): HandOutcome | Promise<HandOutcome> {
  const { delivery, event } = item;
  const mode = capMode(delivery, link.agreement.capabilities.injection);
  if (mode === 'tool_mailbox') {
    void write(context, item, (row) => settle(row, 'ignored', 'capability', context.clock.now()));
    return { type: 'settled' };
  }
  const deadlineMs = context.attention.limits.deadlineMs;
  const payload = payloadOf(
    mode === delivery.mode ? delivery : { ...delivery, mode },
    event,
    context.clock.now(),
    deadlineMs,
  );
  if (item.text !== undefined) payload.text = item.text;
  const { ackTimeoutMs } = context.settings.limits;
  return link.request('chat/deliver', project(payload, link.agreement), ackTimeoutMs).then(outcomeOf);
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

/** One row of one delivery, changed under its own key; what ended meanwhile stays ended. Never rejects. */
function write(
  context: HostContext,
  { delivery: { key } }: LaneItem,
  run: (row: DeliveryRow) => DeliveryRow | undefined,
): Promise<void> {
  return context.store
    .transact({
      states: [],
      rows: [['delivery', key]],
      run(view) {
        const row = view.row('delivery', key);
        const next = row === undefined ? undefined : run(row);
        return { writes: next === undefined ? [] : [{ table: 'delivery', row: next }], result: next };
      },
    })
    .then((next) => {
      if (next?.open === 0) context.bus.tell({ type: 'settled', delivery: next });
      if (next?.state === 'dead_lettered') tellDeadLetter(context, next);
    })
    .catch((error: unknown) => {
      context.log.error(
        { err: error, delivery: key },
        'a delivery could not be updated; it is handed over again',
      );
    });
}

export function tellDeadLetter(context: HostContext, row: DeliveryRow): void {
  const key = `dead:${row.key}`;
  const { agent, source, why, conversation } = row;
  context.store
    .transact({
      states: [],
      run: (view) => ({
        writes: [
          {
            table: 'inbox',
            row: {
              key,
              kind: 'dead_letter',
              eventId: source,
              agents: [agent],
              detail: { why, conversation, delivery: row.key },
              createdAt: view.now,
              closedAt: null,
              open: 1,
            },
          },
        ],
        result: undefined,
      }),
    })
    .then(() => context.bus.tell({ type: 'inbox', key }))
    .catch((error: unknown) => context.log.error({ err: error, key }, 'a dead letter could not be filed'));
}

function onNews(context: HostContext, posts: Map<string, Post>, news: HostNews): void {
  switch (news.type) {
    case 'deliver':
      onDelivery(context, posts, news.delivery, news.event);
      break;
    case 'withdraw': {
      const post = posts.get(news.delivery.agent);
      if (post === undefined) break;
      post.lane.drop(news.delivery.key);
      // Also when it was accepted earlier: the harness may be at work on it. What still waited here it never saw.
      if (post.composer.drop(news.delivery)) break;
      const { eventId } = news.delivery;
      post.link.notify('notifications/cancelled', { eventId, reason: news.reason });
      break;
    }
    case 'settled': {
      const post = posts.get(news.delivery.agent);
      post?.lane.drop(news.delivery.key);
      post?.composer.drop(news.delivery);
      break;
    }
    case 'typing':
      for (const post of posts.values()) post.composer.typing(news);
      break;
    case 'progress':
    case 'logged':
    case 'outbox':
    case 'due':
    case 'cancel_turn':
    case 'inbox':
    case 'session':
    case 'warning':
      break;
  }
}

function onDelivery(
  context: HostContext,
  posts: Map<string, Post>,
  delivery: DeliveryRow,
  event: LogRow | undefined,
): void {
  const post = posts.get(delivery.agent);
  if (post === undefined) return; // the store has it; a session reads it there
  if (post.more) {
    post.told.add(delivery.key);
    return;
  }
  if (event !== undefined && fragmentsOf(delivery) === undefined) {
    post.composer.add({ delivery, event });
    return;
  }
  laneItem(context, delivery)
    .then((item) => item !== undefined && posts.get(delivery.agent) === post && post.composer.add(item))
    .catch((error: unknown) => {
      context.log.error({ err: error, delivery: delivery.key }, 'a delivery could not be read');
    });
}
