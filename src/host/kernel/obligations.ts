// The obligations as the host keeps them: one state for each workspace, so that workspaces do not wait for each other.
// An event that concerns no obligation names none of these states.
import { type ObligationsState, initialObligations } from '../../attention/index.ts';
import type { Store, UnitView } from '../../store/store.ts';
import { OBLIGATIONS_PREFIX } from './conversation.ts';

type Reader = Pick<Store, 'state' | 'stateKeys'>;

/** The debts of one workspace as a unit sees them. */
export function obligationsIn(view: UnitView, key: string): ObligationsState {
  return (view.state(key) as ObligationsState | undefined) ?? initialObligations();
}

export async function readObligations(store: Pick<Store, 'state'>, key: string): Promise<ObligationsState> {
  return ((await store.state(key)) as ObligationsState | undefined) ?? initialObligations();
}

/** The debts of all workspaces in one, to be queried. Nothing is folded into it. */
export async function readAllObligations(store: Reader): Promise<ObligationsState> {
  const states: ObligationsState[] = [];
  for (let after = '', more = true; more; ) {
    const keys = await store.stateKeys(OBLIGATIONS_PREFIX, after, PAGE);
    states.push(...(await Promise.all(keys.map((key) => readObligations(store, key)))));
    after = keys.at(-1) ?? after;
    more = keys.length === PAGE;
  }
  return {
    ...initialObligations(),
    open: states.flatMap(({ open }) => open),
    held: states.flatMap(({ held }) => held),
    closed: states.flatMap(({ closed }) => closed),
  };
}

const PAGE = 100;
