// Open obligations as an operator sees them: who owes whom, since when, on which rung of the ladder, and who may close
// them.
import {
  askedNow,
  dischargersOf,
  openById,
  type Obligation,
  type ObligationDirectory,
  type ObligationRow,
  type ObligationsState,
} from '../../attention/index.ts';
import { compareObligations } from '../../attention/obligation-queries.ts';
import type { ShownObligation } from '../../protocol/operator-api.ts';
import { type HostContext, directoryOf } from '../kernel/context.ts';
import { readAllObligations } from '../kernel/obligations.ts';
import { iso } from '../../protocol/log-record.ts';

export interface OpenObligations {
  state: ObligationsState;
  directory: ObligationDirectory;
  now: number;
}

export async function openObligations(context: HostContext): Promise<OpenObligations> {
  return {
    state: await readAllObligations(context.store),
    directory: directoryOf(context),
    now: context.clock.now(),
  };
}

/** Sorted by what they block, then by age. */
export function obligationRows({ state, now }: OpenObligations): ObligationRow[] {
  return state.open.map((one) => ({ ...one, ageMs: now - one.createdAt })).toSorted(compareObligations);
}

export function shownObligation(open: OpenObligations, one: ObligationRow): ShownObligation {
  const { id, eventId, kind, recipient, author, conversationId, blocks, defaultAction } = one;
  return {
    key: id,
    eventId,
    kind,
    owedBy: recipient,
    owedTo: author,
    askedNow: askedNow(openById(open.state), one),
    conversationId,
    createdAt: iso(one.createdAt),
    ageMs: one.ageMs,
    blocks,
    defaultAction,
    state: one.paused ? 'paused' : one.escalatedTo === null ? 'open' : 'escalated',
    rung: one.rung,
    tier: one.tier,
    returns: one.returned,
    nextAt: one.dueAt === null ? null : iso(one.dueAt),
    words: ladderWords(open, one),
    items: one.items,
    doneAt: one.doneAt === null ? null : iso(one.doneAt),
    mayDischarge: mayDischarge(open, one),
    operatorMay: operatorMay(open, one),
  };
}

/** An operator may discharge an obligation only on the last rung, when it is with the owner. */
export function operatorMay({ directory }: OpenObligations, { rung, recipient }: Obligation): boolean {
  return rung === 'human' && recipient === directory.owner;
}

export function mayDischarge({ state, directory }: OpenObligations, one: Obligation): string[] {
  return dischargersOf(openById(state), directory, one);
}

function ladderWords({ state }: OpenObligations, one: Obligation): string {
  const { recipient, author, returned, dueAt, kind } = one;
  const times = returned === 0 ? '' : `, ${returned} ${returned === 1 ? 'time' : 'times'} so far`;
  if (one.paused) return `${recipient} did not understand it: ${author} owes an explanation first.`;
  if (one.escalatedTo !== null) {
    const above = state.open.find(({ id }) => id === one.escalatedTo);
    return `${recipient} does not answer: it is with ${above?.recipient ?? 'somebody else'} now.`;
  }
  if (one.rung === 'human')
    return `It is with a person (${recipient}): it stays open and does not come back.`;
  const what =
    kind === 'escalation'
      ? `${one.blockedOn ?? 'somebody'} does not answer; ${recipient} is told`
      : recipient;
  if (dueAt === null) return `${recipient} owes it to ${author}.`;
  return kind === 'escalation'
    ? `${what} again at ${iso(dueAt)}${times}.`
    : `It comes back to ${what} at ${iso(dueAt)}${times}.`;
}
