// Rows as an operator's page or terminal shows them: times as ISO text, secrets cut out, internals left out. HTTP, the
// stream and `earshot tail` use the same shapes.
import { type Decision, startsTurn } from '../../attention/index.ts';
import type { ChatEvent, ChatEventOf } from '../../protocol/chat-event.ts';
import { iso } from '../../protocol/log-record.ts';
import type { LogEntry, ShownDecision, ShownDelivery, ShownInboxItem } from '../../protocol/operator-api.ts';
import type { DeliveryRow, InboxRow, LogRow } from '../../store/tables.ts';
import { detailOf } from '../delivery/delivery-row.ts';
import { unpackDecisions } from '../kernel/log-row.ts';
import { textOf } from '../kernel/log-row.ts';
import { inboxWords } from './delivery-words.ts';

export function shownEvent(row: LogRow & { position?: number }): LogEntry {
  const { event, kind, facts } = row.record;
  const { eventId, type, platform, workspaceId, conversation, author } = event;
  return {
    ...(row.position === undefined ? {} : { position: row.position }),
    eventId,
    ...(row.sourceId === undefined ? {} : { sourceId: row.sourceId }),
    seq: row.seq,
    at: iso(row.at),
    kind,
    ...(facts.configVersion === undefined ? {} : { settings: facts.configVersion }),
    type,
    platform,
    workspaceId,
    conversation,
    conversationKey: row.conversation,
    author,
    ...('text' in event && event.text !== undefined ? { text: textOf(row) } : {}),
    ...besides(event),
    decisions: unpackDecisions(row.decisions, row.key).map(shownDecision),
  };
}

/** The fields that each kind of event has besides its text. */
function besides(event: ChatEvent): Partial<LogEntry> {
  switch (event.type) {
    case 'message': {
      const { replyTo, inReplyTo, obligation, recipients } = event;
      const answers = inReplyTo ?? replyTo?.eventId;
      return {
        ...(answers === undefined ? {} : { replyTo: answers }),
        ...(recipients === undefined ? {} : { recipients }),
        ...(obligation === undefined
          ? {}
          : { obligation: { blocks: obligation.blocks, defaultAction: obligation.defaultAction } }),
      };
    }
    case 'reaction':
      return {
        targetEventId: event.targetEventId,
        signal: event.signal,
        ...(event.recipient === undefined ? {} : { recipients: [event.recipient] }),
      };
    case 'edit':
    case 'delete':
      return { targetEventId: event.targetEventId };
    case 'claim':
      return { op: event.op ?? 'claim', ...targetOf(event) };
    case 'resolve':
      return targetOf(event);
    case 'mode':
      return { mode: event.mode, ...(event.agent === undefined ? {} : { agent: event.agent }) };
    case 'focus':
      return { ttlMs: event.ttlMs };
    case 'turn':
      return turnFields(event);
    case 'progress':
      return {
        ...(event.progress === undefined ? {} : { progress: event.progress }),
        ...(event.total === undefined ? {} : { total: event.total }),
      };
    case 'escalation':
      return {
        targetEventId: event.targetEventId,
        recipients: [event.recipient],
        blockedOn: event.blockedOn,
      };
    case 'correction':
      return { targetEventId: event.targetEventId, agent: event.agent, label: event.label, how: event.how };
    case 'opinion':
      return { targetEventId: event.targetEventId, agent: event.agent, verdict: event.verdict };
    case 'membership':
    case 'typing':
    case 'disengage':
    case 'tick':
      return {};
  }
}

function turnFields({ phase, turnId, outcome, error }: ChatEventOf<'turn'>): Partial<LogEntry> {
  return {
    phase,
    ...(turnId === undefined ? {} : { turnId }),
    ...(outcome === 'failed' ? { outcome } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

function targetOf({ targetEventId }: { targetEventId?: string | undefined }): Partial<LogEntry> {
  return targetEventId === undefined ? {} : { targetEventId };
}

export function shownDecision(one: Decision): ShownDecision {
  const { agent, decision, directedness, policy, mode, reason, intent, trace } = one;
  return { agent, decision, directedness, policy, mode, reason, intent, trace, turn: takesTurn(one) };
}

/** True when the decision starts a turn of its own. A fragment joins the turn of the message that it continues. */
export function takesTurn(decision: Decision): boolean {
  return startsTurn(decision) && decision.trace.rung !== 'fragment';
}

export function shownDelivery(row: DeliveryRow): ShownDelivery {
  const { key, agent, conversation, eventId, source, policy, mode, state, disposition, why, attempt, sends } =
    row;
  const { error } = detailOf(row);
  return {
    key,
    agent,
    conversation,
    eventId,
    source,
    policy,
    mode,
    state,
    disposition,
    why,
    attempt,
    sends,
    createdAt: iso(row.createdAt),
    settledAt: row.settledAt === null ? null : iso(row.settledAt),
    dueAt: row.dueAt === null ? null : iso(row.dueAt),
    dueFor: row.dueFor,
    ...(error === undefined ? {} : { error }),
  };
}

export function shownInbox(row: InboxRow): ShownInboxItem {
  const { key, kind, eventId, agents, detail, open } = row;
  return {
    key,
    kind,
    eventId,
    agents,
    detail,
    open: open === 1,
    createdAt: iso(row.createdAt),
    closedAt: row.closedAt === null ? null : iso(row.closedAt),
    words: inboxWords(row),
  };
}
