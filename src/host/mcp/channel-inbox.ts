// What a channel holds between the host and a model that is woken by knocks. A delivery that would start a turn knocks,
// and knocks again with back-off until a tool is called about it; others wait silently for the next pull.
//   waiting (knocks, pullable) ─▶ taken (the model has seen it) ─▶ gone (answered, put off, withdrawn, let go)
// The host keeps all of it: whatever is lost with this process comes again on the next session.
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Knock } from '../../protocol/knock.ts';
import type { ToolName } from '../../protocol/tool-name.ts';
import type { ToolCallResult } from '../../protocol/tool.ts';
import type { Policy } from '../../protocol/vocabulary.ts';
import type { Arguments } from './attachments.ts';
import { type ChannelNotice, knockNotice, withdrawnNotice } from './channel-notice.ts';

export interface ChannelDelivery {
  eventId: string;
  /** The event it is about: itself, or the one it follows up. */
  about: string;
  policy: Policy;
  /** Whether a model is to be woken for it. */
  startsTurn: boolean;
  claimFirst: boolean;
  /** Where it was said, and when by the source's clock. */
  target: string;
  createdAt: number | undefined;
  /** With the age it has now. */
  knock: (now: number) => Knock;
  /** What `chat_wait_events` shows. */
  event: object;
}

export const CHANNEL_LIMITS = {
  /** After the first knock the second comes this much later, */
  againMs: 15_000,
  /** each further wait is so many times the one before, */
  factor: 2,
  /** but no longer than this, */
  againCapMs: 120_000,
  /** and this knock is the last one. From then on it is only pullable, and the host's deadline escalates. */
  knocks: 6,
  /** Held at once; one more is refused as retryable, and the host keeps it. */
  held: 1_000,
  /** What may be answered and was taken this long ago without a word is let go: nothing was to be said. */
  leaveMs: 10 * 60_000,
  /** How long after a claim the delivery that came with its answer may arrive. */
  claimedMs: 10_000,
} as const;
export type ChannelLimits = { readonly [Name in keyof typeof CHANNEL_LIMITS]: number };

export interface ChannelDeps {
  clock: Clock;
  limits: ChannelLimits;
  notify: (notice: ChannelNotice) => void;
  /** Whether there is a client to be told and a host to answer it. While not, knocks wait for `awake`. */
  canKnock: () => boolean;
  /** Asked before a further knock: it may have been settled by another way than this one. */
  stillAsked: (delivery: ChannelDelivery) => Promise<boolean>;
  /** Tells the host that a turn on this ended without a word. */
  letGo: (eventId: string) => void;
}

interface Held {
  delivery: ChannelDelivery;
  taken: boolean;
  knocks: number;
  /** A knock has fallen due while it could not be given. */
  due: boolean;
  timer: Cancel | undefined;
}

/** Not withdrawn: the delivery that takes its place is on its way. */
const REPLACED = new Set(['edited', 'reminder', 'expired', 'lapsed', 'retry', 'merged']);
/** A successful call of these leaves the event with the host: answered, put off or settled. */
const ENDS: ReadonlySet<ToolName> = new Set([
  'chat.send_message',
  'chat.claim',
  'chat.defer',
  'chat.resolve',
]);

export class ChannelInbox {
  readonly #deps: ChannelDeps;
  readonly #held = new Map<string, Held>();
  /** Claimed by a call of ours: the body comes with the answer, and once more as a delivery that needs no knock. */
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
      // The same delivery may have other words by now.
      known.delivery = delivery;
      return 'repeat';
    }
    if (this.#held.size >= this.#deps.limits.held) return 'full';
    const held: Held = { delivery, taken: false, knocks: 0, due: false, timer: undefined };
    this.#held.set(delivery.eventId, held);
    if (delivery.about !== delivery.eventId && this.#claiming.has(delivery.about)) this.#take(held);
    else if (delivery.startsTurn) this.#knock(held);
    this.#wake();
    return 'taken';
  }

  /** Client and host are there (again): what fell due meanwhile knocks now. */
  awake(): void {
    for (const held of this.#held.values()) if (held.due) void this.#knockAgain(held);
  }

  /** What the model has not taken yet, oldest first; held until there is something. */
  async wait(limit: number, timeoutMs: number, signal: AbortSignal): Promise<object[]> {
    const timeout = Promise.withResolvers<void>();
    const cancel = this.#deps.clock.after(timeoutMs, timeout.resolve);
    signal.addEventListener('abort', () => timeout.resolve(), { once: true });
    let over = timeoutMs === 0;
    void timeout.promise.then(() => (over = true));
    for (;;) {
      // Cancelled, it takes nothing: nobody would read it.
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

  /** A call is on its way to the host. */
  calling(name: ToolName, { inReplyTo }: Arguments): void {
    if (name === 'chat.claim' && typeof inReplyTo === 'string') this.#claiming.add(this.#aboutOf(inReplyTo));
  }

  /** What was asked about is taken, what was answered is gone; a refused call changes nothing. */
  called(name: ToolName, { inReplyTo }: Arguments, result: ToolCallResult): void {
    const about = typeof inReplyTo === 'string' ? this.#aboutOf(inReplyTo) : undefined;
    if (name === 'chat.claim' && about !== undefined) this.#claimed(about, result.isError !== true);
    if (result.isError === true) return;
    const { disposition, events } = result.structuredContent ?? {};
    const ends = ENDS.has(name) || (name === 'chat.react' && disposition != null);
    for (const held of about === undefined ? [] : this.#about(about)) {
      // What a claim was answered with is still to be dealt with.
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

  /** Over, as the host told when the session was opened again. */
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

  #knock(held: Held): void {
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

  async #knockAgain(held: Held): Promise<void> {
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
    const ready = [...this.#held.values()].filter(({ taken }) => !taken).slice(0, limit);
    for (const held of ready) this.#take(held);
    return ready.map(({ delivery }) => delivery.event);
  }

  #take(held: Held): void {
    if (held.taken) return;
    this.#quiet(held);
    held.taken = true;
    const { eventId, policy } = held.delivery;
    // The host was done with it when it arrived.
    if (policy === 'must_not_respond') this.#drop(held);
    if (policy === 'must_respond' || policy === 'must_not_respond') return;
    held.timer = this.#deps.clock.after(this.#deps.limits.leaveMs, () => {
      this.#drop(held);
      this.#deps.letGo(eventId);
    });
  }

  #drop(held: Held): void {
    this.#quiet(held);
    this.#held.delete(held.delivery.eventId);
  }

  #quiet(held: Held): void {
    held.timer?.();
    held.timer = undefined;
    held.due = false;
  }

  /** Everything held about an event, whichever of its ids is named. */
  #about(id: string): Held[] {
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
