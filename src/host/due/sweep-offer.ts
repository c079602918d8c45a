// A role mention goes round its holders, one at a time: when its time with one is over and nobody has claimed it, the
// next gets it; when all have had it, the lead or a human hears of it.
import { agentKey, shortKey } from '../../attention/index.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { Write } from '../../store/store.ts';
import type { OfferRow } from '../../store/tables.ts';
import type { HostNews } from '../kernel/context.ts';
import type { ConversationState } from '../kernel/conversation.ts';
import { move, supersede } from '../delivery/delivery-state.ts';
import type { IngestDeps } from '../ingest/ingest.ts';
import { endOffer } from '../delivery/offers.ts';
import { tellAll } from '../kernel/tell.ts';

export async function sweepOffer({ context }: Pick<IngestDeps, 'context'>, key: string): Promise<void> {
  const known = await context.store.get('offer', key);
  if (known === undefined || known.open === 0) return;
  const news = await context.store.transact<HostNews[]>({
    states: [known.conversation],
    rows: [['offer', key], ...known.holders.map((agent) => ['delivery', deliveryKey(key, agent)] as const)],
    run(view) {
      const offer = view.row('offer', key);
      if (offer === undefined || offer.open === 0 || offer.dueAt === null || offer.dueAt > view.now) {
        return { writes: [], result: [] };
      }
      const state = view.state(offer.conversation) as ConversationState | undefined;
      const event = shortKey(key);
      const claim = state?.attention.claims.find((held) => held.event === event && held.until > view.now);
      if (claim !== undefined)
        return { writes: [{ table: 'offer', row: { ...offer, dueAt: claim.until } }], result: [] };
      const answered = state?.attention.recent.find((recent) => recent.event === event)?.answeredBy ?? [];
      if (answered.length > 0) {
        const { writes, news: told } = endOffer(view, key, 'answered_by_other', view.now, undefined);
        return { writes, result: told };
      }
      return passOn(offer, view.now, context.settings.limits.offerMs, (agent) =>
        view.row('delivery', deliveryKey(key, agent)),
      );
    },
  });
  await tellAll(context, news);
}

function close(offer: OfferRow): Write {
  return { table: 'offer', row: { ...offer, open: 0, dueAt: null } };
}

function passOn(
  offer: OfferRow,
  now: number,
  offerMs: number,
  deliveryOf: (agent: string) => ReturnType<typeof move>,
): { writes: Write[]; result: HostNews[] } {
  const writes: Write[] = [];
  const news: HostNews[] = [];
  const had = deliveryOf(offer.holders[offer.turn] ?? '');
  const passed = had === undefined ? undefined : supersede(had, 'offer_passed_on', now);
  if (passed !== undefined) {
    writes.push({ table: 'delivery', row: passed });
    news.push({ type: 'withdraw', delivery: passed, reason: 'offer_passed_on' });
  }
  const turn = offer.turn + 1;
  const next = deliveryOf(offer.holders[turn] ?? '');
  const queued = next === undefined ? undefined : move(next, 'queued', { dueAt: null, dueFor: null });
  if (queued !== undefined) {
    writes.push(
      { table: 'delivery', row: queued },
      { table: 'offer', row: { ...offer, turn, dueAt: now + offerMs } },
    );
    news.push({ type: 'deliver', delivery: queued, event: undefined });
    return { writes, result: news };
  }
  if (turn < offer.holders.length) {
    // This one is gone already (it declined): straight on to the one after.
    writes.push({ table: 'offer', row: { ...offer, turn, dueAt: now } });
    return { writes, result: [...news, { type: 'due' }] };
  }
  const inbox = `offer:${offer.key}`;
  writes.push(close(offer), {
    table: 'inbox',
    row: {
      key: inbox,
      kind: 'offer_unclaimed',
      eventId: offer.key,
      agents: offer.holders,
      detail: { conversation: offer.conversation },
      createdAt: now,
      closedAt: null,
      open: 1,
    },
  });
  return { writes, result: [...news, { type: 'inbox', key: inbox }] };
}

/** For tools: who holds an event now. */
export function holderOf(
  state: ConversationState | undefined,
  eventId: string,
  now: number,
): string | undefined {
  const event = shortKey(eventId);
  return state?.attention.claims.find((claim) => claim.event === event && claim.until > now)?.agent;
}

export function isHolder(
  state: ConversationState | undefined,
  eventId: string,
  agent: string,
  now: number,
): boolean {
  return holderOf(state, eventId, now) === agentKey(agent);
}
