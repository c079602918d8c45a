// Answers that grow: what the models of running turns have written so far, as people may see it. Working memory alone,
// bounded by GROWING_LIMITS; nothing of it is logged, stored or told to another agent. A growing answer has the event id
// that its message will have, so that the message takes its place. It goes away when its turn ends or is stopped, when
// its question is edited or deleted, when its session ends, and with the process.
import { sameStart } from '../../protocol/same-start.ts';
import { hostId } from '../../protocol/derived-id.ts';
import type { GrowingParams, GrowingResult } from '../../protocol/growing.ts';
import { GROWING_LIMITS } from '../../protocol/growing-limits.ts';
import { printableLine } from '../../protocol/identity.ts';
import { WIRE_LIMITS } from '../../protocol/wire-fields.ts';
import type { Cancel } from '../../runtime/clock.ts';
import type { HostNews } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { createRateLimiter, type RateLimiter } from '../security/rate-limit.ts';
import type { SendInput } from '../send/send-rules.ts';
import type { Sent } from '../send/send.ts';
import { type GrowingVerdict, type JudgeDeps, judgeGrowing } from './growing-judge.ts';
import { shownText } from './growing-text.ts';

/** A growing answer, as it is shown. */
export interface Grown {
  eventId: string;
  conversation: string;
  agent: string;
  at: number;
  text: string;
}

export type GrowingNews =
  /** After the first `from` characters comes `text`. */
  | { type: 'grown'; grown: Grown; from: number; text: string }
  | { type: 'withdrawn'; grown: Grown }
  /** Its message has taken its place. */
  | { type: 'shown'; grown: Grown };

/** The place that a send takes over. */
export interface GrownPlace {
  eventId: string;
  conversation: string;
  /** What became of the send. Undefined: nobody knows. */
  done(sent: Sent | undefined): void;
}

export interface Growing {
  /** A harness tells more of an answer. */
  grow(agent: string, params: GrowingParams): Promise<GrowingResult>;
  /** The answers that grow in a conversation now. */
  at(conversation: string): Grown[];
  /** Whether people see answers grow there. */
  shows(conversation: string): boolean;
  /** Called before a send: the growing answer that this send is the end of. */
  take(agent: string, input: Pick<SendInput, 'turnId' | 'text'>): GrownPlace | undefined;
  turnEnded(agent: string, turnId: string): void;
  listen(listener: (news: GrowingNews) => void): () => void;
}

interface Growth {
  agent: string;
  turnId: string;
  eventId: string;
  at: number;
  /** What the harness has told, and what it tells in the frame that is being judged. */
  raw: string;
  coming: string;
  shown: string;
  /** Somebody may have seen something of it. */
  told: boolean;
  /** Known once it was judged. */
  place: Extract<GrowingVerdict, { ok: true }> | undefined;
  /**
   * `judging`: a frame is looked at. `sending`: its message is being sent. `over`: nothing more of it is shown.
   * `forgotten`: its session ended or began; the harness tells it again from the start.
   */
  state: 'open' | 'judging' | 'sending' | 'sent' | 'over' | 'forgotten';
  reason: string | undefined;
  idle: Cancel;
}

export interface GrowingDeps extends JudgeDeps {
  context: HostContext;
  shows: (conversation: string) => boolean;
}

const MINUTE_S = 60;

export function createGrowing(deps: GrowingDeps): Growing {
  const all = new GrowingAnswers(deps);
  deps.context.bus.listen((news) => all.onNews(news));
  return all;
}

class GrowingAnswers implements Growing {
  readonly #deps: GrowingDeps;
  readonly #growths = new Map<string, Growth>();
  readonly #listeners = new Set<(news: GrowingNews) => void>();
  readonly #frames: RateLimiter;

  constructor(deps: GrowingDeps) {
    this.#deps = deps;
    const { framesPerSecond: burst } = GROWING_LIMITS;
    const rate = { perMinute: burst * MINUTE_S, burst, maxKeys: 10_000 };
    this.#frames = createRateLimiter(rate, deps.context.clock);
  }

  shows(conversation: string): boolean {
    return this.#deps.shows(conversation);
  }

  at(conversation: string): Grown[] {
    return [...this.#growths.values()].flatMap((one) => grownOf(one) ?? []).filter(isAt(conversation));
  }

  listen(listener: (news: GrowingNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async grow(agent: string, params: GrowingParams): Promise<GrowingResult> {
    const { turnId, from, text } = params;
    const growth = this.#growths.get(keyOf(agent, turnId)) ?? this.#begin(agent, turnId);
    if (growth === undefined) return { length: 0, more: false, reason: TOO_MANY };
    const { raw } = growth;
    if (isOver(growth)) return over(growth);
    // What is not taken now comes with the next frame, because the answer says how much was taken.
    const waits = growth.state !== 'open' || from > raw.length;
    if (waits || !this.#frames.take(keyOf(agent, turnId)).ok) return { length: raw.length, more: true };
    const whole = raw.slice(0, from) + text;
    const bounded = whole.slice(0, GROWING_LIMITS.chars);
    growth.state = 'judging';
    growth.coming = bounded;
    const verdict = await this.#judge(agent, params, bounded);
    this.#judged(growth, bounded, verdict);
    if (isOver(growth)) return over(growth);
    if (isForgotten(growth)) return { length: 0, more: true };
    if (whole.length > bounded.length) return { length: bounded.length, more: false, reason: TOO_LONG };
    return { length: growth.raw.length, more: true };
  }

  take(agent: string, { turnId, text }: Pick<SendInput, 'turnId' | 'text'>): GrownPlace | undefined {
    const growth = turnId === undefined ? undefined : this.#growths.get(keyOf(agent, turnId));
    if (growth === undefined || !isOf(growth, text)) return undefined;
    const { eventId, place } = growth;
    if (place === undefined || growth.shown === '') {
      this.#end(growth, 'it was sent');
      return undefined;
    }
    growth.state = 'sending';
    return {
      eventId,
      conversation: place.conversation,
      done: (sent) => {
        if (growth.state !== 'sending') return;
        if (sent?.ok === true && sent.row.eventId === eventId) growth.state = 'sent';
        else this.#end(growth, 'it was not sent like this');
      },
    };
  }

  turnEnded(agent: string, turnId: string): void {
    const growth = this.#growths.get(keyOf(agent, turnId));
    if (growth !== undefined && growth.state !== 'sent') this.#forget(growth);
  }

  onNews(news: HostNews): void {
    if (this.#growths.size === 0) return;
    for (const growth of this.#growths.values()) {
      if (growth.state !== 'sent') {
        if (isStopped(growth, news)) this.#forget(growth);
        else if (news.type === 'session' && news.agent === growth.agent) {
          this.#forget(growth);
          growth.state = 'forgotten';
        }
      } else if (news.type === 'logged' && news.row.key === growth.eventId) {
        // The message is told to everybody who saw it grow, and takes its place.
        const grown = grownOf(growth);
        if (growth.told && grown !== undefined) this.#tell({ type: 'shown', grown });
        growth.told = false;
        this.#forget(growth);
      } else if (isNotShown(growth, news)) this.#forget(growth);
    }
  }

  #begin(agent: string, turnId: string): Growth | undefined {
    const own = [...this.#growths.values()].filter((one) => one.agent === agent);
    if (own.length >= GROWING_LIMITS.perAgent) {
      const ended = own.find(({ state }) => state === 'over');
      if (ended === undefined) return undefined;
      this.#forget(ended);
    }
    const { context } = this.#deps;
    const growth: Growth = {
      agent,
      turnId,
      eventId: hostId('send', context.random.id()),
      at: context.clock.now(),
      raw: '',
      coming: '',
      shown: '',
      told: false,
      place: undefined,
      state: 'open',
      reason: undefined,
      idle: () => undefined,
    };
    this.#growths.set(keyOf(agent, turnId), growth);
    this.#expectMore(growth);
    return growth;
  }

  async #judge(agent: string, params: GrowingParams, text: string): Promise<GrowingVerdict> {
    try {
      const verdict = await judgeGrowing(this.#deps, agent, params, text);
      const shows = !verdict.ok || this.shows(verdict.conversation);
      return shows ? verdict : { ok: false, reason: 'nobody sees an answer grow there' };
    } catch (error) {
      this.#deps.context.log.warn({ err: error, agent }, 'a growing answer could not be judged');
      return { ok: false, reason: 'the host could not judge it', passes: true };
    }
  }

  #judged(growth: Growth, raw: string, verdict: GrowingVerdict): void {
    // Meanwhile it may have been sent, or its turn may have ended.
    if (growth.state !== 'judging') return;
    growth.state = 'open';
    if (!verdict.ok) {
      // Nothing of the frame was taken, and the answer says so: the harness tells it again.
      return verdict.passes === true ? undefined : this.#end(growth, verdict.reason);
    }
    if (growth.place !== undefined && growth.place.conversation !== verdict.conversation)
      return this.#end(growth, 'it goes elsewhere now');
    growth.raw = raw;
    growth.place = verdict;
    this.#expectMore(growth);
    const before = growth.shown;
    growth.shown = shownText(raw, this.#deps.context.findSecrets);
    const grown = grownOf(growth);
    if (grown === undefined || growth.shown === before) return;
    growth.told = true;
    const from = sameStart(before, growth.shown);
    this.#tell({ type: 'grown', grown, from, text: growth.shown.slice(from) });
  }

  #expectMore(growth: Growth): void {
    growth.idle();
    growth.idle = this.#deps.context.clock.after(GROWING_LIMITS.idleMs, () => this.#forget(growth));
  }

  /** Nothing more of it is shown. It is remembered until its turn ends, so that no further frame is judged. */
  #end(growth: Growth, reason: string): void {
    const grown = grownOf(growth);
    const { told } = growth;
    const why = printableLine(reason, WIRE_LIMITS.lineChars);
    Object.assign(growth, { state: 'over', raw: '', coming: '', shown: '', told: false, reason: why });
    if (told && grown !== undefined) this.#tell({ type: 'withdrawn', grown });
  }

  #forget(growth: Growth): void {
    growth.idle();
    this.#growths.delete(keyOf(growth.agent, growth.turnId));
    this.#end(growth, 'its turn is over');
  }

  #tell(news: GrowingNews): void {
    for (const listener of this.#listeners) listener(news);
  }
}

const TOO_MANY = `more than ${GROWING_LIMITS.perAgent} answers of this agent grow at once`;
const TOO_LONG = `longer than ${GROWING_LIMITS.chars} characters: the rest is shown at the end`;

function isOver({ state }: Growth): boolean {
  return state === 'over';
}

function isForgotten({ state }: Growth): boolean {
  return state === 'forgotten';
}

function over({ reason }: Growth): GrowingResult {
  return { length: 0, more: false, ...(reason === undefined ? {} : { reason }) };
}

function keyOf(agent: string, turnId: string): string {
  return `${agent} ${turnId}`;
}

function isAt(conversation: string): (grown: Grown) => boolean {
  return (grown) => grown.conversation === conversation;
}

/** Undefined before it was judged. */
function grownOf({ eventId, agent, at, shown: text, place }: Growth): Grown | undefined {
  if (place === undefined) return undefined;
  return { eventId, conversation: place.conversation, agent, at, text };
}

/** How much of a text tells whether it is the one that grew. */
const TELLING_CHARS = 64;

/** Whether the text is the growing one at its end, and not another message that the turn sends in between. */
function isOf({ raw, coming, state }: Growth, text: string): boolean {
  if (state === 'sent' || state === 'over') return false;
  const begun = (raw === '' ? coming : raw).trim().slice(0, TELLING_CHARS);
  return begun !== '' && text.trim().startsWith(begun);
}

/** What a person stops. */
function isStopped({ agent, place }: Growth, news: HostNews): boolean {
  if (news.type === 'withdraw')
    return news.delivery.agent === agent && place?.deliveries.includes(news.delivery.key) === true;
  if (news.type !== 'cancel_turn' || news.agent !== agent) return false;
  return news.conversation === place?.asked || news.conversation === place?.conversation;
}

/** Its message was posted nowhere and is not going to be. */
function isNotShown({ eventId }: Growth, news: HostNews): boolean {
  return news.type === 'outbox_done' && news.row.eventId === eventId && news.row.state !== 'visible';
}
