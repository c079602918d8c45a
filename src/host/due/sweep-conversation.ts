// Handles an offer whose time with one holder is over (delivery/offers.ts decides what happens), and a conversation
// whose state has a timer that is due.
import { wakeAt } from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { EVENT_ID_CHARS, hostId } from '../../protocol/derived-id.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { CommitInput } from '../attend/commit-event.ts';
import { clearDueOffer, offerDue } from '../delivery/offers.ts';
import { namesOf, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import type { Committer } from '../ingest/committer.ts';
import { conversationIn, readConversation } from '../kernel/conversation.ts';
import { shortened } from '../kernel/event-id.ts';

export async function sweepOffer({ store, apply, settings }: HostContext, key: string): Promise<void> {
  const known = await store.get('offer', key);
  if (known === undefined || known.dueAt === null) return;
  await apply({
    states: [known.conversation],
    rows: [['offer', key], ...known.holders.map((agent) => ['delivery', deliveryKey(key, agent)] as const)],
    run(view) {
      const offer = view.row('offer', key);
      const due = offer !== undefined && offer.dueAt !== null && offer.dueAt <= view.now;
      if (!due) return { ...noChange(), result: undefined };
      if (offer.open === 0) return { ...clearDueOffer(offer), result: undefined };
      const conversation = conversationIn(view, offer.conversation);
      return { ...offerDue(view, offer, conversation, settings.limits.offerMs), result: undefined };
    },
  });
}

/** A tick is logged and folded like any record, so that a replay of the log sees the passing of time too. */
export async function tickConversation(
  { context, committer }: { context: HostContext; committer: Committer },
  key: string,
): Promise<void> {
  const state = await readConversation(context.store, key);
  if (state === undefined) return;
  const id = hostId('tick', key, state.attention.seq + 1);
  const tick: ChatEvent = {
    eventId: id.length <= EVENT_ID_CHARS ? id : shortened('tick', id),
    at: context.clock.now(),
    ...state.place,
    author: { id: 'earshot', kind: 'system' },
    type: 'tick',
  };
  const prepared = async (): Promise<CommitInput> => committer.prepare(tick, undefined, 'host');
  const isQueued = committer.isQueued(key);
  const unit = committer.unit(await (isQueued ? committer.queueByConversation(tick, prepared) : prepared()));
  await context.apply({
    ...namesOf([unit]),
    run(view) {
      const current = conversationIn(view, key);
      if (current === undefined) return { ...noChange(), result: undefined };
      const due = wakeAt(current.attention);
      // A message, or another host of this store, has done what was due.
      if (due === undefined || due > view.now)
        return { writes: [{ state: key, value: current, wakeAt: due ?? null }], news: [], result: undefined };
      return { ...unit.run(view), result: undefined };
    },
  });
}
