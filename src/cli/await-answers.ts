// Waits for what agents make of one message. It is over when every agent that was asked has ended with it and what they
// said has arrived, or when the time is up. Agents that may answer are in no state until they do something, so whether one
// still has the message is asked.
import type { WebMessage, WebState } from '../protocol/web-chat.ts';
import type { Clock } from '../runtime/clock.ts';
import type { WebNews } from './web-talk.ts';

const ENDED: ReadonlySet<WebState['state']> = new Set(['answered', 'acknowledged', 'not_answered', 'failed']);
/** An answer and the news that it was given travel apart. */
const LAST_WORDS_MS = 1_500;
/** How soon it is asked again whether somebody still has the message. */
const ASK_AGAIN_MS = 500;

/** Whether an agent that may answer has the message: still, no more, or it was for nobody. */
export type Held = 'open' | 'ended' | 'nobody';

export interface AnswersHeard {
  states: readonly WebState[];
  /** Somebody could answer, also where nobody had to. */
  wasAsked: boolean;
  /** True when the time was up first. */
  isLate: boolean;
}

export class AnswerWatch {
  readonly #clock: Clock;
  readonly #onAnswer: (message: WebMessage) => void;
  /** News that came before the message was known by its id. */
  #early: WebNews[] = [];
  #message: WebMessage | undefined;
  #states: readonly WebState[] = [];
  readonly #heard = new Set<string>();
  #whoHasIt: () => Promise<Held> = () => Promise.resolve('nobody');
  #wasAsked = false;
  #isAsking = false;
  #isOver = false;
  readonly #over = Promise.withResolvers<AnswersHeard>();

  constructor(clock: Clock, onAnswer: (message: WebMessage) => void) {
    this.#clock = clock;
    this.#onAnswer = onAnswer;
  }

  told(news: WebNews): void {
    const message = this.#message;
    if (message === undefined) {
      this.#early.push(news);
      return;
    }
    if (news.type === 'state' && news.news.eventId === message.eventId) {
      this.#states = news.news.states;
      this.#look();
    }
    if (news.type !== 'message') return;
    const said = news.news.message;
    const { author } = said;
    const isHere = said.conversation === message.conversation || said.conversation === message.eventId;
    if (!isHere || author.kind === 'human' || said.eventId === message.eventId) return;
    this.#heard.add(author.id);
    this.#onAnswer(said);
    this.#look();
  }

  /** Resolves at once when nobody was asked. */
  async over(message: WebMessage, mostMs: number, whoHasIt: () => Promise<Held>): Promise<AnswersHeard> {
    this.#message = message;
    this.#whoHasIt = whoHasIt;
    this.#states = message.states;
    const early = this.#early;
    this.#early = [];
    for (const news of early) this.told(news);
    const cancel = this.#clock.after(mostMs, () => this.#end(true));
    this.#look();
    const heard = await this.#over.promise;
    cancel();
    return heard;
  }

  #look(): void {
    const isOver = this.#isOver || this.#message === undefined;
    if (isOver || !this.#states.every(({ state }) => ENDED.has(state))) return;
    if (this.#states.length === 0) return void this.#askWhoHasIt();
    const missing = this.#states.some(({ agent, state }) => state === 'answered' && !this.#heard.has(agent));
    if (missing) this.#clock.after(LAST_WORDS_MS, () => this.#end(false));
    else this.#end(false);
  }

  /** Nobody has to answer, but somebody may be about to. */
  async #askWhoHasIt(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const held = await this.#whoHasIt().catch((): Held => 'nobody');
    this.#wasAsked ||= held !== 'nobody';
    const waitMs = held === 'open' ? ASK_AGAIN_MS : this.#wasAsked ? LAST_WORDS_MS : 0;
    this.#clock.after(waitMs, () => {
      this.#isAsking = false;
      if (held === 'open' || this.#states.length > 0) this.#look();
      else this.#end(false);
    });
  }

  #end(isLate: boolean): void {
    this.#isOver = true;
    const wasAsked = this.#wasAsked || this.#states.length > 0;
    this.#over.resolve({ states: this.#states, wasAsked, isLate });
  }
}
