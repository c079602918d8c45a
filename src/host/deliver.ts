// deliver: hands each agent's open deliveries to its live session, at least once, until acknowledged. The store holds
// the truth; lanes are working memory, filled from it whenever a session begins and from the news while it lasts.
import { project } from '../protocol/project.ts';
import type { DeliveryRow, LogRow } from '../store/tables.ts';
import { capMode } from './capabilities.ts';
import { type Composer, createComposer } from './composer.ts';
import type { HostContext, HostNews } from './context.ts';
import { deadLetter, move, settle, supersede } from './delivery-state.ts';
import { Lane, type HandOutcome, type LaneItem } from './lane.ts';
import type { Link } from './link.ts';
import { payloadOf } from './payload.ts';

/** How many open deliveries a lane keeps in memory; the rest waits in the store and is read on when half are gone. */
const LANE_ITEMS = 2_000;

interface Post {
  link: Link;
  lane: Lane;
  composer: Composer;
  /** The store has more than the lane took; read on from here. */
  more: boolean;
  position: number;
  loading: boolean;
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
  context.bus.listen((news) => onNews(context, posts, news));
  return {
    attach: (link, holding) => attach(context, posts, link, holding),
    detach(link) {
      const post = posts.get(link.agent);
      if (post?.link !== link) return;
      post.lane.close();
      post.composer.close();
      posts.delete(link.agent);
      context.bus.tell({ type: 'session', agent: link.agent, connected: false });
    },
    connected: (agent) => posts.has(agent),
    rank: (agent) => posts.get(agent)?.lane.load ?? Number.POSITIVE_INFINITY,
    agents: () => [...posts].map(([agent, { lane }]) => ({ agent, load: lane.load })),
    tell: (agent, method, params) => posts.get(agent)?.link.notify(method, params),
  };
}

async function attach(
  context: HostContext,
  posts: Map<string, Post>,
  link: Link,
  holding: ReadonlySet<string>,
): Promise<void> {
  const older = posts.get(link.agent);
  if (older !== undefined) {
    older.lane.close();
    older.composer.close();
    older.link.close('fenced');
  }
  const lane = new Lane(laneDeps(context, posts, link));
  const composer = createComposer(context, link, (item) => lane.add(item));
  const post: Post = { link, lane, composer, more: true, position: 0, loading: false };
  posts.set(link.agent, post);
  await load(context, post, holding);
  if (posts.get(link.agent) !== post) return;
  lane.open();
  context.bus.tell({ type: 'session', agent: link.agent, connected: true });
}

/** Everything unsettled goes to the new session again, except what it says it holds and what has been put off. */
async function load(context: HostContext, post: Post, holding: ReadonlySet<string>): Promise<void> {
  if (post.loading || !post.more) return;
  post.loading = true;
  const { agent } = post.link;
  const rows = await context.store.scan('delivery', 'openByAgent', {
    eq: [agent, 1],
    after: post.position,
    limit: LANE_ITEMS,
  });
  post.position = rows.at(-1)?.position ?? post.position;
  post.more = rows.length === LANE_ITEMS;
  for (const { position: _, ...row } of rows) {
    if (row.state === 'held' || row.dueFor === 'lapse' || holding.has(row.eventId)) continue;
    const event = await context.store.get('log', row.source);
    if (event === undefined) continue;
    // It may have been handed before: what is sent again counts as a further attempt.
    const again =
      row.state === 'queued' && row.attempt === 1 && row.createdAt >= context.clock.now()
        ? row
        : { ...row, attempt: row.attempt + 1 };
    post.lane.add({ delivery: again, event });
  }
  post.loading = false;
}

function laneDeps(
  context: HostContext,
  posts: Map<string, Post>,
  link: Link,
): ConstructorParameters<typeof Lane>[0] {
  const { limits } = context.settings;
  return {
    windowDeliveries: limits.windowDeliveries,
    handAttempts: limits.handAttempts,
    hand: (item) => hand(context, link, item),
    accepted: (item) => {
      write(context, item, (row) => acceptedRow(row, item.delivery.attempt, context.clock.now()));
      for (const merged of item.merged ?? []) {
        write(context, { ...item, delivery: merged }, (row) => supersede(row, 'merged', context.clock.now()));
      }
      const post = posts.get(link.agent);
      if (post !== undefined && post.link === link && post.more && post.lane.load < LANE_ITEMS / 2) {
        load(context, post, NOTHING_HELD).catch((error: unknown) => {
          context.log.error(
            { err: error, agent: link.agent },
            'reading on failed; the next session reads again',
          );
        });
      }
    },
    refused: (item, why) => {
      context.log.warn({ delivery: item.delivery.key, why }, 'a delivery was dead-lettered');
      write(context, item, (row) => deadLetter(row, why, context.clock.now()));
    },
    backoffMs: (attempt) => {
      const full = Math.min(limits.retryCapMs, limits.retryBaseMs * 2 ** (attempt - 1));
      return full / 2 + (full / 2) * context.random.next();
    },
    after: (ms, run) => context.clock.after(ms, run),
  };
}

/** What must not be answered is done with once it has arrived. */
function acceptedRow(row: DeliveryRow, attempt: number, now: number): DeliveryRow | undefined {
  if (row.policy === 'must_not_respond') return settle({ ...row, attempt }, 'ignored', null, now);
  return move(row, 'accepted', { attempt });
}

const NOTHING_HELD: ReadonlySet<string> = new Set();

async function hand(context: HostContext, link: Link, item: LaneItem): Promise<HandOutcome> {
  const { delivery, event } = item;
  const mode = capMode(delivery, link.agreement.capabilities.injection);
  if (mode === 'tool_mailbox') {
    write(context, item, (row) => settle(row, 'ignored', 'capability', context.clock.now()));
    return { type: 'gone' };
  }
  const deadlineMs = context.attention.limits.deadlineMs;
  const payload = payloadOf({ ...delivery, mode }, event, context.clock.now(), deadlineMs);
  if (item.text !== undefined) payload.text = item.text;
  const answer = await link.request(
    'chat/deliver',
    project(payload, link.agreement),
    context.settings.limits.ackTimeoutMs,
  );
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

/** One row of one delivery, changed under its own key; what ended meanwhile stays ended. */
function write(
  context: HostContext,
  item: LaneItem,
  change: (row: DeliveryRow) => DeliveryRow | undefined,
): void {
  const { key } = item.delivery;
  context.store
    .transact({
      states: [],
      rows: [['delivery', key]],
      run(view) {
        const row = view.row('delivery', key);
        const next = row === undefined ? undefined : change(row);
        return { writes: next === undefined ? [] : [{ table: 'delivery', row: next }], result: next };
      },
    })
    .then((next) => {
      if (next !== undefined && next.open === 0) context.bus.tell({ type: 'settled', delivery: next });
      if (next?.state === 'dead_lettered') tellDeadLetter(context, next);
    })
    .catch((error: unknown) => {
      context.log.error(
        { err: error, delivery: key },
        'a delivery could not be updated; it is handed over again',
      );
    });
}

function tellDeadLetter(context: HostContext, row: DeliveryRow): void {
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
      onDelivery(posts, news.delivery, news.event);
      break;
    case 'withdraw': {
      const post = posts.get(news.delivery.agent);
      if (post === undefined) break;
      post.lane.drop(news.delivery.key);
      post.composer.drop(news.delivery);
      // Also when it was accepted earlier: the harness may be at work on it.
      const { eventId } = news.delivery;
      post.link.notify('notifications/cancelled', { eventId, reason: news.reason });
      break;
    }
    case 'settled':
      posts.get(news.delivery.agent)?.lane.drop(news.delivery.key);
      break;
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
      break;
  }
}

function onDelivery(posts: Map<string, Post>, delivery: DeliveryRow, event: LogRow | undefined): void {
  const post = posts.get(delivery.agent);
  if (post === undefined || event === undefined || post.more) return; // the store has it; a session reads it there
  post.composer.add({ delivery, event });
}
