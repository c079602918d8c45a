// The questions that people and agents ask, one function each: what do I owe, what am I blocking, what blocks me, what
// may I discharge. All are ordered by `blocks`, then by age.
import type { Identity } from '../protocol/identity.ts';
import { BLOCKS } from '../protocol/vocabulary.ts';
import type { ObligationDirectory } from './obligation-identity.ts';
import { dischargersOf, type ObligationsById, openById } from './obligation-parties.ts';
import type { Obligation, ObligationsState } from './obligation-state.ts';

export interface ObligationRow extends Obligation {
  ageMs: number;
}

export function compareObligations(
  a: Pick<Obligation, 'blocks' | 'createdAt' | 'id'>,
  b: Pick<Obligation, 'blocks' | 'createdAt' | 'id'>,
): number {
  const rank = BLOCKS.indexOf(a.blocks) - BLOCKS.indexOf(b.blocks);
  return rank || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

/** What I owe: the open obligations whose recipient I am, escalations to me included. */
export function owes(state: ObligationsState, identity: Identity, now: number): ObligationRow[] {
  return rows(state, now, (o) => o.recipient === identity);
}

/**
 * What I am blocking: questions and reciprocals of others that wait for me. They were asked of me, or they are on the
 * list of an escalation to me. `author` says who waits. Escalations are left out, because their questions are listed.
 */
export function blocks(state: ObligationsState, identity: Identity, now: number): ObligationRow[] {
  const byId = new Map(state.open.map((o) => [o.id, o]));
  const waiting = new Set<string>();
  const visit = (obligation: Obligation | undefined): void => {
    if (obligation === undefined || waiting.has(obligation.id)) return;
    waiting.add(obligation.id);
    for (const id of obligation.items) visit(byId.get(id));
  };
  for (const obligation of state.open) if (obligation.recipient === identity) visit(obligation);
  return rows(state, now, (o) => waiting.has(o.id) && o.kind !== 'escalation' && o.author !== identity);
}

/** What blocks me: the open obligations I am the author of. */
export function blockedOn(state: ObligationsState, identity: Identity, now: number): ObligationRow[] {
  return rows(state, now, (o) => o.author === identity);
}

/** What I may discharge: what I am blocked on, and what I am the delegate of. */
export function dischargeable(
  state: ObligationsState,
  identity: Identity,
  now: number,
  directory: ObligationDirectory,
): ObligationRow[] {
  const open = openById(state);
  return rows(state, now, (o) => dischargersOf(open, directory, o).includes(identity));
}

/** The obligations on the list of an escalation. */
export function listOf(open: ObligationsById, { items }: Pick<Obligation, 'items'>): Obligation[] {
  return items.flatMap((id) => open.get(id) ?? []).toSorted(compareObligations);
}

/** When the host must append the next tick. Null when nothing is due at a time. */
export function obligationsWakeAt(state: ObligationsState): number | null {
  let wake: number | null = null;
  for (const { dueAt } of state.open) if (dueAt !== null && (wake === null || dueAt < wake)) wake = dueAt;
  return wake;
}

function rows(state: ObligationsState, now: number, belongs: (o: Obligation) => boolean): ObligationRow[] {
  return state.open
    .filter(belongs)
    .map((o) => ({ ...o, ageMs: now - o.createdAt }))
    .toSorted(compareObligations);
}
