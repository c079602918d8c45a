// Who may close an obligation, and who is asked for the answer now. The fold, the tools and the operator's pages ask
// here, so they never disagree.
import type { Identity } from '../protocol/identity.ts';
import type { ObligationDirectory } from './obligation-identity.ts';
import type { Obligation, ObligationsState } from './obligation-state.ts';

/** The open obligations by id. */
export type ObligationsById = ReadonlyMap<string, Obligation>;

export function openById({ open }: Pick<ObligationsState, 'open'>): ObligationsById {
  return new Map(open.map((obligation) => [obligation.id, obligation]));
}

/**
 * Everybody who may close it, or take entries off it. The author and their delegate; for an escalation, those of each
 * question on its list. On the human rung also the person who has it.
 */
export function dischargersOf(
  open: ObligationsById,
  directory: ObligationDirectory,
  one: Obligation,
): Identity[] {
  const last = one.rung === 'human' ? [one.recipient] : [];
  return [...new Set([...speakersFor(open, directory, one), ...last])];
}

/** Those who speak for the author. For an escalation: for the author of anything on its list. */
export function speakersFor(
  open: ObligationsById,
  directory: ObligationDirectory,
  one: Obligation,
): Identity[] {
  if (one.kind === 'escalation') {
    return one.items.flatMap((id) => {
      const item = open.get(id);
      return item === undefined ? [] : speakersFor(open, directory, item);
    });
  }
  const { author, recipient, delegate } = one;
  if (delegate !== null) return [author, delegate];
  // The default delegate is never the recipient: a lead that owes its worker an answer must not close its own debt.
  const coordinator = directory.coordinatorOf(author);
  return coordinator === undefined || coordinator === recipient ? [author] : [author, coordinator];
}

/** Who is asked for the answer now: the recipient, or whoever has the highest escalation about it. */
export function askedNow(open: ObligationsById, one: Obligation): Identity {
  const above = open.get(one.escalatedTo ?? '');
  return above === undefined ? one.recipient : askedNow(open, above);
}

/** Whether it was escalated to them: they are on a rung above it. */
export function isAskedAbout(open: ObligationsById, one: Obligation, who: Identity): boolean {
  const above = open.get(one.escalatedTo ?? '');
  return above !== undefined && (above.recipient === who || isAskedAbout(open, above, who));
}

/** The open obligations on an event, found by its id or by the id of one of its edits. */
export function obligationsAbout({ open }: Pick<ObligationsState, 'open'>, eventId: string): Obligation[] {
  return open.filter((one) => one.eventId === eventId || one.edits.includes(eventId));
}
