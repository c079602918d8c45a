// Explains why an agent was or was not woken, for assertions and failure messages in tests: the decision, the sentences
// of `earshot why`, and what became of the delivery.
import { explainDecision } from '../attention/index.ts';
import { placeOf } from '../host/kernel/conversation.ts';
import { decisionForAgent } from '../host/kernel/log-row.ts';
import type { Host } from '../host/index.ts';
import { deliveryKey } from '../protocol/identity.ts';
import type { Directedness, InjectionMode, Policy } from '../protocol/vocabulary.ts';

export interface Why {
  policy: Policy;
  directedness: Directedness;
  mode: InjectionMode;
  reason: string;
  /** One sentence. `steps` are the rules that were looked at. */
  headline: string;
  steps: readonly string[];
  /** `responded`, `ignored`, …. Null while it is open, undefined when nothing was delivered. */
  disposition: string | null | undefined;
}

export async function whyOf({ context }: Host, eventId: string, agent: string): Promise<Why> {
  const { store } = context;
  const row = await store.get('log', eventId);
  if (row === undefined) throw new Error(`testHost: no event has the id "${eventId}"`);
  const decision = decisionForAgent(row, agent);
  if (decision === undefined) throw new Error(`testHost: "${agent}" was not asked about "${eventId}"`);
  const delivery = await store.get('delivery', deliveryKey(eventId, agent));
  const { policy, directedness, mode, reason } = decision;
  const { headline, steps } = explainDecision(decision, context.rosterAt(placeOf(row.record.event)));
  return { policy, directedness, mode, reason, headline, steps, disposition: delivery?.disposition };
}
