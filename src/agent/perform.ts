// One run against the host: `turn/started`, the handler, `turn/ended`. Retry rules of the draft: a handler that fails
// before any outbound action has failed (the host hands the events over again, attempt + 1); after one it is never run
// again, whatever happens to it.
import { ask } from './ask.ts';
import { buildTurn } from './build-turn.ts';
import type { SeenEvent, TurnEvent } from './event.ts';
import type { AgentDeps } from './agent-deps.ts';
import type { Held } from './ledger.ts';
import { claimedBody, tellStarted } from './host-turn.ts';
import { TurnCancelled, type Run } from './run.ts';
import { threadWindow } from './thread-window.ts';
import type { Turn, TurnHandler } from './turn.ts';
import { Working } from './working.ts';

export type Ending = 'answered' | 'silent' | 'failed';

export interface RunDeps {
  shared: AgentDeps;
  run: Run;
  /** Knocks that ride on this turn. */
  riders: Held[];
  news: TurnEvent[];
  began: () => void;
  acted: () => void;
  /** What was seen while quiet, joined to what an unfinished turn before had been given. */
  seen: (seen: SeenEvent[]) => readonly SeenEvent[];
  interrupt: () => Promise<{ events: TurnEvent[]; seen: SeenEvent[] } | undefined>;
}

/** Undefined when the run was aborted: whoever aborted it ends it with the host. */
export async function performTurn(deps: RunDeps): Promise<Ending | undefined> {
  const { shared, run, began } = deps;
  const urgent = run.events.some(({ priority }) => priority === 'urgent');
  const giveBack = await shared.slots.take(urgent, run.signal);
  if (giveBack === undefined) return undefined;
  const working = new Working(shared, run, giveBack);
  try {
    const [handler, listing] = await Promise.all([shared.handler, shared.tools]);
    if (run.aborted) return undefined;
    run.started = true;
    began();
    const seen = await tellStarted(deps, run.id, run.held);
    if (run.aborted) return undefined;
    if (seen === undefined) return 'failed';
    run.held = run.held.filter((held) => shared.ledger.find(held.event.eventId) === held);
    if (run.held.length === 0) return 'silent';
    const history = await threadWindow(shared, run.events, run.signal);
    if (run.aborted) return undefined;
    run.shown = { riders: [...deps.riders], news: [...deps.news], digests: [...shared.digests] };
    const turn = buildTurn({
      shared,
      run,
      listing,
      seen: deps.seen(seen),
      history,
      knocks: [...run.shown.riders.map(({ event }) => event), ...run.shown.news],
      digests: run.shown.digests,
      acted: deps.acted,
      body: (eventId) => claimedBody(deps, eventId),
      interrupt: deps.interrupt,
      ask: (text, options) => ask({ ...deps, working }, text, options),
    });
    working.begin(turn.conversation);
    return await handle(deps, handler, turn);
  } finally {
    shared.asks.end(run, 'over');
    working.end();
  }
}

async function handle(deps: RunDeps, handler: TurnHandler, turn: Turn): Promise<Ending | undefined> {
  const { shared, run } = deps;
  const cut = untilCut(shared, run);
  try {
    const done = work(handler, turn).then(
      () => 'done' as const,
      (error: unknown) => failure(deps, error),
    );
    const end = await Promise.race([done, cut.promise]);
    run.broken = end !== 'done';
    if (run.aborted && !isTimeout(run)) return undefined;
    if (run.acts > 0) return 'answered';
    return end === 'done' ? 'silent' : 'failed';
  } finally {
    cut.cancel();
  }
}

async function work(handler: TurnHandler, turn: Turn): Promise<void> {
  const text = await handler(turn);
  if (typeof text !== 'string' || turn.signal.aborted) return;
  await turn.reply(text);
}

function failure({ shared, run }: RunDeps, error: unknown): 'threw' {
  if (!run.aborted || isTimeout(run)) {
    const message =
      run.acts > 0 ? 'the handler failed after it had acted; it is not run again' : 'the handler failed';
    shared.log.error({ err: error, turn: run.id }, message);
  }
  return 'threw';
}

export function isTimeout(run: Run): boolean {
  const reason: unknown = run.signal.reason;
  return reason instanceof TurnCancelled && reason.why === 'timeout';
}

/** Resolves some time after the abort: a handler that does not listen to its signal is not waited for for ever. */
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
