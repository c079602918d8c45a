// One question that waits for its answer. It decides whose words count as the answer and when the answer is complete.
// An answer waits for the compose window, like anything people type ("yes" / "but wait for Bob").
import { type ComposeInput, compose, initialCompose, wakeAt } from '../compose/index.ts';
import type { Cancel } from '../runtime/clock.ts';
import { answerType } from './answer.ts';
import { authorKey, rootId, type TurnConversation, type TurnEvent } from './event.ts';
import type { AgentDeps } from './agent-deps.ts';
import type { Held } from './ledger.ts';
import type { Run } from './run.ts';

export type NoAnswer = 'timeout' | 'refused' | 'edited' | 'interrupted' | 'withdrawn' | 'over';
export type AskEnd = { type: 'answered'; parts: readonly AnswerPart[] } | { type: 'none'; why: NoAnswer };

/** A fragment of an answer. `back` routes it as usual after all. */
export interface AnswerPart {
  held: Held;
  back: (held: Held) => void;
}

export interface AskOrder {
  shared: AgentDeps;
  run: Run;
  /** Where it was asked, in the form that tools take, and the keys of those who were asked. */
  target: string;
  who: readonly string[];
  questionId: string;
  timeoutMs: number;
}

export class OpenAsk {
  readonly ended: Promise<AskEnd>;
  readonly #order: AskOrder;
  readonly #resolve: (end: AskEnd) => void;
  #window = initialCompose();
  #parts: AnswerPart[] = [];
  #cancelTimeout: Cancel | undefined;
  #cancelTick: Cancel | undefined;
  #over = false;

  constructor(order: AskOrder) {
    this.#order = order;
    const { promise, resolve } = Promise.withResolvers<AskEnd>();
    this.ended = promise;
    this.#resolve = resolve;
    this.#cancelTimeout = order.shared.clock.after(order.timeoutMs, () => this.end('timeout'));
  }

  get run(): Run {
    return this.#order.run;
  }

  /** Takes the delivery if it is part of the answer. */
  take(part: AnswerPart): boolean {
    const { shared, who, questionId, run } = this.#order;
    const { event } = part.held;
    const author = authorKey(event.author);
    if (this.#over || !who.includes(author) || !this.#isHere(event.conversation)) return false;
    // Of several, the first who answers decides. Nobody else's words are merged with theirs.
    const [begun] = this.#parts;
    if (begun !== undefined && authorKey(begun.held.event.author) !== author) return false;
    if (event.reaction === undefined && event.refersTo !== undefined) {
      // The message that the turn is about was edited, so the question may no longer make sense.
      if (run.events.some((about) => rootId(about) === event.refersTo)) this.end('edited');
      return false;
    }
    const urgent = event.mode === 'immediate';
    if (urgent && shared.interrupts === 'anytime') return false;
    const continues = this.#parts.length > 0 && event.reaction === undefined && event.knock === undefined;
    if (!urgent && !continues && answerType(event, questionId) === undefined) return false;
    this.#cancelTimeout?.();
    this.#parts.push(part);
    const { fragmentId } = part.held;
    this.#fold({
      type: 'fragment',
      eventId: fragmentId,
      author,
      at: shared.clock.now(),
      chars: event.text.length,
      addressee: '',
      mode: urgent ? 'immediate' : 'buffered',
    });
    return true;
  }

  typing(placeId: string, author: TurnEvent['author'], typing: boolean): void {
    const { who, target, shared } = this.#order;
    const key = authorKey(author);
    if (!who.includes(key) || idOf(target) !== placeId) return;
    this.#fold({ type: 'typing', author: key, typing, at: shared.clock.now() });
  }

  /** A fragment was deleted. The rest is the answer; if nothing is left, the question goes on waiting. */
  strike(held: Held): boolean {
    if (!this.#parts.some((part) => part.held === held)) return false;
    this.#parts = this.#parts.filter((part) => part.held !== held);
    const { shared, timeoutMs } = this.#order;
    if (this.#parts.length === 0)
      this.#cancelTimeout = shared.clock.after(timeoutMs, () => this.end('timeout'));
    this.#fold({ type: 'delete', eventId: held.fragmentId, at: shared.clock.now() });
    return true;
  }

  /** Ends without an answer. Fragments that had come are routed as usual. */
  end(why: NoAnswer): void {
    if (this.#over) return;
    const parts = this.#parts;
    this.#finish({ type: 'none', why });
    for (const { held, back } of parts) back(held);
  }

  #isHere({ target, kind }: TurnConversation): boolean {
    const asked = this.#order.target;
    if (target === asked) return true;
    // A question to a person by name is answered in the direct conversation of the two.
    return kind === 'dm' && this.#order.who.includes(asked);
  }

  #fold(input: ComposeInput): void {
    const { shared } = this.#order;
    const { state, outputs } = compose(this.#window, input, shared.compose);
    this.#window = state;
    this.#cancelTick?.();
    this.#cancelTick = undefined;
    if (outputs.some(({ type }) => type === 'inject')) {
      this.#finish({ type: 'answered', parts: this.#parts });
      return;
    }
    const at = wakeAt(state, shared.compose);
    if (at === null) return;
    const tick = (): void => this.#fold({ type: 'tick', at: shared.clock.now() });
    this.#cancelTick = shared.clock.after(Math.max(0, at - shared.clock.now()), tick);
  }

  #finish(end: AskEnd): void {
    this.#over = true;
    this.#parts = [];
    this.#cancelTimeout?.();
    this.#cancelTick?.();
    this.#resolve(end);
  }
}

function idOf(target: string): string {
  return target.slice(target.indexOf(':') + 1);
}
