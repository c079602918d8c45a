// Debts as tools see them. An agent that may discharge a debt, or to which it was escalated, can read the question and
// react to it, also in a conversation that it has no part in; it sees nothing else there. A reaction's answer says whether the debt that it
// names is discharged, and if not, what is missing.
import {
  dischargersOf,
  isAskedAbout,
  type Obligation,
  type ObligationEffect,
  type ObligationsState,
  obligationsAbout,
  openById,
  toIdentity,
} from '../../attention/index.ts';
import { owedEventId, questionOf } from '../../protocol/derived-id.ts';
import { type Identity, identity } from '../../protocol/identity.ts';
import type { NotDischarged } from '../../protocol/obligation.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import type { LogRow } from '../../store/tables.ts';
import { type HostContext, directoryOf } from '../kernel/context.ts';
import { obligationsKeyOf } from '../kernel/conversation.ts';
import { readObligations } from '../kernel/obligations.ts';

type Deps = Pick<HostContext, 'store' | 'attention'>;

/** The question behind the debt with this event id, for an agent that may discharge it or was escalated to. */
export async function owedEvent(context: Deps, agent: string, eventId: string): Promise<LogRow | undefined> {
  const question = await context.store.get('log', questionOf(owedEventId(eventId)));
  if (question === undefined) return undefined;
  const state = await readObligations(context.store, obligationsKeyOf(question.record.event));
  const open = openById(state);
  const who = identity('agent', agent);
  const may = obligationsAbout(state, owedEventId(eventId)).some(
    (one) => dischargersOf(open, directoryOf(context), one).includes(who) || isAskedAbout(open, one, who),
  );
  return may ? question : undefined;
}

/** What `chat.react` answers about the debt: nothing when the reaction is about none. */
export type DischargeAnswer = { discharged?: boolean; notDischarged?: NotDischarged };

/** `before` is the state that the reaction found, `effects` what it did. */
export function dischargeAnswer(
  context: Pick<HostContext, 'attention'>,
  before: ObligationsState,
  effects: readonly ObligationEffect[],
  reaction: Pick<ToolInput<'chat.react'>, 'signal' | 'recipient' | 'remove'> & {
    agent: string;
    targetEventId: string;
  },
): DischargeAnswer {
  const directory = directoryOf(context);
  const { targetEventId, signal } = reaction;
  const actor = identity('agent', reaction.agent);
  const debts = obligationsAbout(before, targetEventId);
  const open = openById(before);
  const mayClose = (one: Obligation): boolean => dischargersOf(open, directory, one).includes(actor);
  const settles = (signal === 'done' || signal === 'agree') && reaction.remove !== true;
  if (reaction.recipient === undefined) {
    if (!settles || debts.length === 0) return {};
    const mine = debts.filter(mayClose);
    if (mine.length > 0) return not('no_recipient', `Name whose debt is settled: recipient ${named(mine)}.`);
    const owes = debts.find(({ recipient }) => recipient === actor);
    return owes === undefined ? {} : not('not_yours', onlyThey(context, open, owes));
  }
  const recipient = toIdentity(reaction.recipient, directory);
  const isClosed = effects.some(
    (effect) =>
      effect.type === 'discharged' && effect.recipient === recipient && isAbout(effect, debts, targetEventId),
  );
  if (isClosed) return { discharged: true };
  const debt = debts.find((one) => one.recipient === recipient);
  if (debt === undefined) {
    if (before.closed.some((one) => one.eventId === targetEventId && one.recipient === recipient))
      return { discharged: true };
    const others =
      debts.length === 0 ? 'Nobody owes anything on it.' : `What is open there: ${named(debts)}.`;
    return not('no_debt', `${recipient} owes nothing on ${targetEventId}. ${others}`);
  }
  if (reaction.remove === true)
    return not('removed', 'Taking a reaction back discharges nothing and opens nothing again.');
  if (!mayClose(debt)) return not('not_yours', onlyThey(context, open, debt));
  if (!settles) return not('other_signal', `"${signal}" does not discharge. React with done or agree.`);
  return not('others_wait', 'Your own entries are off the list. It stays open for the others on it.');
}

function isAbout(effect: { eventId: string }, debts: readonly Obligation[], targetEventId: string): boolean {
  return effect.eventId === targetEventId || debts.some(({ eventId }) => eventId === effect.eventId);
}

function not(reason: NotDischarged['reason'], message: string): DischargeAnswer {
  return { discharged: false, notDischarged: { reason, message } };
}

function named(debts: readonly Obligation[]): string {
  return debts.map(({ recipient }) => recipient).join(' or ');
}

function onlyThey(
  context: Pick<HostContext, 'attention'>,
  open: ReturnType<typeof openById>,
  debt: Obligation,
): string {
  const who: Identity[] = dischargersOf(open, directoryOf(context), debt);
  return `Only ${who.join(' or ')} discharges it, with done or agree that names ${debt.recipient}.`;
}
