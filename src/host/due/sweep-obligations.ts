// Obligations whose return is due. The fold says which, and each becomes a delivery or an inbox item in the same commit
// as the new state. After a gap there is one return, not as many as were missed.
import { foldObligations, initialObligations, obligationsWakeAt } from '../../attention/index.ts';
import type { ObligationEffect, ObligationsState } from '../../attention/index.ts';
import type { HostContext } from '../kernel/context.ts';
import { OBLIGATIONS_KEY } from '../kernel/conversation.ts';
import { directoryOf } from '../kernel/directory.ts';
import { questionOf } from '../../protocol/derived-id.ts';
import { applyObligationEffects, obligationTick } from '../attend/obligation-effects.ts';

export async function tickObligations(context: HostContext): Promise<void> {
  const { store } = context;
  const before =
    ((await store.state(OBLIGATIONS_KEY)) as ObligationsState | undefined) ?? initialObligations();
  // A first look, to know which questions to load; the unit folds again over what is then the truth.
  const sources = sourcesOf(fold(context, before, context.clock.now()).effects);
  await context.apply({
    states: [OBLIGATIONS_KEY],
    rows: sources.map((eventId) => ['log', eventId] as const),
    run(view) {
      const state = (view.state(OBLIGATIONS_KEY) as ObligationsState | undefined) ?? initialObligations();
      const folded = fold(context, state, view.now);
      const change = applyObligationEffects({ view, row: { at: view.now } }, folded.effects, state);
      const wakeAt = nextWake(folded.state, view.now);
      change.writes.unshift({ state: OBLIGATIONS_KEY, value: folded.state, wakeAt });
      return { ...change, result: undefined };
    },
  });
}

/** With returns switched off a wake-up changes nothing; it must not come at once again. */
function nextWake(state: ObligationsState, now: number): number | null {
  const at = obligationsWakeAt(state);
  if (at === undefined || at === null) return null;
  return at > now ? at : now + 60_000;
}

function fold(context: HostContext, state: ObligationsState, at: number) {
  return foldObligations(state, obligationTick(at), directoryOf(context), context.obligationOptions);
}

function sourcesOf(effects: readonly ObligationEffect[]): string[] {
  return [...new Set(effects.flatMap((effect) => ('eventId' in effect ? [questionOf(effect.eventId)] : [])))];
}
