// One run of one turn: `turn/started`, the handler, `turn/ended`. States: waiting → started (the host knows) → over.
// Aborting cancels a run; the host then fences it and says whether it had sent something, so a restart never makes a
// second answer. Retry rules of the draft: a handler that fails before any outbound action has failed, and the host
// delivers its events again with attempt + 1. After an outbound action it is never run again.
import type { TurnUsage } from '../protocol/usage.ts';
import type { AgentDeps } from './agent-deps.ts';
import { ask } from './ask.ts';
import { buildTurn } from './build-turn.ts';
import type { TurnEvent, SeenEvent } from './event.ts';
import { type Failure, failureOf } from './failure.ts';
import { claimedBody, tellStarted, threadWindow } from './host-turn.ts';
import type { Held } from './ledger.ts';
import { NOBODY_KNOWN, type Participants } from './names.ts';
import type { TurnStream } from './stream.ts';
import type { Turn, TurnHandler } from './turn.ts';
import { Working } from './working.ts';

export type AbortWhy = 'restarted' | 'withdrawn' | 'stopped' | 'interrupted' | 'timeout' | 'closing';

/** Why `turn.signal` was aborted. The host accepts nothing from this turn any more. */
export class TurnCancelled extends Error {
  readonly why: AbortWhy;

  constructor(why: AbortWhy) {
    super(`the turn was cancelled (${why}): stop, nothing it sends is accepted any more`);
    this.name = 'TurnCancelled';
    this.why = why;
  }
}

/** An urgent event or the answer to a question, taken in while the turn runs. For the host it is a turn of its own. */
export interface Nested {
  id: string;
  held: Held[];
  actedBefore: number;
  /** True for the answer to a question of this turn. Silence after it is not a forgotten answer. */
  answer: boolean;
  /** It was said in another conversation, so what the turn says next does not answer it. */
  elsewhere: boolean;
  /** Routes it as usual if the turn is cancelled before it acted on it. */
  back: (held: Held) => void;
}

export class Run {
  readonly id: string;
  /** The number of the turn in the compose fold. */
  readonly number: number;
  held: Held[];
  readonly nested: Nested[] = [];
  /** Events that this run is claiming. It waits for their bodies. */
  readonly claiming = new Map<string, (held: Held) => void>();
  /** The event that it has claimed. The compose fold knows only its offer. */
  body: Held | undefined;
  /** Starts that the host is being told. Its end is told after them, because an ended turn takes nothing. */
  readonly telling = new Set<Promise<unknown>>();
  /** Events that it took in when its time was over: the call that tells the host was cut short. */
  readonly untold = new Set<string>();
  readonly #controller = new AbortController();
  readonly #awaited = new AbortController();
  started = false;
  /** The host knows how it ended, or is being told. */
  over = false;
  /** Outbound actions. After the first one, the turn is never run again. */
  acts = 0;
  keys = 0;
  /** The handler threw or took too long. */
  broken = false;
  /** What it cost, as far as the handler told. */
  usage: TurnUsage | undefined;
  /** Characters of its prompt, and of what it said: for an estimate where the handler told nothing. */
  readonly chars = { prompt: 0, said: 0 };
  /** What the host is told about it. */
  failure: Failure | undefined;
  /** Who is in the conversation, as the host said when the turn began. */
  participants: Participants = NOBODY_KNOWN;
  /** People see the answer grow, as the host said when the turn began. */
  streams = false;
  /** The answer that is being written, if one is. */
  stream: TurnStream | undefined;
  /** The answer that was sent as the end of a stream. A handler that returns the same has not said it twice. */
  streamed: string | undefined;
  /** The model can call the chat tools, so the prompt may name them. */
  modelTools = true;
  /** Knocks and digests that this turn showed. They are settled with it. */
  shown: { riders: Held[]; news: TurnEvent[]; digests: TurnEvent[] } = { riders: [], news: [], digests: [] };

  constructor(id: string, number: number, held: Held[]) {
    this.id = id;
    this.number = number;
    this.held = held;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }
  get aborted(): boolean {
    return this.#controller.signal.aborted;
  }

  abort(why: AbortWhy): void {
    if (!this.aborted && !this.over) this.#controller.abort(new TurnCancelled(why));
  }

  /** Aborted when something else waits for the end of this turn: its answer is then held back no longer. */
  get awaited(): AbortSignal {
    return this.#awaited.signal;
  }

  hurry(): void {
    this.#awaited.abort();
  }

  /** All deliveries taken in so far, nested ones last. */
  get all(): Held[] {
    return [...this.held, ...this.nested.flatMap((nested) => nested.held)];
  }
  get events(): TurnEvent[] {
    return this.all.map(({ event }) => event);
  }
  /** The last event that the turn itself is about. */
  get own(): TurnEvent | undefined {
    return this.held.at(-1)?.event;
  }
  /** The event that an answer goes to unless it names another. `currentId` is the turn that the answer counts for. */
  get answers(): TurnEvent | undefined {
    return this.#here?.held.at(-1)?.event ?? this.own;
  }
  get currentId(): string {
    return this.#here?.id ?? this.id;
  }

  get #here(): Nested | undefined {
    return this.nested.findLast(({ elsewhere, held }) => !elsewhere && held.length > 0);
  }
}

/** How a turn ended, as the host is told. */
export type Ending = 'answered' | 'silent' | 'failed';

export interface RunDeps {
  shared: AgentDeps;
  run: Run;
  /** Knocks that wait for this turn. */
  riders: Held[];
  news: TurnEvent[];
  began: () => void;
  acted: () => void;
  /** Adds what was seen while quiet to what an unfinished earlier turn had been given. */
  seen: (seen: SeenEvent[]) => readonly SeenEvent[];
  interrupt: () => Promise<{ events: TurnEvent[]; seen: SeenEvent[] } | undefined>;
}

/** Undefined when the run was aborted. Whoever aborted it ends it with the host. */
export async function performTurn(deps: RunDeps): Promise<Ending | undefined> {
  const { shared, run, began } = deps;
  const urgent = run.events.some(({ priority }) => priority === 'urgent');
  const giveBack = await shared.slots.take(urgent, run.signal);
  if (giveBack === undefined) return undefined;
  const working = new Working(shared, run, giveBack);
  try {
    const [handler, listing] = await Promise.all([shared.handler, shared.tools]);
    if (run.aborted) return undefined;
    run.modelTools = shared.modelTools && callsTools(handler);
    run.started = true;
    began();
    const told = await tellStarted(deps, run.id, run.held);
    if (run.aborted) return undefined;
    if (told === undefined) return 'failed';
    run.participants = told.participants;
    run.streams = told.streams;
    run.held = run.held.filter((held) => shared.ledger.find(held.event.eventId) === held);
    if (run.held.length === 0) return 'silent';
    const history = await threadWindow(shared, run.events, run.signal);
    if (run.aborted) return undefined;
    run.shown = { riders: [...deps.riders], news: [...deps.news], digests: [...shared.digests] };
    const turn = buildTurn({
      shared,
      run,
      listing,
      seen: deps.seen(told.seen),
      history,
      knocks: [...run.shown.riders.map(({ event }) => event), ...run.shown.news],
      digests: run.shown.digests,
      acted: deps.acted,
      body: (eventId) => claimedBody(deps, eventId),
      interrupt: deps.interrupt,
      ask: (text, options) => ask({ ...deps, working }, text, options),
      hold: () => working.hold(),
    });
    turn.tellPrompt(turn.prompt);
    working.begin(turn.conversation);
    return await handle(deps, handler, turn);
  } finally {
    run.stream?.stop();
    shared.asks.end(run, 'over');
    working.end();
  }
}

/** A runner says whether its model has the chat tools. Any other handler is given them with the turn. */
function callsTools(handler: TurnHandler): boolean {
  const { capabilities } = handler as { capabilities?: { tools?: unknown } };
  return capabilities?.tools !== false;
}

async function handle(deps: RunDeps, handler: TurnHandler, turn: Turn): Promise<Ending | undefined> {
  const { shared, run } = deps;
  const cut = untilCut(shared, run);
  try {
    const done = work(run, handler, turn).then(
      () => 'done' as const,
      (error: unknown) => failure(deps, error),
    );
    const end = await Promise.race([done, cut.promise]);
    run.broken = end !== 'done';
    if (isTimeout(run)) run.failure = { error: tookTooLong(shared) };
    if (run.aborted && !isTimeout(run)) return undefined;
    if (run.acts > 0) return 'answered';
    return end === 'done' ? 'silent' : 'failed';
  } finally {
    cut.cancel();
  }
}

async function work(run: Run, handler: TurnHandler, turn: Turn): Promise<void> {
  const text = await handler(turn);
  if (typeof text !== 'string' || turn.signal.aborted || text === run.streamed) return;
  await run.stream?.become(text);
  await turn.reply(text, { final: true });
}

function failure({ shared, run }: RunDeps, error: unknown): 'threw' {
  if (!run.aborted || isTimeout(run)) {
    const message =
      run.acts > 0 ? 'the handler failed after it had acted; it is not run again' : 'the handler failed';
    shared.log.error({ err: error, turn: run.id }, message);
    run.failure = failureOf(error);
  }
  return 'threw';
}

function tookTooLong({ limits: { turnMs } }: AgentDeps): string {
  return `the turn took longer than ${Math.round(turnMs / 1_000)} s and was stopped`;
}

export function isTimeout(run: Run): boolean {
  const reason: unknown = run.signal.reason;
  return reason instanceof TurnCancelled && reason.why === 'timeout';
}

/** Resolves a grace period after the abort, so that a handler that ignores its signal is not waited for for ever. */
function untilCut({ clock, limits }: AgentDeps, run: Run): { promise: Promise<'cut'>; cancel: () => void } {
  const { promise, resolve } = Promise.withResolvers<'cut'>();
  let cancel: (() => void) | undefined;
  const listener = (): void => {
    cancel = clock.after(limits.cancelGraceMs, () => resolve('cut'));
  };
  run.signal.addEventListener('abort', listener, { once: true });
  return {
    promise,
    cancel: () => {
      run.signal.removeEventListener('abort', listener);
      cancel?.();
    },
  };
}
