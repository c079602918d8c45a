// What a turn uses while it works: a slot, the typing sign, its time. While it waits for a person it gives up all
// three, so that an open question neither blocks other conversations nor uses up the turn's own time. An answer that is
// held back keeps the sign: to people the agent is at work.
import type { Cancel } from '../runtime/clock.ts';
import type { AgentDeps } from './agent-deps.ts';
import type { TurnConversation } from './event.ts';
import type { Run } from './run.ts';

export class Working {
  readonly #shared: AgentDeps;
  readonly #run: Run;
  #place: TurnConversation | undefined;
  #giveBack: (() => void) | undefined;
  #hide: (() => void) | undefined;
  #cancelTimeout: Cancel | undefined;
  #leftMs: number;
  #since = 0;
  #resting = 0;
  #over = false;

  constructor(shared: AgentDeps, run: Run, giveBack: () => void) {
    this.#shared = shared;
    this.#run = run;
    this.#giveBack = giveBack;
    this.#leftMs = shared.limits.turnMs;
  }

  begin(place: TurnConversation): void {
    this.#place = place;
    this.#start(place);
  }

  /** Gives everything up while `wait` runs. With several waits at once, work goes on after the last. */
  async rest<T>(wait: () => Promise<T>, keepsSign = false): Promise<T> {
    this.#resting += 1;
    if (this.#resting === 1) this.#putDown(keepsSign);
    try {
      return await wait();
    } finally {
      this.#resting -= 1;
      if (this.#resting === 0) await this.#takeUp();
    }
  }

  /**
   * An answer that is ready early waits for an author who usually adds something, later than a compose window may wait. What
   * they add meanwhile cancels this turn and starts it again, so people read one answer. Nobody else waits for that: the next
   * turn of the conversation begins when this one has ended.
   */
  async hold(): Promise<void> {
    const { clock, limits } = this.#shared;
    const { signal, awaited, held, nested, acts } = this.#run;
    const last = held.at(-1);
    if (last === undefined || acts > 0 || nested.length > 0) return;
    const waitMs = last.takenAt + Math.min(last.event.addsWithinMs ?? 0, limits.holdMs) - clock.now();
    const over = AbortSignal.any([signal, awaited]);
    if (waitMs <= 0 || over.aborted) return;
    await this.rest(() => pause(clock, waitMs, over), true);
  }

  end(): void {
    this.#over = true;
    this.#putDown();
  }

  #start(place: TurnConversation): void {
    const { clock } = this.#shared;
    this.#since = clock.now();
    this.#hide ??= showTyping(this.#shared, place);
    this.#cancelTimeout = clock.after(this.#leftMs, () => this.#run.abort('timeout'));
  }

  #putDown(keepsSign = false): void {
    if (this.#cancelTimeout !== undefined) this.#leftMs -= this.#shared.clock.now() - this.#since;
    this.#cancelTimeout?.();
    this.#giveBack?.();
    this.#cancelTimeout = this.#giveBack = undefined;
    if (keepsSign) return;
    this.#hide?.();
    this.#hide = undefined;
  }

  async #takeUp(): Promise<void> {
    if (this.#over || this.#run.aborted) return;
    const urgent = this.#run.events.some(({ priority }) => priority === 'urgent');
    const giveBack = await this.#shared.slots.take(urgent, this.#run.signal);
    // Meanwhile another question may have been asked, or the turn may be over.
    if (this.#over || this.#resting > 0 || this.#giveBack !== undefined || this.#place === undefined) {
      giveBack?.();
      return;
    }
    if (giveBack === undefined) return;
    this.#giveBack = giveBack;
    this.#start(this.#place);
  }
}

/** Resolves after the time, or at the signal. */
function pause(clock: AgentDeps['clock'], ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    signal.addEventListener(
      'abort',
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
  });
}

/** Shows that the agent is at work while a turn runs. Repeated, because platforms let the sign fade. */
function showTyping(
  { clock, limits, session, typing }: AgentDeps,
  { id, threadId }: TurnConversation,
): () => void {
  if (!typing) return () => undefined;
  const tell = (on: boolean): void =>
    session.notify('notifications/typing', {
      conversation: { id, ...(threadId === undefined ? {} : { threadId }) },
      author: { id: session.agent, kind: 'agent' },
      typing: on,
    });
  let cancel: Cancel | undefined;
  const again = (): void => {
    tell(true);
    cancel = clock.after(limits.typingEveryMs, again);
  };
  again();
  return () => {
    cancel?.();
    tell(false);
  };
}

/** How many turns run at once over all conversations. Urgent turns go to the front of the line. */
export interface Slots {
  /** Resolves with a function that gives the slot back, or with undefined when the wait was cancelled. */
  take(urgent: boolean, signal: AbortSignal): Promise<(() => void) | undefined>;
}

interface Waiter {
  urgent: boolean;
  start: () => void;
}

export function createSlots(count: number): Slots {
  let free = count;
  let line: Waiter[] = [];
  const next = (): void => {
    while (free > 0) {
      const index = Math.max(
        0,
        line.findIndex(({ urgent }) => urgent),
      );
      const [waiter] = line.splice(index, 1);
      if (waiter === undefined) return;
      free -= 1;
      waiter.start();
    }
  };
  const giveBack = (): (() => void) => {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      free += 1;
      next();
    };
  };
  return {
    take(urgent, signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const waiter: Waiter = { urgent, start: () => resolve(giveBack()) };
        signal.addEventListener('abort', () => {
          if (!line.includes(waiter)) return;
          line = line.filter((other) => other !== waiter);
          resolve(undefined);
        });
        line.push(waiter);
        next();
      });
    },
  };
}
