// Lists the live claims. It finds them through the store's index of due states: a conversation with a claim is due when
// its first claim ends.
import type { ClaimsAnswer, ShownClaim } from '../../protocol/operator-api.ts';
import { type ConversationState, isConversationKey } from '../kernel/conversation.ts';
import type { ServerContext } from '../http/context.ts';
import { iso } from '../../protocol/log-record.ts';

/** At most this many conversations are read. When there are more, the answer says that it is not complete. */
export const CLAIMED_CONVERSATIONS_MAX = 1_000;

export async function liveClaims(context: ServerContext): Promise<ClaimsAnswer> {
  const { store } = context.host.context;
  const due = await store.dueStates(Number.MAX_SAFE_INTEGER, CLAIMED_CONVERSATIONS_MAX);
  const claims: ShownClaim[] = [];
  for (const { key } of due) {
    if (!isConversationKey(key)) continue;
    const state = (await store.state(key)) as ConversationState | undefined;
    if (state !== undefined) claims.push(...(await claimsOf(context, key, state)));
  }
  return {
    claims: claims.toSorted((a, b) => a.leftMs - b.leftMs),
    complete: due.length < CLAIMED_CONVERSATIONS_MAX,
  };
}

export function claimsOf(
  { host, clock }: ServerContext,
  key: string,
  { place, attention }: ConversationState,
): Promise<ShownClaim[]> {
  const { store } = host.context;
  const { byKey } = host.context.rosterAt(place);
  const now = clock.now();
  const live = attention.claims.filter(({ until }) => until > now);
  return Promise.all(
    live.map(async ({ event, agent, until, token }): Promise<ShownClaim> => {
      // The state keeps a short form of the event's id. The record that granted the claim has the full id.
      const [granted] = await store.scan('log', 'byConversation', {
        eq: [key],
        after: token - 1,
        before: token + 1,
        limit: 1,
      });
      const record = granted?.record.event;
      const target = record?.type === 'claim' ? record.targetEventId : undefined;
      return {
        agent: byKey.get(agent)?.id ?? agent,
        conversation: key,
        conversationId: place.conversation.id,
        eventId: event === '' ? null : (target ?? null),
        scope: event === '' ? 'conversation' : 'event',
        until: iso(until),
        leftMs: until - now,
        token,
      };
    }),
  );
}
