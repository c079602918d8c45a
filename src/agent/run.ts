// One run of one turn. States: waiting → started (the host knows of it) → over. A run is cancelled by aborting it; the
// host fences it and says whether it had sent something, so that a restart never makes a second answer.
import type { TurnEvent } from './event.ts';
import type { Held } from './ledger.ts';

export type AbortWhy = 'restarted' | 'withdrawn' | 'stopped' | 'interrupted' | 'timeout' | 'closing';

/** Why `turn.signal` was aborted. Nothing this turn says is heard any more. */
export class TurnCancelled extends Error {
  readonly why: AbortWhy;

  constructor(why: AbortWhy) {
    super(`the turn was cancelled (${why}): stop, nothing it sends is accepted any more`);
    this.name = 'TurnCancelled';
    this.why = why;
  }
}

/** Taken in while the turn runs, an urgent event or the answer to a question: for the host a turn inside the turn. */
export interface Nested {
  id: string;
  held: Held[];
  actedBefore: number;
  /** What the turn itself has asked for: silence after it is not a forgotten answer. */
  answer: boolean;
  /** Said in another conversation: what the turn says next does not go there. */
  elsewhere: boolean;
  /** Its normal way, if the turn is cancelled before it did anything about it. */
  back: (held: Held) => void;
}

export class Run {
  readonly id: string;
  /** Of the compose fold. */
  readonly number: number;
  held: Held[];
  readonly nested: Nested[] = [];
  /** Events being claimed in this run: their bodies belong to it. */
  readonly claiming = new Map<string, (held: Held) => void>();
  readonly #controller = new AbortController();
  started = false;
  /** The host has been told how it ended, or is being told. */
  over = false;
  /** Outbound actions: once there is one, the turn is never run again differently. */
  acts = 0;
  keys = 0;
  /** The handler threw, or was not waited for any longer. */
  broken = false;
  /** What rode along, and is settled with it. */
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

  /** Everything taken in so far, nested turns last. */
  get all(): Held[] {
    return [...this.held, ...this.nested.flatMap((nested) => nested.held)];
  }
  get events(): TurnEvent[] {
    return this.all.map(({ event }) => event);
  }
  /** The last event of its own. */
  get own(): TurnEvent | undefined {
    return this.held.at(-1)?.event;
  }
  /** The event an answer goes to unless another is named, and the turn it counts for. */
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
