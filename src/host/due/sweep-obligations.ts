// Handles obligations whose return is due. The fold says which; each becomes a delivery or an inbox item in the same
// commit as the new state. After a downtime an obligation returns once, not once for every return that was missed.
import {
  foldObligations,
  obligationsWakeAt,
  type ObligationEffect,
  type ObligationsState,
} from '../../attention/index.ts';
import type { LogRow } from '../../store/tables.ts';
import { noChange } from '../kernel/change.ts';
import { commitUnit, hostInput } from '../attend/commit-event.ts';
import { logEscalations } from '../attend/log-escalations.ts';
import { type HostContext, type StoreReader, directoryOf } from '../kernel/context.ts';
import { conversationKeyOf, parentKeyOf, placeOf } from '../kernel/conversation.ts';
import { obligationsIn, readObligations } from '../kernel/obligations.ts';
import { questionOf } from '../../protocol/derived-id.ts';
import { applyObligationEffects, obligationTick } from '../attend/obligation-effects.ts';

export async function tickObligations(context: HostContext, key: string): Promise<void> {
  for (let tries = 0; !(await tickOnce(context, key)); tries++) {
    if (tries >= TRIES_MAX) throw new Error(`${key} changes too often to be ticked`);
  }
}

/** Others may change the debts between the two folds. More often than this, the next round tries again. */
const TRIES_MAX = 20;

/** False: more has become due than the unit has loaded. */
async function tickOnce(context: HostContext, key: string): Promise<boolean> {
  const { store } = context;
  const before = await readObligations(store, key);
  // This first fold only says what the unit has to load. The unit folds again over the current state.
  const questions = await questionsOf(store, fold(context, before, context.clock.now()).effects);
  const conversations = new Set(questions.map(({ conversation }) => conversation));
  // A record in a thread carries facts of the room that the thread is in.
  const rooms = questions.flatMap(({ record }) => parentKeyOf(placeOf(record.event)) ?? []);
  return context.apply({
    states: [key, ...conversations],
    reads: rooms,
    rows: questions.map((question) => ['log', question.key] as const),
    run(view) {
      const state = obligationsIn(view, key);
      const folded = fold(context, state, view.now);
      const change = applyObligationEffects({ view, row: { at: view.now } }, folded.effects, state);
      const wakeAt = nextWake(folded.state, view.now);
      change.writes.unshift({ state: key, value: folded.state, wakeAt });
      let isWhole = true;
      logEscalations(view, change, folded.effects, (event) => {
        if (conversations.has(conversationKeyOf(placeOf(event))))
          return commitUnit(context, hostInput(event));
        isWhole = false;
        return undefined;
      });
      return isWhole ? { ...change, result: true } : { ...noChange(), result: false };
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
