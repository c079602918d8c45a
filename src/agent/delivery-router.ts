// Takes the host's deliveries, withdrawals and typing signs to the conversation they belong to. Every delivery is
// acknowledged at once, because the host keeps it until it is settled. Here it is only deduplicated and routed.
import { wireError } from '../protocol/errors.ts';
import type { RpcAnswer } from '../transport/requests.ts';
import type { AgentDeps } from './agent-deps.ts';
import { AgentConversation } from './conversation.ts';
import { placeKey, type TurnEvent, routeOf } from './event.ts';
import type { Held } from './ledger.ts';
import { readEvent, readTyping, record, string } from './read-event.ts';
import type { AbortWhy } from './run.ts';
import { readOutcome } from './tools.ts';

const RETRY_AFTER_MS = 1_000;
/** With more conversations than this, the idle ones are forgotten. */
const KEPT = 64;
/** With these reasons a replacement is on its way, so nothing is withdrawn. */
const REPLACED = new Set(['edited', 'reminder', 'expired', 'lapsed', 'retry', 'merged', 'corrected']);

export class DeliveryRouter {
  readonly #shared: AgentDeps;
  readonly #takeOffers: boolean;
  readonly #conversations = new Map<string, AgentConversation>();

  constructor(shared: AgentDeps, takeOffers: boolean) {
    this.#shared = shared;
    this.#takeOffers = takeOffers;
  }

  deliver(params: unknown): RpcAnswer {
    const read = readEvent(params);
    if (!read.ok) return { ok: false, error: wireError('invalid_params', { problem: read.problem }) };
    const { event } = read;
    const { clock, ledger } = this.#shared;
    const route = routeOf(event);
    if (route === 'drop') {
      ledger.remember(event);
      return taken(event);
    }
    const key = placeKey(event.conversation);
    const replaced = ledger.replacedBy(event);
    if (replaced?.conversation === key) {
      this.#at(key, event).replace(replaced, event);
      return taken(event);
    }
    const outcome = ledger.take(event, key, clock.now());
    if (outcome.type === 'full')
      return { ok: false, error: wireError('rate_limited', { retryAfterMs: RETRY_AFTER_MS }) };
    if (outcome.type === 'repeat') {
      const { held } = outcome;
      // The message was edited before it was accepted: same delivery, other words.
      if (held !== undefined && isEdited(event)) this.#at(key, event).replace(held, event);
      return { ok: true, result: { eventId: event.eventId, duplicate: true } };
    }
    this.#lead(outcome.held, route, key);
    return taken(event);
  }

  /** `notifications/cancelled`: an edit, a delete, a "stop", somebody else's claim. */
  cancelled(params: unknown): void {
    const fields = record(params);
    const reason = string(fields['reason']) ?? '';
    const held = this.#shared.ledger.find(string(fields['eventId']) ?? '');
    if (held !== undefined) {
      const conversation = this.#conversations.get(held.conversation);
      if (REPLACED.has(reason)) return;
      const stopped = (reason === 'stop' || reason === 'left') && conversation?.holds(held) === true;
      if (stopped) conversation?.halt('stopped');
      else conversation?.strike(held);
      return;
    }
    const turnId = string(fields['turnId']);
    if (turnId !== undefined) this.#stopTurn(turnId);
  }

  /** Withdraws what the host says must not be answered any more. */
  superseded(ids: readonly string[]): void {
    for (const id of ids) {
      const held = this.#shared.ledger.find(id);
      // What replaces it may have come first. That is open.
      if (held?.event.eventId === id) this.#conversations.get(held.conversation)?.strike(held);
    }
  }

  typing(params: unknown): void {
    const sign = readTyping(params);
    if (sign === undefined) return;
    this.#shared.asks.typing(sign.id, sign.author, sign.typing);
    for (const conversation of this.#conversations.values()) {
      if (placeId(conversation) === sign.id) conversation.typing(sign.author, sign.typing);
    }
  }

  /** Stops everything; resolves when the host knows of it. */
  async stop(why: AbortWhy): Promise<void> {
    const all = [...this.#conversations.values()];
    for (const conversation of all) conversation.stop(why);
    await Promise.all(all.map((conversation) => conversation.drained()));
  }

  #lead(held: Held, route: ReturnType<typeof routeOf>, key: string): void {
    const { ledger, digests, limits } = this.#shared;
    const { event } = held;
    const settled = event.policy === 'must_not_respond';
    const mayAnswer = route === 'fragment' || (route === 'ride' && !settled);
    const back = (again: Held): void => this.#at(key, again.event).offer(again);
    if (mayAnswer && this.#shared.asks.take({ held, back })) return;
    switch (route) {
      case 'ride_anywhere':
        digests.push(event);
        if (digests.length > limits.riders) digests.shift();
        ledger.release(held);
        break;
      case 'ride': {
        const { riders, news } = this.#at(key, event);
        if (settled) news.push(event);
        else riders.push(held);
        if (news.length > limits.riders) news.shift();
        // The host keeps it open, and the agent can still pull it.
        if (riders.length > limits.riders) ledger.release(riders.shift() ?? held);
        if (settled) ledger.release(held);
        break;
      }
      case 'knock':
        if (this.#takeOffers && event.notices.includes('claim_first')) void this.#takeOffer(held);
        else this.#at(key, event).offer(held);
        break;
      case 'fragment':
        this.#at(key, event).offer(held);
        break;
      case 'drop':
        ledger.release(held);
        break;
    }
  }

  /** Claims an offer unseen, for runners without tools. Its message then comes as an ordinary delivery. */
  async #takeOffer(held: Held): Promise<void> {
    const { session, ledger, log } = this.#shared;
    const { eventId, refersTo } = held.event;
    const answer = await session.call('tools/call', {
      name: 'chat.claim',
      arguments: { inReplyTo: eventId },
    });
    const outcome = answer.ok ? readOutcome(answer.result) : undefined;
    const token = outcome?.data['token'];
    if (outcome?.ok === true && typeof token === 'number') ledger.keepClaim(refersTo ?? eventId, token);
    else log.debug({ eventId }, 'an offer went to another agent');
    ledger.release(held);
  }

  #stopTurn(turnId: string): void {
    for (const conversation of this.#conversations.values())
      if (conversation.runs(turnId)) conversation.halt('stopped');
  }

  #at(key: string, { conversation: place }: TurnEvent): AgentConversation {
    const known = this.#conversations.get(key);
    if (known !== undefined) return known;
    if (this.#conversations.size >= KEPT) this.#forgetIdle();
    const conversation = new AgentConversation(key, place, this.#shared);
    this.#conversations.set(key, conversation);
    return conversation;
  }

  #forgetIdle(): void {
    for (const [key, conversation] of this.#conversations)
      if (conversation.idle) this.#conversations.delete(key);
  }
}

function taken({ eventId }: TurnEvent): RpcAnswer {
  return { ok: true, result: { eventId } };
}

function isEdited({ notices }: TurnEvent): boolean {
  return notices.includes('edited');
}

function placeId({ place }: AgentConversation): string {
  return place.threadId ?? place.id;
}
