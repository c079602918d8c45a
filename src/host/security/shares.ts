// Shares: how much of the host one caller may use. A caller is whoever a token stands for (`agent:nova`, `surface:irc`,
// `person:ada`, `operator:ops`), over all its tokens and connections. Each limit says what happens at it; a refusal says
// when to come back. No limit touches a delivery: what an agent does not take stays queued.
import type { Clock } from '../../runtime/clock.ts';
import { createSlices, type NextSlice, type Schedule } from '../../runtime/schedule.ts';
import { createFairLane, type Entered, type FairLane, type LaneLimit } from './fair-lane.ts';
import { createFairTurns, type FairTurns } from './fair-turns.ts';
import { createPolls, type Polls } from './long-polls.ts';
import { createOpenRequests, type OpenRequests } from './open-requests.ts';
import { createRateLimiter, type RateLimit, type Taken } from './rate-limit.ts';
import type { TokenIdentity } from './scopes.ts';

const CALLERS_MAX = 10_000;

/** Calls being worked on, by kind. Further calls wait; beyond `waiting` they are refused. */
export const LANE_LIMITS = {
  /** Whatever reads the log or lists of rows, for agents, sources and people. */
  read: { each: 2, all: 4, waiting: 256 },
  /** The same for operators, whose counts and replays may take long. */
  look: { each: 2, all: 4, waiting: 256 },
  /** Attachments, which a platform may take long to hand over. `all` is the setting `attachmentsAtOnce`. */
  file: { each: 2, all: 8, waiting: 32 },
  /** Whatever changes something. A send waits here for its platform. */
  act: { each: 64, all: Number.POSITIVE_INFINITY, waiting: 256 },
  /** Reports about turns. */
  turn: { each: 64, all: Number.POSITIVE_INFINITY, waiting: 1_024 },
  /** Prompts that a harness tells. */
  prompt: { each: 16, all: Number.POSITIVE_INFINITY, waiting: 256 },
  /** Signs of typing, which a platform is shown. */
  typing: { each: 4, all: Number.POSITIVE_INFINITY, waiting: 16 },
  /** Questions for a person's permission, which wait for the answer. */
  ask: { each: 32, all: Number.POSITIVE_INFINITY, waiting: 0 },
  /** Batches of events. How many events come in is limited in rate-limit.ts. */
  ingest: { each: 1_024, all: Number.POSITIVE_INFINITY, waiting: 1_024 },
} as const satisfies Record<string, LaneLimit>;
export type LaneName = keyof typeof LANE_LIMITS;

/** Lanes whose callers rest when they have read much, or leave much unread. */
export const PACED: ReadonlySet<LaneName> = new Set(['read', 'look', 'file']);

/** What one caller may do in a time. More is refused. */
export const CALLER_RATES = {
  /** Acts of an agent, repeats included: each writes rows. */
  acts: { perMinute: 3_000, burst: 3_000, maxKeys: CALLERS_MAX },
  /** Turns reported as started or ended. As many as a source may post events. */
  turns: { perMinute: 60_000, burst: 10_000, maxKeys: CALLERS_MAX },
  /** Rows of progress in the log. Reports about one piece of work are joined before they count (turn/progress.ts). */
  progress: { perMinute: 120, burst: 120, maxKeys: CALLERS_MAX },
  /** Requests over HTTP of an agent, an operator or a person. */
  http: { perMinute: 12_000, burst: 600, maxKeys: CALLERS_MAX },
  /** Requests over HTTP of a source, which may post every event by itself. */
  posts: { perMinute: 60_000, burst: 5_000, maxKeys: CALLERS_MAX },
  /** Long polls that take the place of an older one. Further ones are refused while the caller has as many as it may. */
  replacedPolls: { perMinute: 240, burst: 32, maxKeys: CALLERS_MAX },
  /** Requests over MCP. Each makes a server object of the SDK with all tools. */
  mcp: { perMinute: 3_000, burst: 600, maxKeys: CALLERS_MAX },
  /** Sessions opened: each writes a row and ends the one before. */
  sessions: { perMinute: 240, burst: 240, maxKeys: CALLERS_MAX },
} as const satisfies Record<string, RateLimit>;
export type CallerRate = keyof typeof CALLER_RATES;

export const SHARE_LIMITS = {
  /** Long polls of one caller. One more ends the oldest, which is told to come back, or is refused if that is often. */
  polls: 8,
  /** Requests over HTTP that one caller begins in one turn of the event loop. Further ones wait for the next turns. */
  begunATurn: 8,
  /** Requests over HTTP of one caller that are not wholly answered and read. One more is refused. */
  requests: 256,
  /** Bytes of answers that one caller has not read, over all connections. Above it, its reads wait. */
  pauseBytes: 4_194_304,
  /** Bytes of answers over HTTP that one caller has not read. Above it, further requests are refused. */
  unreadBytes: 8_388_608,
  /** An answer over HTTP that is not read for so long is cut. */
  unreadMs: 60_000,
  /** Streams of /v1/stream of one caller. One more is refused. */
  streams: 8,
} as const;

/**
 * What one caller may read, in bytes: its answers, what a search for them looked at, and a sum for each call. A caller
 * that has used it up is slowed.
 */
export const READ_PACE = {
  perMinute: 240 * 1_048_576,
  burst: 32 * 1_048_576,
  maxKeys: CALLERS_MAX,
} as const satisfies RateLimit;
/** A caller that reads nothing is looked at again after this time. */
const UNREAD_LOOK_MS = 100;
/** What a read costs besides its answer: it may look at hundreds of rows and show none. */
const READ_BYTES = 65_536;

export type RefusalReason = LaneName | CallerRate | keyof typeof SHARE_LIMITS;

export interface Refusals {
  count: number;
  reason: RefusalReason;
  at: number;
}

export interface Shares {
  /** Runs the work when it is the caller's turn: at once when there is room. */
  run<T>(turn: Turn<T>, work: () => Promise<T>): Promise<T>;
  /** The same for work that ends elsewhere. */
  enter(who: string, lane: LaneName, signal?: AbortSignal): ReturnType<FairLane['enter']>;
  take(who: string, rate: CallerRate): Taken;
  /** A call of the caller has read so many bytes. */
  read(who: string, bytes: number): void;
  /** A call of the caller has looked at so many bytes on the way to its answer. */
  looked(who: string, bytes: number): void;
  /** Long reads are done in slices, and wait here before each. */
  nextSlice: NextSlice;
  polls: Polls;
  /** Requests over HTTP, once it is known who asks. */
  turns: FairTurns;
  requests: OpenRequests;
  /** Adds a connection of the caller, with what is unread on it. Returns a function that removes it. */
  connected(who: string, unread: () => number): () => void;
  unread(who: string): number;
  /** One refusal more. */
  refused(who: string, reason: RefusalReason): void;
  of(who: string): CallerShare;
  /** Calls running and waiting, by caller and lane, for whoever has some. */
  busy(): { who: string; lane: LaneName; running: number; waiting: number }[];
  /** Called at each refusal. */
  onRefused(listener: (who: string, reason: RefusalReason) => void): void;
}

export interface Turn<T> {
  who: string;
  lane: LaneName;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined;
  /** The answer when there is no room. */
  refuse: (retryAfterMs: number) => T;
}

export interface CallerShare {
  running: number;
  waiting: number;
  /** Since the start of the host, and the last of them. */
  refused: Refusals | undefined;
}

/** Limits for rigs. What is left out has its usual limit. */
export interface ShareOptions {
  lanes?: Partial<Record<LaneName, LaneLimit>>;
  rates?: Partial<Record<CallerRate, RateLimit>>;
}

/** At most so often does the log say that a caller is over a limit. */
const LOGGED_EVERY_MS = 60_000;

export interface ShareDeps {
  clock: Clock;
  schedule: Schedule;
  log: { warn(fields: Record<string, unknown>, message: string): void };
}

export function callerOf({ kind, subject }: Pick<TokenIdentity, 'kind' | 'subject'>): string {
  return `${kind}:${subject}`;
}

export function createShares({ clock, log, schedule }: ShareDeps, options: ShareOptions = {}): Shares {
  const pace = createRateLimiter(READ_PACE, clock);
  const requests = createOpenRequests(SHARE_LIMITS);
  const connections = createUnread();
  const unread = (who: string): number => connections.of(who) + requests.of(who).unreadBytes;
  const restMs = (who: string): number => {
    if (unread(who) > SHARE_LIMITS.pauseBytes) return UNREAD_LOOK_MS;
    const taken = pace.take(who, 0);
    return taken.ok ? 0 : taken.retryAfterMs;
  };
  const limits = { ...LANE_LIMITS, ...options.lanes };
  const names = Object.keys(LANE_LIMITS) as LaneName[];
  const lanes = Object.fromEntries(
    names.map((name) => [
      name,
      createFairLane(limits[name], PACED.has(name) ? { clock, restMs, pause: schedule } : { clock }),
    ]),
  ) as Record<LaneName, FairLane>;
  const rateNames = Object.keys(CALLER_RATES) as CallerRate[];
  const rates = Object.fromEntries(
    rateNames.map((name) => [name, createRateLimiter(options.rates?.[name] ?? CALLER_RATES[name], clock)]),
  );
  const refusals = new Map<string, Refusals>();
  const logged = new Map<string, number>();
  const listeners: ((who: string, reason: RefusalReason) => void)[] = [];

  const refused = (who: string, reason: RefusalReason): void => {
    const { count = 0 } = refusals.get(who) ?? {};
    const at = clock.now();
    if (refusals.size < CALLERS_MAX || refusals.has(who)) refusals.set(who, { count: count + 1, reason, at });
    for (const listener of listeners) listener(who, reason);
    if (at - (logged.get(who) ?? Number.NEGATIVE_INFINITY) < LOGGED_EVERY_MS) return;
    if (logged.size >= CALLERS_MAX) logged.clear();
    logged.set(who, at);
    log.warn({ who, reason, refused: count + 1 }, 'a caller asks for more than its share; calls are refused');
  };
  const enter: Shares['enter'] = (who, lane, signal) => {
    const entered = lanes[lane].enter(who, signal);
    if (!(entered instanceof Promise) && !entered.ok) refused(who, lane);
    return entered;
  };
  return {
    enter,
    run({ who, lane, signal, refuse }, work) {
      const entering = enter(who, lane, signal);
      if (entering instanceof Promise) return entering.then((entered) => workIn(entered, refuse, work));
      return workIn(entering, refuse, work);
    },
    take(who, rate) {
      const taken = rates[rate]?.take(who) ?? { ok: true };
      if (!taken.ok) refused(who, rate);
      return taken;
    },
    read: (who, bytes) => pace.spend(who, READ_BYTES + bytes),
    looked: (who, bytes) => pace.spend(who, bytes),
    nextSlice: createSlices(schedule),
    polls: createPolls({
      each: SHARE_LIMITS.polls,
      mayReplace: (who) => rates['replacedPolls']?.take(who).ok !== false,
      onRefused: (who) => refused(who, 'polls'),
    }),
    turns: createFairTurns(SHARE_LIMITS.begunATurn, schedule),
    requests,
    connected: (who, bytes) => connections.add(who, bytes),
    unread,
    refused,
    of(who) {
      const all = names.map((name) => lanes[name].of(who));
      return {
        running: all.reduce((sum, { running }) => sum + running, 0),
        waiting: all.reduce((sum, { waiting }) => sum + waiting, 0),
        refused: refusals.get(who),
      };
    },
    busy: () =>
      names.flatMap((lane) => lanes[lane].callers().map((who) => ({ who, lane, ...lanes[lane].of(who) }))),
    onRefused: (listener) => void listeners.push(listener),
  };
}

/** Every event of a source passes here, so its answer is the promise of the work itself. */
function workIn<T>(entered: Entered, refuse: Turn<T>['refuse'], work: () => Promise<T>): Promise<T> {
  if (!entered.ok) return Promise.resolve(refuse(entered.retryAfterMs));
  const end = (): void => entered.end();
  try {
    const done = work();
    done.then(end, end);
    return done;
  } catch (error) {
    end();
    throw error;
  }
}

/** What callers leave unread on their connections. */
function createUnread() {
  const open = new Map<string, Set<() => number>>();
  return {
    add(who: string, unread: () => number): () => void {
      const all = open.get(who) ?? new Set();
      open.set(who, all.add(unread));
      return () => {
        all.delete(unread);
        if (all.size === 0 && open.get(who) === all) open.delete(who);
      };
    },
    of: (who: string): number => [...(open.get(who) ?? [])].reduce((sum, unread) => sum + unread(), 0),
  };
}
