// Says what has happened to an event since it was decided: its deliveries, edits and reactions, questions to a person,
// and what is still owed. It reads a limited number of records after the event.
import type { LaterChange } from '../../protocol/operator-later.ts';
import type { ChatEvent, ChatEventOf } from '../../protocol/chat-event.ts';
import type { CorrectionWay } from '../../protocol/correction.ts';
import type { EscalationCause } from '../../protocol/vocabulary.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { questionOf } from '../../protocol/derived-id.ts';
import type { ServerContext } from '../http/context.ts';
import { inboxKeys } from '../inbox/inbox-row.ts';
import type { StoreReader } from '../kernel/context.ts';
import { deliveryWords, isEscalation, inboxWords } from './delivery-words.ts';
import { obligationRows, openObligations, shownObligation } from './obligations-shown.ts';
import { iso } from '../../protocol/log-record.ts';

/** This many records after the event are searched for those that refer to it. */
export const LATER_RECORDS = 500;

export async function laterChanges(
  { host }: ServerContext,
  row: LogRow,
  deliveries: readonly DeliveryRow[],
): Promise<LaterChange[]> {
  const { context, courier } = host;
  const after = await context.store.scan('log', 'byConversation', {
    eq: [row.conversation],
    after: row.seq,
    limit: LATER_RECORDS,
  });
  const done = after.flatMap((other) => doneTo(row.key, other));
  const handed = deliveries.map((one) => ofDelivery(one, courier.connected(one.agent)));
  const asked = await peopleAsked(context.store, row.key, deliveries);
  return [...done, ...handed, ...asked, ...(await stillOwed(context, row.key))].toSorted((a, b) =>
    a.at < b.at ? -1 : a.at > b.at ? 1 : 0,
  );
}

function ofDelivery(row: DeliveryRow, connected: boolean): LaterChange {
  const { agent, eventId, state } = row;
  const ended = state === 'settled' || state === 'superseded' || state === 'dead_lettered';
  const kind = ended ? state : isEscalation(row) ? 'escalated' : row.attempt > 1 ? 'redelivered' : 'handed';
  return {
    at: iso(row.settledAt ?? row.createdAt),
    agent,
    kind,
    words: deliveryWords(row, connected),
    eventId,
  };
}

function doneTo(eventId: string, { record: { event }, at, key }: LogRow): LaterChange[] {
  if (!('targetEventId' in event) || event.targetEventId !== eventId) return [];
  const words = actWords(event);
  if (words === undefined) return [];
  const isAbout = event.type === 'correction' || event.type === 'opinion';
  const about = isAbout ? event.agent : event.author.id;
  const agent = isAbout || event.author.kind === 'agent' ? { agent: about } : {};
  return [{ at: iso(at), ...agent, ...words, eventId: key }];
}

const CLAIMED = { claim: 'took it', renew: 'kept it for longer', release: 'gave it back' } as const;

const CAUSES: Record<EscalationCause, string> = {
  returns_spent: 'it was asked again and again',
  declined: 'it declined',
  blocked: 'it is blocked itself',
  loop_stopped: 'agents were talking in a loop',
};

function actWords(event: ChatEvent): Pick<LaterChange, 'kind' | 'words'> | undefined {
  const who = event.author.displayName ?? event.author.id;
  switch (event.type) {
    case 'edit':
      return { kind: 'edited', words: `${who} edited it.` };
    case 'delete':
      return { kind: 'deleted', words: `${who} deleted it.` };
    case 'reaction': {
      const verb = event.removed === true ? 'took back the reaction' : 'reacted with';
      return { kind: 'reacted', words: `${who} ${verb} "${event.signal}".` };
    }
    case 'claim':
      return { kind: 'claimed', words: `${who} ${CLAIMED[event.op ?? 'claim']}.` };
    case 'resolve':
      return { kind: 'resolved', words: `${who} marked it as resolved.` };
    case 'escalation':
      return {
        kind: 'escalated',
        words: `${event.blockedOn} does not answer (${CAUSES[event.cause]}): ${event.recipient} is asked now.`,
      };
    case 'correction':
      return { kind: 'corrected', words: correctionWords(event) };
    case 'opinion':
      return { kind: 'opinion', words: OPINIONS[event.verdict](event.agent) };
    case 'message':
    case 'membership':
    case 'typing':
    case 'progress':
    case 'mode':
    case 'focus':
    case 'disengage':
    case 'turn':
    case 'tick':
      return undefined;
  }
}

const OPINIONS: Record<ChatEventOf<'opinion'>['verdict'], (agent: string) => string> = {
  for: (agent) => `A second opinion says that it is for ${agent}: it was handed over.`,
  not_for: (agent) => `A second opinion says that it is not for ${agent}: it was left alone.`,
};

const HOW: Record<CorrectionWay, string> = {
  said: 'in the chat',
  reaction: 'with a reaction on its answer',
  operator: 'in Why',
  disengaged: 'by stepping back from it',
};

function correctionWords({ author, agent, label, how }: ChatEventOf<'correction'>): string {
  const who = author.displayName ?? author.id;
  if (label === 'withdrawn') return `${who} took back what was said about ${agent} here, ${HOW[how]}.`;
  const should = label === 'should_have_answered' ? 'should have answered' : 'should have stayed quiet';
  return `${who} said that ${agent} ${should}, ${HOW[how]}.`;
}

async function peopleAsked(
  store: StoreReader,
  eventId: string,
  deliveries: readonly DeliveryRow[],
): Promise<LaterChange[]> {
  const keys = [
    inboxKeys.loopStopped(eventId),
    inboxKeys.offer(eventId),
    ...deliveries.flatMap(({ key }) => [inboxKeys.unanswered(key), inboxKeys.deadLetter(key)]),
  ];
  const items = await Promise.all(keys.map((key) => store.get('inbox', key)));
  return items.flatMap((item) => {
    if (item === undefined) return [];
    const closed = item.open === 1 ? '' : ' A person has seen to it.';
    const [agent] = item.agents;
    return [
      {
        at: iso(item.createdAt),
        ...(agent === undefined ? {} : { agent }),
        kind: 'escalated' as const,
        words: `A person was asked. ${inboxWords(item)}${closed}`,
      },
    ];
  });
}

async function stillOwed(context: ServerContext['host']['context'], eventId: string): Promise<LaterChange[]> {
  const open = await openObligations(context);
  return obligationRows(open)
    .filter((one) => questionOf(one.eventId) === eventId)
    .map((one) => ({
      at: iso(one.createdAt),
      ...(one.recipient.startsWith('agent:') ? { agent: one.recipient.slice('agent:'.length) } : {}),
      kind: 'obligation' as const,
      words: `${one.recipient} owes ${one.author} an answer. ${shownObligation(open, one).words}`,
      eventId: one.eventId,
    }));
}
