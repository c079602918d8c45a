// The sweep: one loop for everything that falls due. It sleeps until the earliest due time the store knows, does what
// is due in small batches, and sleeps again; news of a new due time wakes it. Nothing here is remembered in memory, so
// a restart picks up exactly what is left.
import type { Cancel } from '../../runtime/clock.ts';
import type { OutboxRow } from '../../store/tables.ts';
import { isConversationKey, OBLIGATIONS_KEY } from '../kernel/conversation.ts';
import { type DigestDeps, sweepDigests } from './digest.ts';
import type { Committer } from '../ingest/committer.ts';
import type { PostsUnderWay } from '../outbox/posts-under-way.ts';
import type { Poster } from '../send/post.ts';
import { sweepDelivery } from './sweep-delivery.ts';
import { tickObligations } from './sweep-obligations.ts';
import { sweepOffer, tickConversation } from './sweep-conversation.ts';
import type { Upkeep } from './upkeep.ts';

/** Rows of one kind handled before looking at the others. */
const BATCH = 200;
/** Messages being posted at once. They are due too, so the page of due rows is longer by as many. */
const POSTS_MAX = 2_000;
/** A failed step is tried again after this. */
const RETRY_MS = 1_000;
const LOOK_AGAIN_MS = 50;

export interface SweepDeps extends DigestDeps {
  committer: Committer;
  poster: Pick<Poster, 'post'>;
  posts: PostsUnderWay;
  focusUntil(agent: string): number;
  upkeep: Upkeep;
}

export interface Sweep {
  start(): void;
  /** Resolves when the running round, if any, has ended; no further one begins. */
  stop(): Promise<void>;
  /** Everything due now; for tests and for draining. */
  round(): Promise<void>;
}

export function createSweep(deps: SweepDeps): Sweep {
  const { context } = deps;
  let running: Promise<void> | undefined;
  let timer: Cancel | undefined;
  /** When the next round begins, as far as anybody has said. */
  let nextAt = Number.POSITIVE_INFINITY;
  let stopped = true;
  let wanted = false;

  /** A round costs eight reads, so a deadline minutes away starts none: it only moves the timer. */
  const wakeAt = (at: number): void => {
    if (stopped || at >= nextAt) return;
    nextAt = at;
    if (running !== undefined) return; // looked at when the round is over
    timer?.();
    timer = context.clock.after(Math.max(0, at - context.clock.now()), turn);
  };
  const turn = (): void => {
    if (stopped) return;
    if (running !== undefined) {
      wanted = true;
      return;
    }
    timer?.();
    timer = undefined;
    wanted = false;
    nextAt = Number.POSITIVE_INFINITY;
    running = round(deps)
      .then(() => nextDue(deps))
      .catch((error: unknown) => {
        context.log.error({ err: error }, 'the sweep failed; it goes on');
        return context.clock.now() + RETRY_MS;
      })
      .then((at) => {
        running = undefined;
        if (wanted) return turn();
        const soonest = Math.min(at ?? Number.POSITIVE_INFINITY, nextAt);
        nextAt = Number.POSITIVE_INFINITY;
        wakeAt(soonest);
      });
  };
  context.bus.listen((news) => {
    if (news.type === 'due' && news.at === undefined) turn();
    else if (news.type === 'due' && news.at !== undefined) wakeAt(news.at);
    else if (news.type === 'deliver' && news.delivery.dueAt !== null) wakeAt(news.delivery.dueAt);
  });
  return {
    start() {
      stopped = false;
      turn();
    },
    async stop() {
      stopped = true;
      timer?.();
      await running;
    },
    round: () => round(deps),
  };
}

async function round(deps: SweepDeps): Promise<void> {
  const { store, clock } = deps.context;
  const now = clock.now();
  for (const { key } of await store.dueStates(now, BATCH)) {
    if (key === OBLIGATIONS_KEY) await tickObligations(deps.context);
    else if (isConversationKey(key)) await tickConversation(deps, key);
  }
  const due = { before: now + 1, limit: BATCH };
  for (const { key } of await store.scan('delivery', 'byDue', due)) await sweepDelivery(deps, key);
  for (const { key } of await store.scan('offer', 'byDue', due)) await sweepOffer(deps.context, key);
  // Begun, not waited for: one slow platform must not hold up everybody's deadlines.
  for (const { key } of await unsent(deps, now + 1)) deps.poster.post(key);
  await sweepDigests(deps);
  await deps.upkeep.run();
}

/** What is due and not being posted yet: a platform that hangs must not hide the others behind what waits for it. */
async function unsent({ context, posts }: SweepDeps, before?: number): Promise<OutboxRow[]> {
  const limit = Math.min(BATCH, POSTS_MAX - posts.count) + posts.count;
  const range = before === undefined ? { limit } : { limit, before };
  const rows = await context.store.scan('outbox', 'byDue', range);
  return rows.filter(({ key }) => !posts.has(key));
}

/** The earliest thing the store knows of. */
async function nextDue(deps: SweepDeps): Promise<number | undefined> {
  const { store, clock } = deps.context;
  const one = { limit: 1 };
  const [states, deliveries, offers, outbox] = await Promise.all([
    store.dueStates(Number.MAX_SAFE_INTEGER, 1),
    store.scan('delivery', 'byDue', one),
    store.scan('offer', 'byDue', one),
    unsent(deps),
  ]);
  // What is being posted says so itself when it is over; with so many under way, look again when some are through.
  const full = deps.posts.count >= POSTS_MAX ? clock.now() + LOOK_AGAIN_MS : undefined;
  const rows = [...deliveries, ...offers, ...outbox.slice(0, 1)];
  const times = [
    ...states.map(({ wakeAt }) => wakeAt),
    ...rows.flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt])),
    full,
    deps.nextDigestAt(),
    deps.upkeep.nextAt(),
  ].filter((at): at is number => at !== undefined);
  if (times.length === 0) return undefined;
  // Never twice in the same millisecond: what could not be done now is not done sooner by asking again.
  return Math.max(clock.now() + 1, Math.min(...times));
}
