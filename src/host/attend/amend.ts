// What an edit or a delete does to the open deliveries about its message, whatever their state: waiting, handed, in a
// turn, replaced by an earlier edit, claimed, offered to a role, escalated. A delete also removes the text from the
// log.
import { type Decision, type Effect, attend } from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { claimedId, escalatedId } from '../../protocol/derived-id.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { Write } from '../../store/store.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import {
  deadlineOf,
  decisionOf,
  detailOf,
  isHanded,
  newDelivery,
  newestOf,
  withDetail,
} from '../delivery/delivery-row.ts';
import { followUp } from '../delivery/follow-up.ts';
import { queueDelivery, revise, supersede } from '../delivery/move.ts';
import { endOffer } from '../delivery/offers.ts';
import { type Change, mergeChanges, noChange } from '../kernel/change.ts';
import { removeMessageFiles } from '../outbox/file-row.ts';
import { scrubSend } from '../outbox/outbox-row.ts';
import { neverHanded } from '../session/session-row.ts';
import type { CommitView } from './commit-view.ts';

/** The message was edited and still concerns the agent, so the agent gets the new text. */
export function applyEdit(commit: CommitView, effect: Extract<Effect, { type: 'amend' }>): Change {
  const { agent } = effect;
  const decided = decideAgain(commit, agent);
  const open = openDeliveriesOn(commit, agent);
  if (open.length === 0) return isByAgent(commit) ? noChange() : deliverEdit(commit, agent, decided);
  return mergeChanges(open.map((row) => amendOne(commit, row, decided)));
}

/** An agent's edit changes what is open, and opens nothing: it wakes nobody. */
function isByAgent({ row }: CommitView): boolean {
  return row.record.event.author.kind === 'agent';
}

/** Ends the agent's open deliveries about the target. */
export function withdrawDeliveries(commit: CommitView, agent: string, why: string): Change {
  return mergeChanges(openDeliveriesOn(commit, agent).map((row) => supersede(row, why, commit.row.at)));
}

/** The message was deleted: its deliveries and its offer end, and its stored text is removed. */
export function applyDelete(commit: CommitView): Change {
  if (commit.target === undefined) return noChange();
  const offer = endOffer(commit.view, commit.target, 'deleted', undefined);
  const agents = commit.context.attention.agents.map(({ id }) => id);
  const deliveries = agents.flatMap((agent) =>
    openDeliveriesOn(commit, agent)
      .filter((row) => !offer.ended.includes(row.key))
      .map((row) => removeFragment(commit, row)),
  );
  return mergeChanges([offer, ...deliveries, ...scrub(commit)]);
}

/** Every open delivery to this agent about the target, under any of its ids. */
function openDeliveriesOn({ view, target, edits, context }: CommitView, agent: string): DeliveryRow[] {
  if (target === undefined) return [];
  const ids = [target, ...edits, claimedId(target)];
  for (const other of context.attention.agents) {
    if (other.lead === agent) ids.push(escalatedId(target, other.id));
  }
  const found = new Map<string, DeliveryRow>();
  for (const id of ids) {
    const row = newestOf(view, deliveryKey(id, agent));
    if (row?.open === 1) found.set(row.key, row);
  }
  return [...found.values()];
}

/** Decides about the edited text as if it were a new message. Undefined when it is not addressed to the agent. */
function decideAgain(commit: CommitView, agent: string): Decision | undefined {
  const { record } = commit.row;
  const { event } = record;
  if (event.type !== 'edit' || commit.target === undefined) return undefined;
  const original = commit.view.row('log', commit.target)?.record.event;
  const { targetEventId: _, type: __, ...edited } = event;
  const first = original?.type === 'message' ? original : {};
  const message = { ...first, ...edited, type: 'message' } as ChatEvent;
  const { decisions } = attend(commit.before, { ...record, kind: 'event', event: message }, commit.roster);
  const found = decisions.find((decision) => decision.agent === agent);
  if (found?.directedness !== 'to_me') return undefined;
  // What was said just before the edit does not belong to the message. What was said before that, the delivery has.
  const { leadIn: _before, ...decided } = found;
  return { ...decided, refersTo: commit.target };
}

/** The agent has nothing open about the message. Delivers the edit if the new text asks for something. */
function deliverEdit(commit: CommitView, agent: string, decided: Decision | undefined): Change {
  if (decided === undefined || !isHanded(decided) || commit.target === undefined) return noChange();
  const last = newestOf(commit.view, deliveryKey(commit.target, agent));
  if (last?.state === 'dead_lettered') return noChange();
  const settled = last?.disposition === 'responded' || last?.disposition === 'acknowledged';
  const decision: Decision = settled
    ? { ...decided, policy: 'may_respond', reason: 'edited_after_response' }
    : decided;
  const { row, roster } = commit;
  const due = deadlineOf(decision, row.at, roster.limits.deadlineMs);
  const made = { ...decision, eventId: row.key };
  return queueDelivery(
    newDelivery({ about: row, decision: made, ...due, now: row.at, detail: { edited: true } }),
    row,
  );
}

function amendOne(commit: CommitView, row: DeliveryRow, decided: Decision | undefined): Change {
  const { row: edit } = commit;
  // Offers and escalations carry no text, so there is nothing to change. The agent reads the text in the log.
  if (row.mode === 'notify' && row.source === commit.target) return noChange();
  if (decided !== undefined && !isHanded(decided)) return supersede(row, 'edited_away', edit.at);
  const decision = { ...decisionOf(row), ...decided, eventId: row.eventId };
  const replaced = new Set([commit.target, ...commit.edits]);
  const fragments = detailOf(row).fragments?.map((id) => (replaced.has(id) ? edit.key : id));
  const source = fragments === undefined || replaced.has(row.source) ? edit.key : row.source;
  // A held delivery keeps its time. A claimed or deferred one is asked again with a new deadline.
  const heldFor = row.dueFor === 'lapse' ? null : row.dueFor;
  const due =
    row.state === 'held'
      ? { dueAt: row.dueAt, dueFor: heldFor }
      : deadlineOf(decision, edit.at, commit.roster.limits.deadlineMs);
  const change = { source, policy: decision.policy, mode: decision.mode, ...due };
  const detail = {
    edited: true,
    reminder: false,
    expired: false,
    ...(fragments === undefined ? {} : { fragments }),
    decision,
  };
  if (neverHanded(row, commit.view.row('session', row.agent))) return revise(row, change, detail);
  const edited = withDetail(row, { decision });
  const again = followUp(edited, { kind: 'edit', now: edit.at, change, detail, mayHaveIt: true });
  return source === edit.key ? withEvent(again, edit) : again;
}

/** Adds the edit to the news, so that the courier need not read it from the log. */
function withEvent({ writes, news }: Change, edit: LogRow): Change {
  return { writes, news: news.map((item) => (item.type === 'deliver' ? { ...item, event: edit } : item)) };
}

/** Removes a deleted fragment from a merged delivery. The other fragments still need an answer. */
function removeFragment(commit: CommitView, row: DeliveryRow): Change {
  const { at: now } = commit.row;
  const replaced = new Set([commit.target, ...commit.edits]);
  const fragments = detailOf(row).fragments?.filter((id) => !replaced.has(id)) ?? [];
  const source = replaced.has(row.source) ? fragments.at(-1) : row.source;
  if (source === undefined || fragments.length === 0) return supersede(row, 'deleted', now);
  return followUp(row, { kind: 'edit', now, change: { source }, detail: { fragments }, mayHaveIt: true });
}

/** Removes the stored text and files of the message, of its edits, and of the outbox row it was sent from. */
function scrub({ view, target, edits, row, sent }: CommitView): Change[] {
  const logged = [target, ...edits].flatMap((id) => (id === undefined ? [] : (view.row('log', id) ?? [])));
  const here = logged.filter(({ conversation }) => conversation === row.conversation);
  const send = sent === undefined ? undefined : view.row('outbox', sent);
  return [
    { writes: here.map((one) => ({ table: 'log', row: scrubbed(one) })), news: [] },
    { writes: here.flatMap(removeMessageFiles), news: [] },
    ...(send === undefined ? [] : [scrubSend(send)]),
  ];
}

/** The row without text and attachments. Author, place, time and decisions stay. */
export function scrubbed(row: LogRow): LogRow {
  const {
    text: _,
    attachments: __,
    ...event
  } = row.record.event as ChatEvent & {
    text?: string;
    attachments?: unknown;
  };
  return { ...row, secrets: [], record: { ...row.record, event } };
}

/** Only retention removes a logged event. */
export function removeLogged(key: string): Write {
  return { table: 'log', remove: key };
}
