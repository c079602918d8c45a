// A store of an earlier Earshot has one state with the debts of all workspaces. At the start it is divided: each debt
// goes to the workspace of its question, in one commit that removes the old state. An escalation stays in the workspace of
// the question that it began with; an entry of another workspace leaves its list, and its rung starts anew over there.
import {
  type Obligation,
  type ObligationsState,
  initialObligations,
  obligationsWakeAt,
} from '../../attention/index.ts';
import { questionOf } from '../../protocol/derived-id.ts';
import type { RowRef, Write } from '../../store/store.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { INTERNAL_PLACE, OLD_OBLIGATIONS_KEY, obligationsKeyOf, placeOf } from '../kernel/conversation.ts';

export async function splitObligations({
  store,
  apply,
}: Pick<HostContext, 'store' | 'apply'>): Promise<void> {
  const old = (await store.state(OLD_OBLIGATIONS_KEY)) as ObligationsState | undefined;
  if (old === undefined) return;
  const ids = [...new Set(recordsOf(old))];
  const logged = await Promise.all(ids.map((id) => store.get('log', id)));
  const homes = new Set([home(undefined), ...logged.map(home)]);
  await apply({
    states: [OLD_OBLIGATIONS_KEY, ...homes],
    rows: ids.map((id): RowRef => ['log', id]),
    run(view) {
      const found = view.state(OLD_OBLIGATIONS_KEY) as ObligationsState | undefined;
      // Another host of this store has divided it.
      if (found === undefined) return { writes: [], news: [], result: undefined };
      const parts = divide(found, (id) => home(view.row('log', id)), view.now);
      const writes: Write[] = [{ state: OLD_OBLIGATIONS_KEY, value: undefined }];
      for (const [state, value] of parts) {
        const known = view.state(state) as ObligationsState | undefined;
        const whole = known === undefined ? value : joined(known, value);
        writes.push({ state, value: whole, wakeAt: obligationsWakeAt(whole) });
      }
      return { writes, news: [{ type: 'due' }], result: undefined };
    },
  });
}

/** What the log no longer has belongs to the host's own workspace. */
function home(row: LogRow | undefined): string {
  return obligationsKeyOf(row === undefined ? INTERNAL_PLACE : placeOf(row.record.event));
}

function recordsOf({ open, held, closed }: ObligationsState): string[] {
  return [
    ...[...open, ...closed].map(({ eventId }) => questionOf(eventId)),
    ...held.map((early) => (early.type === 'reaction' ? early.reaction.reactionId : early.eventId)),
  ];
}

function divide(
  old: ObligationsState,
  homeOf: (recordId: string) => string,
  now: number,
): Map<string, ObligationsState> {
  const parts = new Map<string, ObligationsState>();
  const homes = new Map(old.open.map(({ id, eventId }) => [id, homeOf(questionOf(eventId))]));
  const add = (key: string, more: Partial<ObligationsState>): void => {
    const part = parts.get(key) ?? { ...initialObligations(), derived: old.derived };
    parts.set(key, joined(part, { ...initialObligations(), ...more }));
  };
  for (const one of old.open) add(homes.get(one.id) ?? '', { open: [atHome(one, homes, now)] });
  for (const one of old.closed) add(homeOf(questionOf(one.eventId)), { closed: [one] });
  for (const [at, one] of old.held.entries()) {
    const id = recordsOf({ ...initialObligations(), held: old.held.slice(at, at + 1) })[0] ?? '';
    add(homeOf(id), { held: [one] });
  }
  return parts;
}

/** The debt without what is in another workspace. */
function atHome(one: Obligation, homes: ReadonlyMap<string, string>, now: number): Obligation {
  const isNear = (id: string): boolean => homes.get(id) === undefined || homes.get(id) === homes.get(one.id);
  const items = one.items.filter(isNear);
  if (one.escalatedTo === null || isNear(one.escalatedTo)) return { ...one, items };
  return { ...one, items, escalatedTo: null, attempt: 0, dueAt: now };
}

function joined(one: ObligationsState, other: ObligationsState): ObligationsState {
  return {
    ...one,
    open: [...one.open, ...other.open],
    held: [...one.held, ...other.held],
    closed: [...one.closed, ...other.closed],
    derived: Math.max(one.derived, other.derived),
  };
}
