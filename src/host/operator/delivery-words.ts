// One sentence about a delivery or an inbox item, for somebody who does not know their states: what has happened, and
// what a person can do about it.
import { type DerivedKind, derivationsOf, parseDerivedId } from '../../protocol/derived-id.ts';
import type { DeliveryRow, InboxRow } from '../../store/tables.ts';
import { detailOf, isRetry } from '../delivery/delivery-row.ts';
import { errorIn, isRefusedObligation, owedIn, reasonOf, leakIn } from '../inbox/inbox-row.ts';

const WHY: Readonly<Record<string, string>> = {
  merged: 'it was joined with what was said next',
  corrected: 'its author went on, and it was handed over again with all of it',
  answered_question: 'it was the answer to a request for permission',
  edited: 'the message was edited, and the new words were handed over',
  edited_away: 'the message was edited and is not for it any more',
  deleted: 'the message was deleted',
  claimed_by_other: 'another agent took it',
  answered_by_other: 'another agent answered it',
  offer_passed_on: 'it was offered to the next one',
  discharged: 'it is not owed any more',
  stop: 'it was told to stop',
  left: 'it was told to leave',
  reminder: 'it was reminded once more',
  expired: 'its time was over, and it was asked once more',
  lapsed: 'it was put off and not taken up again',
  retry: 'its turn failed, and it was tried once more',
  no_answer: 'no answer came',
  deadline: 'no answer came in time',
  turn_failed: 'its turn failed again and again',
  no_acknowledgement: 'its harness never confirmed that it arrived',
  answered: 'it was answered after all',
  not_delivered: 'the platform refused its answers',
  declined: 'a person did not agree to its answer, and it was asked once more',
  capability: 'its harness cannot take it that way',
  resolved: 'it was marked as resolved',
  agent_removed: 'the agent was taken out of the settings',
  archived: 'its channel was archived',
};

/** Why a delivery ended as it did. */
export function whyWords(why: string): string {
  return WHY[why] ?? why.replaceAll('_', ' ');
}

/** What a derived delivery is, by the last part of its id. */
const FOLLOW_UPS: Partial<Record<DerivedKind, string>> = {
  reminder: 'as a reminder',
  expired: 'once more, because its time was over',
  lapsed: 'once more, after it was put off',
  retry: 'once more, because the first try failed',
  edit: 'with its new words',
  return: 'again, because the answer is still owed',
  escalation: 'because somebody else does not answer',
  unclear: 'because the question was not understood',
  escalated: 'because another agent did not answer',
  'loop-stopped': 'because agents were talking in a loop',
  claimed: 'in full, because it took it',
  undelivered: 'once more, because its answer was not posted',
};

const ESCALATIONS: ReadonlySet<DerivedKind> = new Set(['escalated', 'escalation', 'loop-stopped']);

export function isEscalation({ eventId }: DeliveryRow): boolean {
  return derivationsOf(eventId).some(({ kind }) => ESCALATIONS.has(kind));
}

function asWhat({ eventId }: DeliveryRow): string {
  const kind = parseDerivedId(eventId)?.kind;
  const words = kind === undefined ? undefined : FOLLOW_UPS[kind];
  return words === undefined ? '' : ` ${words}`;
}

/** The delivery's present state. */
export function deliveryWords(row: DeliveryRow, connected: boolean): string {
  const { agent, state, why, attempt } = row;
  const again = attempt > 1 ? ` (attempt ${attempt})` : '';
  const because = why === null ? '' : `: ${whyWords(why)}${why === 'turn_failed' ? errorWords(row) : ''}`;
  switch (state) {
    case 'held':
      if (isRetry(row)) return retryWords(row);
      return row.dueFor === 'offer'
        ? `It waits for ${agent}${asWhat(row)}: somebody else was asked first.`
        : `It is kept back for ${agent}${asWhat(row)} until ${untilWords(row)}.`;
    case 'queued':
      return connected
        ? `It is on its way to ${agent}${asWhat(row)}${again}.`
        : `It waits for ${agent} to connect${asWhat(row)}${again}.`;
    case 'handed':
      return `It was handed to ${agent}${asWhat(row)}${again}, which has not confirmed it yet.`;
    case 'accepted':
      return acceptedWords(row, again);
    case 'turn_taken':
      return `${agent} is at work on it${asWhat(row)}${again}.`;
    case 'settled':
      return `${settledWords(row)}${because}.`;
    case 'superseded':
      return `For ${agent} it is over${asWhat(row)}${because}.`;
    case 'dead_lettered':
      return `It could not be handed to ${agent}${asWhat(row)}${again}${because}. A person can hand it over again.`;
  }
}

function retryWords(row: DeliveryRow): string {
  const { failures = 1 } = detailOf(row);
  const times = failures === 1 ? 'once' : `${failures} times`;
  return `${row.agent} has failed on it ${times}${errorWords(row)}. It is tried again at ${untilWords(row)}.`;
}

function errorWords(row: DeliveryRow): string {
  const { error } = detailOf(row);
  return error === undefined ? '' : ` (${error})`;
}

function untilWords({ dueAt }: DeliveryRow): string {
  return dueAt === null ? 'it is wanted' : new Date(dueAt).toISOString();
}

function acceptedWords(row: DeliveryRow, again: string): string {
  if (row.disposition === 'claimed') return `${row.agent} has taken it, until ${untilWords(row)}.`;
  if (row.disposition === 'deferred') return `${row.agent} has put it off until ${untilWords(row)}.`;
  return `${row.agent} has it${asWhat(row)}${again} and has not answered yet.`;
}

function settledWords(row: DeliveryRow): string {
  const { agent, disposition } = row;
  switch (disposition) {
    case 'responded':
      return `${agent} answered it`;
    case 'acknowledged':
      return `${agent} acknowledged it with a reaction`;
    case 'claimed':
      return `${agent} took it`;
    case 'deferred':
      return `${agent} put it off`;
    case 'failed':
      return `${agent} did not answer it`;
    case 'superseded':
      return `For ${agent} it is over`;
    case 'ignored':
    case null:
      return row.policy === 'must_not_respond'
        ? `${agent} has seen it and was not to answer`
        : `${agent} has seen it and said nothing`;
  }
}

function owedWords(row: InboxRow): string {
  const { recipient, blockedOn, count } = owedIn(row);
  const asked = recipient === undefined ? '' : ` ${recipient} is asked now`;
  const silent = blockedOn === undefined ? '' : `, because ${blockedOn} does not answer`;
  const many = count === 1 ? 'a question waits' : `${count} questions wait`;
  const who = asked === '' ? '' : `${asked}${silent}.`;
  return `Somebody is blocked on an answer that does not come (${row.eventId}).${who} On the list: ${many}. Answer, then discharge it.`;
}

export function inboxWords(row: InboxRow): string {
  const { kind, agents, eventId } = row;
  const who = agents.length === 0 ? 'An agent' : agents.join(' and ');
  switch (kind) {
    case 'approval':
      return `${who} wants to send something that waits for a person (${reasonOf(row)}): approve or decline it.`;
    case 'no_answer':
      return errorIn(row) === undefined
        ? `${who} had to answer and did not (${whyWords(reasonOf(row))}): answer yourself, or hand it over again.`
        : `${who} could not answer. The last error: ${errorIn(row)}. Mend it, then hand it over again, or answer yourself.`;
    case 'declined':
      return `${who} had to answer and declined: answer yourself, or ask somebody else.`;
    case 'dead_letter':
      return `${who} could not be handed a message (${whyWords(reasonOf(row))}): mend its harness, then hand it over again.`;
    case 'loop_stopped':
      return `${who} were talking to each other without end and were stopped: say something there to let them go on.`;
    case 'lost_send':
      return `The platform did not say whether it showed a message of ${who}, and cannot be asked: look there, and say it yourself if it is missing.`;
    case 'offer_unclaimed':
      return `A role was asked, and none of those who hold it (${who}) took it: answer yourself, or mention one by name.`;
    case 'leaked_token': {
      const { kind: owner, subject } = leakIn(row);
      return `The token of ${owner} "${subject}" was written in chat (${eventId}), so it does not work any more: make a new one ("earshot token create --kind ${owner} --subject ${subject}") and give it to them in private.`;
    }
    case 'obligation':
      return !isRefusedObligation(row)
        ? owedWords(row)
        : `An obligation was not taken up (${eventId}): what was asked for is in the message, but nobody is reminded of it.`;
  }
}
