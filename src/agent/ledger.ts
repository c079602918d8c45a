// What this process holds of the host's inbox, and what it remembers of what it no longer holds. At-least-once delivery
// ends here: the same eventId is taken once ("The harness MUST deduplicate by eventId"), except that a turn which failed
// leaves no trace. Bounded; nothing is persisted, because the host hands everything unsettled to the next session again.
import type { TurnEvent } from './event.ts';
import type { AgentLimits } from './limits.ts';

export interface Held {
  event: TurnEvent;
  /** Its name in the compose fold: stays when another delivery takes the place of the first. */
  fragmentId: string;
  /** The conversation it belongs to. */
  conversation: string;
  /** Its turn is over and the host is being told: what comes now is not about that turn any more. */
  ending: boolean;
}

export type TakeOutcome =
  | { type: 'new'; held: Held }
  | { type: 'repeat'; held: Held | undefined }
  | { type: 'full' };

/** The same question once more, under a derived id: `evt_123/edit-2`. */
const FOLLOW_UP = /\/(?:reminder|expired|lapsed|retry|edit)-\d+$/;

export function isFollowUp(eventId: string): boolean {
  return FOLLOW_UP.test(eventId);
}

const CLAIMS_KEPT = 1_000;

export class Ledger {
  readonly #limits: AgentLimits;
  /** By the id of its delivery, by its name in the fold, and by the id it had before any follow-up; mostly one. */
  readonly #held = new Map<string, Held>();
  /** What is done, oldest first. */
  readonly #done = new Set<string>();
  /** Tokens of granted claims, by the id of the claimed event, oldest first. */
  readonly #claims = new Map<string, number>();

  constructor(limits: AgentLimits) {
    this.#limits = limits;
  }

  take(event: TurnEvent, conversation: string): TakeOutcome {
    const { eventId } = event;
    const known = this.#held.get(eventId);
    if (known !== undefined || this.#done.has(eventId)) return { type: 'repeat', held: known };
    if (this.#held.size >= this.#limits.heldEvents) return { type: 'full' };
    const held: Held = { event, fragmentId: eventId, conversation, ending: false };
    for (const id of idsOf(held)) this.#held.set(id, held);
    return { type: 'new', held };
  }

  find(id: string): Held | undefined {
    return this.#held.get(id);
  }

  /** What a follow-up takes the place of, unless the turn on it is over. */
  replacedBy({ eventId }: TurnEvent): Held | undefined {
    if (!isFollowUp(eventId) || this.#held.get(eventId) !== undefined) return undefined;
    const held = this.#held.get(eventId.replace(FOLLOW_UP, ''));
    return held?.ending === true ? undefined : held;
  }

  replace(held: Held, event: TurnEvent): void {
    this.#note(held.event.eventId);
    held.event = event;
    for (const id of idsOf(held)) this.#held.set(id, held);
  }

  /** From now on it goes by the name of its delivery. */
  rename(held: Held): void {
    held.fragmentId = held.event.eventId;
  }

  /** Done with: a repeat is known as one. */
  release(held: Held): void {
    this.forget(held);
    this.#note(held.event.eventId);
  }

  /** Not done with: if it comes again, it is taken again. */
  forget(held: Held): void {
    for (const [id, other] of this.#held) if (other === held) this.#held.delete(id);
  }

  /** Taken and at once done with. */
  remember({ eventId }: TurnEvent): void {
    this.#note(eventId);
  }

  /** The SDK attaches the token to sends; a model never sees it. The host has let the oldest claims lapse by then. */
  keepClaim(eventId: string, token: number): void {
    this.#claims.delete(eventId);
    this.#claims.set(eventId, token);
    const [oldest] = this.#claims.keys();
    if (this.#claims.size > CLAIMS_KEPT && oldest !== undefined) this.#claims.delete(oldest);
  }

  claimToken(eventId: string): number | undefined {
    return this.#claims.get(eventId);
  }

  of(conversation: string): Held[] {
    return [...new Set(this.#held.values())].filter((held) => held.conversation === conversation);
  }

  holding(): string[] {
    return [...new Set(this.#held.values())].map(({ event }) => event.eventId);
  }

  #note(id: string): void {
    this.#done.delete(id);
    this.#done.add(id);
    if (this.#done.size <= this.#limits.rememberedEvents) return;
    const [oldest] = this.#done;
    if (oldest !== undefined) this.#done.delete(oldest);
  }
}

function idsOf({ event, fragmentId }: Held): string[] {
  return [fragmentId, event.eventId, event.eventId.replace(FOLLOW_UP, '')];
}
