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
  #isOpen: () => Promise<boolean> = () => Promise.resolve(false);
  #wasOpen = false;
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

  /** Resolves at once when nobody was asked. `isOpen`: whether an agent that was asked still has the message. */
  async over(message: WebMessage, mostMs: number, isOpen: () => Promise<boolean>): Promise<AnswersHeard> {
    this.#message = message;
    this.#isOpen = isOpen;
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
    const isOpen = await this.#isOpen().catch(() => false);
    const wasOpen = this.#wasOpen;
    this.#wasOpen ||= isOpen;
    this.#clock.after(isOpen ? ASK_AGAIN_MS : wasOpen ? LAST_WORDS_MS : 0, () => {
      this.#isAsking = false;
      if (isOpen || this.#states.length > 0) this.#look();
      else this.#end(false);
    });
  }

  #end(isLate: boolean): void {
    this.#isOver = true;
    this.#over.resolve({ states: this.#states, wasAsked: this.#wasOpen || this.#states.length > 0, isLate });
  }
}
