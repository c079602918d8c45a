// The obligations fold (spec/obligations.md): which questions block their authors, who owes the answer, and when such
// a question returns. An obligation has the key (eventId, recipient) and is derived from events and reactions alone;
// time comes from ticks. Nothing closes by itself, nothing expires, and read state is never an input.
//
// The draft leaves these points open. Here:
// - An obligation has an id of its own, `eventId#recipient`. An event that the ladder makes has an event id of its
//   own, `evt/escalation-7` or `evt/unclear-8`, so people and agents can react to it.
// - These reactions close an obligation: `done` or `agree` from the author or delegate, and `done` from a human on
//   the human rung. The default delegate is never the recipient: a worker's lead must not close its own debt.
// - The host writes escalations. Each author on the list, or their delegate, takes their own entries off with a
//   reaction that names the escalation's recipient. Such an obligation stays open and returns again. An escalation
//   closes when its list is empty. When the human of the last rung closes it, the obligations on its list stay open
//   without returns.
// - A reciprocal closes when its question is clarified or closed, or when its own author says so.
// - An obligation to a person is on the human rung from the start: the host never knocks at a person three times.
// - The next rung is the first coordinator above the recipient who is neither author nor recipient, else the owner.
// - Edit and delete events have `targetEventId`. An obligation is also found by an edit's id. Deletes wait for their
//   event.
// - Nothing is dropped in silence: a bound ends in a `refused` effect, and a record that waits for its event in
//   `held`.
import type { ChatEvent, ChatEventOf, MessageEvent } from '../protocol/chat-event.ts';
import type { Identity } from '../protocol/identity.ts';
import { instantMs } from '../protocol/log-record.ts';
import type { LogRecord } from '../protocol/log-record.ts';
import { discharge, tryDischarge } from './obligation-discharge.ts';
import {
  openObligationDraft,
  newObligation,
  obligationsOn,
  put,
  refuse,
  rememberClosed,
  closeObligationDraft,
  wasClosed,
} from './obligation-draft.ts';
import type { ObligationDraft } from './obligation-draft.ts';
import type { ObligationEffect, RefusalReason } from './obligation-effects.ts';
import { identityOf, isHumanRung, namesOneResponder, toIdentity } from './obligation-identity.ts';
import type { ObligationDirectory } from './obligation-identity.ts';
import { escalate, firstDueAt, tick } from './obligation-ladder.ts';
import { returnMode } from './obligation-options.ts';
import type { ObligationOptions } from './obligation-options.ts';
import { mayMatter, recipientSignal } from './obligation-signals.ts';
import { OBLIGATION_LIMITS, OBLIGATIONS_VERSION, obligationId } from './obligation-state.ts';
import type { HeldRecord, ObligationsState, Reaction } from './obligation-state.ts';

export {
  blockedOn,
  blocks,
  compareObligations,
  dischargeable,
  listOf,
  owes,
  obligationsWakeAt,
} from './obligation-queries.ts';
export type { ObligationRow } from './obligation-queries.ts';
export type { EscalatedItem, ObligationEffect, RefusalReason } from './obligation-effects.ts';
export { identityOf, toIdentity } from './obligation-identity.ts';
export type { ObligationDirectory } from './obligation-identity.ts';
export { askedNow, dischargersOf, isAskedAbout, obligationsAbout, openById } from './obligation-parties.ts';
export { RETURN_INTERVAL_MS, RETURNS_BEFORE_ESCALATION, returnMode } from './obligation-options.ts';
export type { ObligationOptions } from './obligation-options.ts';
export { initialObligations, OBLIGATION_LIMITS, OBLIGATIONS_VERSION } from './obligation-state.ts';
export type { Obligation, ObligationsState } from './obligation-state.ts';

export function foldObligations(
  state: ObligationsState,
  record: LogRecord,
  directory: ObligationDirectory,
  options: ObligationOptions = {},
): { state: ObligationsState; effects: ObligationEffect[] } {
  if (state.version !== OBLIGATIONS_VERSION) {
    throw new Error(`obligations state has version ${state.version}, this node reads ${OBLIGATIONS_VERSION}`);
  }
  if (!concerns(record.event)) return { state, effects: [] };
  const draft = openObligationDraft(state, record.at, directory, options);
  const { event } = record;
  if (event.type === 'message') onObligation(draft, record, event);
  else if (event.type === 'edit') onEdit(draft, event);
  else if (event.type === 'delete') onDelete(draft, record, event);
  else if (event.type === 'reaction') onReaction(draft, record, event);
  else tick(draft);
  return closeObligationDraft(draft);
}

/** Most records concern no obligation. They are sorted out first, because a draft costs a map of all open ones. */
function concerns(event: ChatEvent): boolean {
  if (event.type === 'message') return event.obligation !== undefined;
  return (
    event.type === 'edit' || event.type === 'delete' || event.type === 'reaction' || event.type === 'tick'
  );
}

function onObligation(draft: ObligationDraft, record: LogRecord, event: MessageEvent): void {
  const single = event.target?.recipient;
  const named = event.recipients?.length ? event.recipients : single === undefined ? [] : [single];
  const author = identityOf(event.author);
  const recipients = new Set(named.filter(namesOneResponder).map((raw) => toIdentity(raw, draft.directory)));
  if (named.length === 0) refuse(draft, event.eventId, null, 'no_recipient');
  for (const raw of named) {
    if (!namesOneResponder(raw)) refuse(draft, event.eventId, raw, 'not_one_responder');
  }
  for (const recipient of recipients) open(draft, record, event, recipient, recipients.size > 1);
  clarify(draft, event.replyTo?.eventId ?? event.inReplyTo ?? '', author);
  const isFor = (held: HeldRecord): boolean => waitsFor(draft, held, event);
  const held = draft.held.filter(isFor);
  if (held.length === 0) return;
  draft.held = draft.held.filter((h) => !isFor(h));
  draft.changed = true;
  const { eventId } = event;
  for (const earlier of held) {
    if (earlier.type === 'reaction') applyReaction(draft, { ...earlier.reaction, targetEventId: eventId });
    else applyDelete(draft, eventId, earlier.actor);
  }
}

/** What came before its event names it as the source does. Elsewhere, the same name means another event. */
function waitsFor({ options }: ObligationDraft, held: HeldRecord, event: MessageEvent): boolean {
  const name = targetOf(held);
  if (name !== event.eventId && name !== event.sourceId) return false;
  return options.saidNear?.(recordIdOf(held), event) ?? true;
}

function open(
  draft: ObligationDraft,
  record: LogRecord,
  event: MessageEvent,
  recipient: Identity,
  several: boolean,
): void {
  const { obligation, eventId } = event;
  const id = obligationId(eventId, recipient);
  if (obligation === undefined || draft.open.has(id) || wasClosed(draft, eventId, recipient)) return;
  const author = identityOf(event.author);
  const refusal = refusalOf(draft, record, author, recipient);
  if (refusal !== null) {
    refuse(draft, eventId, recipient, refusal.reason, refusal.limit);
    return rememberClosed(draft, eventId, recipient);
  }
  const delegate = obligation.dischargeDelegate;
  const opened = newObligation({
    eventId,
    recipient,
    author,
    kind: 'question',
    conversationId: event.conversation.id,
    createdAt: Math.min(instantMs(event.at), record.at),
    blocks: obligation.blocks,
    defaultAction: obligation.defaultAction,
    delegate: delegate === undefined ? null : toIdentity(delegate, draft.directory),
    mode: returnMode(draft.options.modes?.[recipient]),
    rung: isHumanRung(recipient, draft.directory) ? 'human' : 'recipient',
  });
  put(draft, { ...opened, dueAt: firstDueAt(draft, opened) });
  const { blocks, mode } = opened;
  const straightUp = draft.options.loopLevel === 2 && opened.rung !== 'human';
  draft.effects.push({
    type: 'opened',
    obligationId: id,
    eventId,
    recipient,
    author,
    blocks,
    policy: 'must_respond',
    mode,
    rung: straightUp ? 'human' : opened.rung,
    ...(several ? { advice: 'address_one_responder' as const } : {}),
  });
  // The loop guard lets returns pass, but no new obligations.
  if (straightUp) escalate(draft, opened, 'loop_stopped');
}

function refusalOf(
  draft: ObligationDraft,
  record: LogRecord,
  author: Identity,
  recipient: Identity,
): { reason: RefusalReason; limit?: number } | null {
  const questions = [...draft.open.values()].filter((o) => o.kind === 'question');
  const ofPair = questions.filter((o) => o.author === author && o.recipient === recipient);
  const { open: limit, openPerPair } = OBLIGATION_LIMITS;
  if ((record.facts.origin ?? record.event.origin) === 'backfill') return { reason: 'backfill' };
  if (recipient === author) return { reason: 'recipient_is_author' };
  if (draft.options.deniedFor?.includes(recipient)) return { reason: 'author_denied' };
  if (ofPair.length >= openPerPair) return { reason: 'too_many_open', limit: openPerPair };
  if (questions.length >= limit) return { reason: 'state_full', limit };
  return null;
}

/** An edit inherits the obligation: its id leads to the same one. An edit by the author also clarifies. */
function onEdit(draft: ObligationDraft, event: ChatEventOf<'edit'>): void {
  for (const obligation of obligationsOn(draft, event.targetEventId)) {
    if (obligation.edits.length < OBLIGATION_LIMITS.edits) {
      put(draft, { ...obligation, edits: [...obligation.edits, event.eventId] });
    } else {
      refuse(draft, event.eventId, obligation.recipient, 'too_many_edits', OBLIGATION_LIMITS.edits);
    }
  }
  clarify(draft, event.targetEventId, identityOf(event.author));
}

/** The author edited the question, or asked again: the reciprocal has its answer. */
function clarify(draft: ObligationDraft, questionEventId: string, by: Identity): void {
  for (const question of obligationsOn(draft, questionEventId)) {
    const reciprocal = draft.open.get(question.reciprocal ?? '');
    if (reciprocal !== undefined && question.author === by) discharge(draft, reciprocal, by, 'clarified');
  }
}

function onDelete(draft: ObligationDraft, record: LogRecord, event: ChatEventOf<'delete'>): void {
  const { eventId, targetEventId } = event;
  const actor = identityOf(event.author);
  if (isUnknown(draft, record, targetEventId)) hold(draft, { type: 'delete', eventId, targetEventId, actor });
  else applyDelete(draft, targetEventId, actor);
}

/** Only the author's delete closes an obligation. Moderators and retention remove words, not debts. */
function applyDelete(draft: ObligationDraft, targetEventId: string, actor: Identity): void {
  for (const { id } of obligationsOn(draft, targetEventId)) {
    const obligation = draft.open.get(id);
    // The host wrote the escalation, so nobody can delete it.
    if (obligation === undefined || obligation.kind === 'escalation') continue;
    if (obligation.author === actor) discharge(draft, obligation, actor, 'deleted');
  }
}

function onReaction(draft: ObligationDraft, record: LogRecord, event: ChatEventOf<'reaction'>): void {
  // A closed obligation stays closed and a signal stays said: removing a reaction changes nothing.
  if (event.removed === true) return;
  const reaction: Reaction = {
    reactionId: event.eventId,
    targetEventId: event.targetEventId,
    createdAt: Math.min(instantMs(event.at), record.at),
    actor: identityOf(event.author),
    signal: event.signal,
    recipient: event.recipient === undefined ? null : toIdentity(event.recipient, draft.directory),
  };
  if (!mayMatter(reaction)) return;
  if (isUnknown(draft, record, event.targetEventId)) hold(draft, { type: 'reaction', reaction });
  else applyReaction(draft, reaction);
}

function applyReaction(draft: ObligationDraft, reaction: Reaction): void {
  for (const { id } of obligationsOn(draft, reaction.targetEventId)) {
    // Looked up again, because closing one recipient's obligation may have changed another's.
    const obligation = draft.open.get(id);
    if (obligation === undefined) continue;
    if (!tryDischarge(draft, obligation, reaction)) recipientSignal(draft, obligation, reaction);
  }
}

function isUnknown(draft: ObligationDraft, record: LogRecord, eventId: string): boolean {
  if (draft.options.targetKnown === true || record.facts.original !== undefined) return false;
  return obligationsOn(draft, eventId).length === 0 && !wasClosed(draft, eventId);
}

function hold(draft: ObligationDraft, record: HeldRecord): void {
  const oldest = draft.held.length >= OBLIGATION_LIMITS.held ? draft.held.shift() : undefined;
  if (oldest !== undefined) refuse(draft, recordIdOf(oldest), null, 'held_full', OBLIGATION_LIMITS.held);
  draft.held.push(record);
  draft.changed = true;
  const actor = record.type === 'reaction' ? record.reaction.actor : record.actor;
  draft.effects.push({ type: 'held', eventId: recordIdOf(record), targetEventId: targetOf(record), actor });
}

function targetOf(held: HeldRecord): string {
  return held.type === 'reaction' ? held.reaction.targetEventId : held.targetEventId;
}

function recordIdOf(held: HeldRecord): string {
  return held.type === 'reaction' ? held.reaction.reactionId : held.eventId;
}
