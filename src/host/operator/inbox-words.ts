// An item of the operators' inbox in one sentence: what has happened, and what a person can do about it.
import type { InboxRow } from '../../store/tables.ts';
import { isRefusedObligation, reasonOf } from '../inbox/inbox-row.ts';
import { whyWords } from './delivery-words.ts';

export function inboxWords(row: InboxRow): string {
  const { kind, agents, eventId } = row;
  const who = agents.length === 0 ? 'An agent' : agents.join(' and ');
  switch (kind) {
    case 'approval':
      return `${who} wants to send something that waits for a person (${reasonOf(row)}): approve or decline it.`;
    case 'no_answer':
      return `${who} had to answer and did not (${whyWords(reasonOf(row))}): answer yourself, or hand it over again.`;
    case 'declined':
      return `${who} had to answer and declined: answer yourself, or ask somebody else.`;
    case 'dead_letter':
      return `${who} could not be handed a message (${whyWords(reasonOf(row))}): mend its harness, then hand it over again.`;
    case 'loop_stopped':
      return `${who} were talking to each other without end and were stopped: say something there to let them go on.`;
    case 'offer_unclaimed':
      return `A role was asked, and none of those who hold it (${who}) took it: answer yourself, or mention one by name.`;
    case 'obligation':
      return !isRefusedObligation(row)
        ? `Somebody is blocked on an answer that does not come (${eventId}): answer, then discharge it.`
        : `An obligation was not taken up (${eventId}): what was asked for is in the message, but nobody is reminded of it.`;
  }
}
