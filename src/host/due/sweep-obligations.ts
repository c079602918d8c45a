// Handles obligations whose return is due. The fold says which; each becomes a delivery or an inbox item in the same
// commit as the new state. After a downtime an obligation returns once, not once for every return that was missed.
import {
  foldObligations,
  initialObligations,
  obligationsWakeAt,
  type ObligationEffect,
  type ObligationsState,
} from '../../attention/index.ts';
import type { LogRow } from '../../store/tables.ts';
import { commitUnit, hostInput } from '../attend/commit-event.ts';
import { logEscalations } from '../attend/log-escalations.ts';
import { type HostContext, type StoreReader, directoryOf } from '../kernel/context.ts';
import { OBLIGATIONS_KEY, conversationKeyOf, parentKeyOf, placeOf } from '../kernel/conversation.ts';
import { questionOf } from '../../protocol/derived-id.ts';
import { applyObligationEffects, obligationTick } from '../attend/obligation-effects.ts';

export async function tickObligations(context: HostContext): Promise<void> {
  const { store } = context;
  const before =
    ((await store.state(OBLIGATIONS_KEY)) as ObligationsState | undefined) ?? initialObligations();
  // This first fold only says what the unit has to load. The unit folds again over the current state.
  const questions = await questionsOf(store, fold(context, before, context.clock.now()).effects);
  const conversations = new Set(questions.map(({ conversation }) => conversation));
  // A record in a thread carries facts of the room that the thread is in.
  const rooms = questions.flatMap(({ record }) => parentKeyOf(placeOf(record.event)) ?? []);
  await context.apply({
    states: [...new Set([OBLIGATIONS_KEY, ...conversations, ...rooms])],
    rows: questions.map(({ key }) => ['log', key] as const),
    run(view) {
      const state = (view.state(OBLIGATIONS_KEY) as ObligationsState | undefined) ?? initialObligations();
      const folded = fold(context, state, view.now);
      const change = applyObligationEffects({ view, row: { at: view.now } }, folded.effects, state);
      const wakeAt = nextWake(folded.state, view.now);
      change.writes.unshift({ state: OBLIGATIONS_KEY, value: folded.state, wakeAt });
      logEscalations(view, change, folded.effects, (event) =>
        conversations.has(conversationKeyOf(placeOf(event)))
          ? commitUnit(context, hostInput(event))
          : undefined,
      );
      return { ...change, result: undefined };
    },
  });
}

/** With returns switched off a tick changes nothing and stays due. The next one must not follow at once. */
function nextWake(state: ObligationsState, now: number): number | null {
  const at = obligationsWakeAt(state);
  if (at === undefined || at === null) return null;
  return at > now ? at : now + 60_000;
}

function fold(context: HostContext, state: ObligationsState, at: number) {
  return foldObligations(state, obligationTick(at), directoryOf(context), context.obligationOptions);
}

/** The questions that these effects are about, as far as the log still has them. */
async function questionsOf(store: StoreReader, effects: readonly ObligationEffect[]): Promise<LogRow[]> {
  const ids = effects.flatMap((effect) => [
    ...('eventId' in effect ? [effect.eventId] : []),
    ...('moved' in effect ? effect.moved.map(({ eventId }) => eventId) : []),
  ]);
  const rows = await Promise.all([...new Set(ids.map(questionOf))].map((id) => store.get('log', id)));
  return rows.filter((row) => row !== undefined);
}
