// Questions whose host is gone, and with it whoever waited for the answer: the person who was asked is told so once, by the
// host that sweeps. What they say from then on goes to the agent.
import { deliveryKey } from '../../protocol/identity.ts';
import { addChange, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { SWEEP_LEASE } from '../kernel/leases.ts';
import type { SharedQuestion } from '../kernel/questions.ts';
import { tellAsker } from '../outbox/trouble-lines.ts';

/** Returns how to end it. */
export function startLostQuestions(context: HostContext): () => void {
  const { changes, questions, store, log } = context;
  return changes.onLook(() => {
    if (!store.nodes.holds(SWEEP_LEASE)) return;
    for (const lost of questions.lost()) {
      tellLost(context, lost).catch((error: unknown) =>
        log.warn(
          { err: error, agent: lost.agent },
          'nobody was told that a question is gone; it is tried again',
        ),
      );
    }
  });
}

function tellLost(context: HostContext, { id, agent, conversation, about }: SharedQuestion): Promise<void> {
  const { questions, changes } = context;
  return context.apply({
    states: [questions.key, conversation, ...changes.names],
    rows: [['delivery', deliveryKey(about, agent)]],
    run(view) {
      const change = { ...noChange(), result: undefined };
      const writes = questions.removeLost(view, id);
      if (writes === undefined) return change;
      const row = view.row('delivery', deliveryKey(about, agent));
      if (row !== undefined) addChange(change, tellAsker(context, view, row, 'question-gone'));
      change.writes.push(...writes);
      return change;
    },
  });
}
