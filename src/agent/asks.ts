// The open questions of this process. Each delivery is offered to them before it is routed as usual. Only one question
// is open per place, because the host too remembers one per person; the others wait in line.
import type { TurnEvent } from './event.ts';
import type { Held } from './ledger.ts';
import type { AnswerPart, AskEnd, NoAnswer, OpenAsk } from './open-ask.ts';
import type { Run } from './run.ts';
import { createSlots, type Slots } from './working.ts';

export class Asks {
  readonly #open = new Set<OpenAsk>();
  readonly #queues = new Map<string, { slots: Slots; count: number }>();

  /** Waits for the earlier questions in the same place. Undefined when cancelled or when too many wait already. */
  async enter(target: string, signal: AbortSignal, waitingMax: number): Promise<(() => void) | undefined> {
    const queue = this.#queues.get(target) ?? { slots: createSlots(1), count: 0 };
    if (queue.count >= waitingMax) return undefined;
    this.#queues.set(target, queue);
    queue.count += 1;
    const giveBack = await queue.slots.take(false, signal);
    return this.#leaver(target, queue, giveBack);
  }

  #leaver(
    target: string,
    queue: { count: number },
    giveBack: (() => void) | undefined,
  ): (() => void) | undefined {
    const leave = (): void => {
      queue.count -= 1;
      if (queue.count === 0) this.#queues.delete(target);
      giveBack?.();
    };
    if (giveBack !== undefined) return leave;
    leave();
    return undefined;
  }

  /** Keeps the question open until it or its turn has ended. */
  async during(ask: OpenAsk): Promise<AskEnd> {
    const { signal } = ask.run;
    const onAbort = (): void => ask.end('over');
    this.#open.add(ask);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      if (signal.aborted) onAbort();
      return await ask.ended;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#open.delete(ask);
    }
  }

  take(part: AnswerPart): boolean {
    return [...this.#open].some((ask) => ask.take(part));
  }

  typing(placeId: string, author: TurnEvent['author'], typing: boolean): void {
    for (const ask of this.#open) ask.typing(placeId, author, typing);
  }

  strike(held: Held): boolean {
    return [...this.#open].some((ask) => ask.strike(held));
  }

  /** Ends the questions of a turn without an answer. */
  end(run: Run, why: NoAnswer): void {
    for (const ask of [...this.#open].filter((open) => open.run === run)) ask.end(why);
  }
}
