// The deliveries that a channel holds for a model that is woken by knocks. A delivery that should start a turn knocks,
// and knocks again with back-off until the model calls a tool about it. Others wait silently for the next pull.
//   waiting (knocks, pullable) ─▶ taken (the model has seen it) ─▶ gone (answered, put off, withdrawn, let go)
// The host keeps every delivery. What this process loses arrives again in the next session.
import { FIT_LIMITS, fittingItems } from '../../protocol/fit.ts';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Knock } from '../../protocol/knock.ts';
import type { ToolName } from '../../protocol/tool-name.ts';
import type { ToolCallResult } from '../../protocol/tool.ts';
import type { Policy } from '../../protocol/vocabulary.ts';
import type { Arguments } from './call-keys.ts';
import { type ChannelNotice, knockNotice, withdrawnNotice } from './channel-notice.ts';

export interface ChannelDelivery {
  eventId: string;
  /** The event it is about: its own event, or the one that it follows up. */
  about: string;
  policy: Policy;
  /** True when it should wake the model. */
  startsTurn: boolean;
  claimFirst: boolean;
  /** Where it was said. */
  target: string;
  /** When it was said, by the source's clock. */
  createdAt: number | undefined;
  /** The knock, with the age that the event has at `now`. */
  knock: (now: number) => Knock;
  /** What `chat_wait_events` shows. */
  event: object;
}

export const CHANNEL_LIMITS = {
  /** The wait between the first knock and the second. */
  againMs: 15_000,
  /** Each further wait is this many times the one before. */
  factor: 2,
  /** The longest wait between two knocks. */
  againCapMs: 120_000,
  /** The number of knocks. After the last one the model can only pull, and the host's deadline escalates. */
  knocks: 6,
  /** Deliveries held at once. One more is refused as retryable, and the host keeps it. */
  held: 1_000,
  /** A may_respond event is let go this long after the model took it without a word. */
  leaveMs: 10 * 60_000,
  /** After a claim, the claimed event may still arrive as a delivery for this long. It then needs no knock. */
  claimedMs: 10_000,
} as const;
export type ChannelLimits = { readonly [Name in keyof typeof CHANNEL_LIMITS]: number };

export interface ChannelDeps {
  clock: Clock;
  limits: ChannelLimits;
  notify: (notice: ChannelNotice) => void;
  /** True while a client and a host are connected. Otherwise knocks wait for `awake`. */
  canKnock: () => boolean;
  /** Asked before each further knock, because the event may have been settled elsewhere. */
  stillAsked: (delivery: ChannelDelivery) => Promise<boolean>;
  /** Tells the host that the turn ended without a word. */
  letGo: (eventId: string) => void;
}

interface HeldDelivery {
  delivery: ChannelDelivery;
  taken: boolean;
  knocks: number;
  /** A knock became due while canKnock was false. */
  due: boolean;
  timer: Cancel | undefined;
}

/** After these reasons another delivery takes the place of this one, so the model is not told of a withdrawal. */
const REPLACED = new Set(['edited', 'reminder', 'expired', 'lapsed', 'retry', 'merged', 'corrected']);
/** After a successful call of these the event is answered, put off or settled, and the host deals with it. */
const ENDS: ReadonlySet<ToolName> = new Set([
  'chat.send_message',
  'chat.claim',
  'chat.defer',
  'chat.resolve',
]);

export class ChannelInbox {
  readonly #deps: ChannelDeps;
  readonly #held = new Map<string, HeldDelivery>();
  /** Events claimed through this channel. The answer holds the event, so its delivery needs no knock. */
  readonly #claiming = new Set<string>();
  readonly #waiters = new Set<() => void>();

  constructor(deps: ChannelDeps) {
    this.#deps = deps;
  }

  holding(): string[] {
    return [...this.#held.keys()];
  }

  deliver(delivery: ChannelDelivery): 'taken' | 'repeat' | 'full' {
    const known = this.#held.get(delivery.eventId);
    if (known !== undefined) {
      // The message may have been edited since.
      known.delivery = delivery;
      return 'repeat';
    }
    if (this.#held.size >= this.#deps.limits.held) return 'full';
    const held: HeldDelivery = { delivery, taken: false, knocks: 0, due: false, timer: undefined };
    this.#held.set(delivery.eventId, held);
    if (delivery.about !== delivery.eventId && this.#claiming.has(delivery.about)) this.#take(held);
    else if (delivery.startsTurn) this.#knock(held);
    this.#wake();
    return 'taken';
  }

  /** Called when client and host are connected (again). Gives the knocks that became due meanwhile. */
  awake(): void {
    for (const held of this.#held.values()) if (held.due) void this.#knockAgain(held);
  }

  /** The deliveries that the model has not taken yet, oldest first. Waits until there is one, or for `timeoutMs`. */
  async wait(limit: number, timeoutMs: number, signal: AbortSignal): Promise<object[]> {
    const timeout = Promise.withResolvers<void>();
    const cancel = this.#deps.clock.after(timeoutMs, timeout.resolve);
    signal.addEventListener('abort', () => timeout.resolve(), { once: true });
    let over = timeoutMs === 0;
    void timeout.promise.then(() => (over = true));
    for (;;) {
      // A cancelled call takes nothing, because nobody would read its answer.
      const events = signal.aborted ? [] : this.#pull(limit);
      if (events.length > 0 || over || signal.aborted) {
        cancel();
        return events;
      }
      const arrived = Promise.withResolvers<void>();
      this.#waiters.add(arrived.resolve);
      await Promise.race([arrived.promise, timeout.promise]);
      this.#waiters.delete(arrived.resolve);
    }
  }

  /** Called before a call goes to the host. */
  calling(name: ToolName, { inReplyTo }: Arguments): void {
    if (name === 'chat.claim' && typeof inReplyTo === 'string') this.#claiming.add(this.#aboutOf(inReplyTo));
  }

  /** Called with the host's result. The event that a call names is then taken, or gone if the call ends it. */
  called(name: ToolName, { inReplyTo }: Arguments, result: ToolCallResult): void {
    const about = typeof inReplyTo === 'string' ? this.#aboutOf(inReplyTo) : undefined;
    if (name === 'chat.claim' && about !== undefined) this.#claimed(about, result.isError !== true);
    if (result.isError === true) return;
    const { disposition, events } = result.structuredContent ?? {};
    const ends = ENDS.has(name) || (name === 'chat.react' && disposition != null);
    for (const held of about === undefined ? [] : this.#about(about)) {
      // The model has read the event it claimed and has yet to answer it.
      if (ends && !(name === 'chat.claim' && held.taken)) this.#drop(held);
      else this.#take(held);
    }
    for (const eventId of idsIn(events)) for (const held of this.#about(eventId)) this.#take(held);
  }

  cancelled(eventId: string, reason: string): void {
    const held = this.#held.get(eventId);
    if (held === undefined) return;
    const tell = held.taken && !REPLACED.has(reason);
    this.#drop(held);
    if (tell && this.#deps.canKnock()) this.#deps.notify(withdrawnNotice(held.delivery.about, reason));
  }

  /** Drops events that the host, on a resumed session, reports as over. */
  superseded(eventIds: readonly string[]): void {
    for (const eventId of eventIds) {
      const held = this.#held.get(eventId);
      if (held !== undefined) this.#drop(held);
    }
  }

  close(): void {
    for (const held of this.#held.values()) this.#drop(held);
    this.#wake();
  }

  #claimed(about: string, granted: boolean): void {
    const { clock, limits } = this.#deps;
    if (granted) clock.after(limits.claimedMs, () => this.#claiming.delete(about));
    else this.#claiming.delete(about);
  }

  #knock(held: HeldDelivery): void {
    const { clock, limits, notify, canKnock } = this.#deps;
    held.due = !canKnock();
    if (held.due) return;
    held.knocks++;
    const { eventId, knock, claimFirst } = held.delivery;
    notify(
      knockNotice({ eventId, knock: knock(clock.now()), claimFirst, nth: held.knocks, of: limits.knocks }),
    );
    if (held.knocks >= limits.knocks) return;
    const waitMs = Math.min(limits.againCapMs, limits.againMs * limits.factor ** (held.knocks - 1));
    held.timer = clock.after(waitMs, () => void this.#knockAgain(held));
  }

  async #knockAgain(held: HeldDelivery): Promise<void> {
    const { canKnock, stillAsked } = this.#deps;
    const { eventId } = held.delivery;
    held.timer = undefined;
    held.due = false;
    const asked = !canKnock() || (await stillAsked(held.delivery));
    if (held.taken || this.#held.get(eventId) !== held) return;
    if (asked) this.#knock(held);
    else this.#drop(held);
  }

  #pull(limit: number): object[] {
    const waiting = [...this.#held.values()].filter(({ taken }) => !taken).slice(0, limit);
    // What does not fit into one answer waits for the next pull. One delivery always fits.
    const events = fittingItems(
      waiting.map(({ delivery }) => delivery.event),
      FIT_LIMITS.answerBytes,
    );
    for (const held of waiting.slice(0, events.length)) this.#take(held);
    return [...events];
  }

  #take(held: HeldDelivery): void {
    if (held.taken) return;
    this.#stopTimer(held);
    held.taken = true;
    const { eventId, policy } = held.delivery;
    // The host settled it when it arrived.
    if (policy === 'must_not_respond') this.#drop(held);
    if (policy === 'must_respond' || policy === 'must_not_respond') return;
    held.timer = this.#deps.clock.after(this.#deps.limits.leaveMs, () => {
      this.#drop(held);
      this.#deps.letGo(eventId);
    });
  }

  #drop(held: HeldDelivery): void {
    this.#stopTimer(held);
    this.#held.delete(held.delivery.eventId);
  }

  #stopTimer(held: HeldDelivery): void {
    held.timer?.();
    held.timer = undefined;
    held.due = false;
  }

  /** All held deliveries about an event, by its own id or by the id of a delivery. */
  #about(id: string): HeldDelivery[] {
    const about = this.#aboutOf(id);
    return [...this.#held.values()].filter(({ delivery }) => delivery.about === about);
  }

  #aboutOf(id: string): string {
    return this.#held.get(id)?.delivery.about ?? id;
  }

  #wake(): void {
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }
}

function idsIn(events: unknown): string[] {
  if (!Array.isArray(events)) return [];
  return (events as { eventId?: unknown }[]).flatMap(({ eventId }) =>
    typeof eventId === 'string' ? [eventId] : [],
  );
}
