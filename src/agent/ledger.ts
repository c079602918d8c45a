// The deliveries that this process holds, the ids of those it is done with, and the tokens of its claims. At-least-once
// delivery ends here: the same eventId is taken once ("The harness MUST deduplicate by eventId"), unless its turn
// failed. All lists are bounded. Nothing is stored, because the next session gets everything unsettled again.
import { isFollowUpId, withoutFollowUp } from '../protocol/derived-id.ts';
import type { TurnEvent } from './event.ts';
import type { AgentLimits } from './limits.ts';

export interface Held {
  event: TurnEvent;
  /** Its id in the compose fold. It stays when a follow-up delivery replaces the first. */
  fragmentId: string;
  /** The conversation it belongs to. */
  conversation: string;
  /** When it came, by our clock. */
  takenAt: number;
  /** Its turn is over and the host is being told. A follow-up that comes now is not about that turn any more. */
  ending: boolean;
}

export type TakeOutcome =
  | { type: 'new'; held: Held }
  | { type: 'repeat'; held: Held | undefined }
  | { type: 'full' };

const CLAIMS_KEPT = 1_000;

export class Ledger {
  readonly #limits: AgentLimits;
  /** By the id of the delivery, by its id in the fold, and by its id before any follow-up. Mostly these are one. */
  readonly #held = new Map<string, Held>();
  /** The ids we are done with, oldest first. */
  readonly #done = new Set<string>();
  /** Tokens of granted claims, by the id of the claimed event, oldest first. */
  readonly #claims = new Map<string, number>();

  constructor(limits: AgentLimits) {
    this.#limits = limits;
  }

  take(event: TurnEvent, conversation: string, takenAt: number): TakeOutcome {
    const { eventId } = event;
    const known = this.#held.get(eventId);
    if (known !== undefined || this.#done.has(eventId)) return { type: 'repeat', held: known };
    if (this.#held.size >= this.#limits.heldEvents) return { type: 'full' };
    const held: Held = { event, fragmentId: eventId, conversation, takenAt, ending: false };
    for (const id of idsOf(held)) this.#held.set(id, held);
    return { type: 'new', held };
  }

  find(id: string): Held | undefined {
    return this.#held.get(id);
  }

  /** The delivery that a follow-up replaces, unless its turn is over. */
  replacedBy({ eventId }: TurnEvent): Held | undefined {
    if (!isFollowUpId(eventId) || this.#held.get(eventId) !== undefined) return undefined;
    const held = this.#held.get(withoutFollowUp(eventId));
    return held?.ending === true ? undefined : held;
  }

  replace(held: Held, event: TurnEvent): void {
    this.#note(held.event.eventId);
    held.event = event;
    for (const id of idsOf(held)) this.#held.set(id, held);
  }

  /** From now on its id in the fold is the id of its delivery. */
  rename(held: Held): void {
    held.fragmentId = held.event.eventId;
  }

  /** Done: a repeat will be recognized. */
  release(held: Held): void {
    this.forget(held);
    this.#note(held.event.eventId);
  }

  /** Not done: if it comes again, it is taken again. */
  forget(held: Held): void {
    for (const [id, other] of this.#held) if (other === held) this.#held.delete(id);
  }

  /** Taken and done at once. */
  remember({ eventId }: TurnEvent): void {
    this.#note(eventId);
  }

  /**
   * The SDK attaches the token to sends; a model never sees it. The oldest is dropped; its claim has lapsed by then.
   */
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
  return [fragmentId, event.eventId, withoutFollowUp(event.eventId)];
}
