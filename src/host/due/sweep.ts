// The sweep: one loop handles every timer (deliveries, offers, sends, conversations, obligations, digests, upkeep). It
// sleeps until the earliest due time in the store, handles what is due in small batches, and sleeps again. News of an
// earlier time wakes it. The times of rows and states are in the store, so a restart loses none of them.
import type { Cancel } from '../../runtime/clock.ts';
import type { OutboxRow } from '../../store/tables.ts';
import { isConversationKey, isObligationsKey } from '../kernel/conversation.ts';
import { logFailure } from '../kernel/store-refusal.ts';
import { type DigestDeps, sweepDigests } from './digest.ts';
import type { Committer } from '../ingest/committer.ts';
import type { PostsUnderWay } from '../outbox/posts-under-way.ts';
import type { Poster } from '../send/post.ts';
import { sweepDelivery } from './sweep-delivery.ts';
import { tickObligations } from './sweep-obligations.ts';
import { sweepOffer, tickConversation } from './sweep-conversation.ts';
import type { Upkeep } from './upkeep.ts';

/** Rows of one kind that a round handles before it goes on to the next kind. */
const BATCH = 200;
/** The most messages that are posted at once. They are due too, so the page of due rows is longer by as many. */
const POSTS_MAX = 2_000;
/** The next round after one that failed. */
const RETRY_MS = 1_000;
/** The next round while `POSTS_MAX` messages are being posted. */
const LOOK_AGAIN_MS = 50;
/** The next look at what was due in a round and still is. Only a fault leaves such a thing; it must not keep the host busy. */
const STILL_DUE_MS = 1_000;

export interface SweepDeps extends DigestDeps {
  committer: Committer;
  poster: Pick<Poster, 'post' | 'mayPost'>;
  posts: PostsUnderWay;
  focusUntil(agent: string): number;
  upkeep: Upkeep;
}

export interface Sweep {
  start(): void;
  /** Something is due then, as another node says. */
  wake(at: number): void;
  /** Starts no further round. Resolves when the running one, if any, has ended. */
  stop(): Promise<void>;
  /** Handles everything that is due now. For tests and for draining. */
  round(): Promise<void>;
}

export function createSweep(deps: SweepDeps): Sweep {
  const { context } = deps;
  let running: Promise<void> | undefined;
  let timer: Cancel | undefined;
  /** When the next round begins, as far as is known. */
  let nextAt = Number.POSITIVE_INFINITY;
  let stopped = true;
  let wanted = false;

  /** A round costs eight reads, so news of a later time only moves the timer. */
  const wakeAt = (at: number): void => {
    if (stopped || at >= nextAt) return;
    nextAt = at;
    if (running !== undefined) return; // the running round looks at `nextAt` when it ends
    timer?.();
    timer = context.clock.after(Math.max(0, at - context.clock.now()), startRound);
  };
  const startRound = (): void => {
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
      .then((handled) => nextDue(deps, handled))
      .catch((error: unknown) => {
        logFailure(context.log, error, {}, 'the sweep failed; it goes on');
        return context.clock.now() + RETRY_MS;
      })
      .then((at) => {
        running = undefined;
        if (wanted) return startRound();
        const soonest = Math.min(at ?? Number.POSITIVE_INFINITY, nextAt);
        nextAt = Number.POSITIVE_INFINITY;
        wakeAt(soonest);
      });
  };
  context.bus.listen((news) => {
    if (news.type === 'due' && news.at === undefined) startRound();
    else if (news.type === 'due' && news.at !== undefined) wakeAt(news.at);
    else if (news.type === 'deliver' && news.delivery.dueAt !== null) wakeAt(news.delivery.dueAt);
  });
  return {
    start() {
      stopped = false;
      startRound();
    },
    wake: wakeAt,
    async stop() {
      stopped = true;
      timer?.();
      await running;
    },
    round: async () => void (await round(deps)),
  };
}

/** What a round has handled. Everything in it is done, or has a later time, unless something is wrong. */
type Handled = ReadonlySet<string>;

const handledRow = (table: string, key: string, dueAt: number | null): string => `${table} ${key} ${dueAt}`;

async function round(deps: SweepDeps): Promise<Handled> {
  const { store, clock } = deps.context;
  const now = clock.now();
  const handled = new Set<string>();
  for (const { key, wakeAt } of await store.dueStates(now, BATCH)) {
    handled.add(handledRow('state', key, wakeAt));
    if (isObligationsKey(key)) await tickObligations(deps.context, key);
    else if (isConversationKey(key)) await tickConversation(deps, key);
  }
  const due = { before: now + 1, limit: BATCH };
  for (const row of await store.scan('delivery', 'byDue', due)) {
    handled.add(handledRow('delivery', row.key, row.dueAt));
    await sweepDelivery(deps, row);
  }
  for (const { key, dueAt } of await store.scan('offer', 'byDue', due)) {
    handled.add(handledRow('offer', key, dueAt));
    await sweepOffer(deps.context, key);
  }
  // Posts are started and not awaited, so that a slow platform does not delay the other timers.
  for (const { key, dueAt } of await dueSends(deps, now + 1)) {
    handled.add(handledRow('outbox', key, dueAt));
    deps.poster.post(key);
  }
  await sweepDigests(deps);
  await deps.upkeep.run();
  return handled;
}

/** Sends that are due and not being posted yet. Rows that hang on a slow platform do not use up the page. */
async function dueSends({ context, posts, poster }: SweepDeps, before?: number): Promise<OutboxRow[]> {
  const limit = Math.min(BATCH, POSTS_MAX - posts.count) + posts.count;
  const range = before === undefined ? { limit } : { limit, before };
  const rows = await context.store.scan('outbox', 'byDue', range);
  return rows.filter((row) => !posts.has(row.key) && poster.mayPost(row));
}

/** The earliest due time in the store. What the round has handled and is due all the same is looked at a little later. */
async function nextDue(deps: SweepDeps, handled: Handled): Promise<number | undefined> {
  const { store, clock, log } = deps.context;
  const one = { limit: 1 };
  const [states, deliveries, offers, outbox] = await Promise.all([
    store.dueStates(Number.MAX_SAFE_INTEGER, 1),
    store.scan('delivery', 'byDue', one),
    store.scan('offer', 'byDue', one),
    dueSends(deps),
  ]);
  const now = clock.now();
  const timeOf = (table: string, { key, dueAt }: { key: string; dueAt: number | null }): number[] => {
    if (dueAt === null) return [];
    if (!handled.has(handledRow(table, key, dueAt))) return [dueAt];
    log.warn({ table, key }, 'it is due and could not be moved: "earshot doctor" says what is wrong');
    return [now + STILL_DUE_MS];
  };
  const times = [
    ...states.flatMap(({ key, wakeAt }) => timeOf('state', { key, dueAt: wakeAt })),
    ...deliveries.flatMap((row) => timeOf('delivery', row)),
    ...offers.flatMap((row) => timeOf('offer', row)),
    ...outbox.slice(0, 1).flatMap((row) => timeOf('outbox', row)),
    // A post publishes news when it ends. At the limit of posts nothing new is started, so the sweep looks again soon.
    deps.posts.count >= POSTS_MAX ? now + LOOK_AGAIN_MS : undefined,
    deps.nextDigestAt(),
    deps.upkeep.nextAt(),
  ].filter((at) => at !== undefined);
  if (times.length === 0) return undefined;
  // At least one millisecond from now: what could not be done in this round is not retried at once.
  return Math.max(now + 1, Math.min(...times));
}
