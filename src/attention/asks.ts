// Open questions: what each agent has asked whom. A bare "ok" to an agent that has just asked is an approval, any
// other reply an answer; the same "ok" to one that has not asked is an acknowledgement and starts nothing.
import { type Ask, type AttentionDraft, type AttentionState, STATE_LIMITS } from './state.ts';

export function openAsk(
  state: AttentionState,
  agent: string,
  to: string,
  n: number,
  maxAge: number,
): Ask | undefined {
  for (const ask of state.asks) {
    if (ask.agent === agent && (ask.to === '' || ask.to === to) && n - ask.n <= maxAge) return ask;
  }
  return undefined;
}

export function noteAsk(draft: AttentionDraft, ask: Ask): void {
  const others = draft.asks.filter((other) => other.agent !== ask.agent || other.to !== ask.to);
  draft.asks = [ask, ...others].slice(0, STATE_LIMITS.asks);
}

export function closeAsk(state: AttentionState, closed: Ask): AttentionState {
  return { ...state, asks: state.asks.filter((ask) => ask !== closed) };
}
