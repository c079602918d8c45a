// attend and commit as one unit: the record with its facts, the new state of its conversation, the deliveries, and
// everything the effects ask for. It is pure over the unit's view, so the store may run it again.
import {
  type Attended,
  type Effect,
  type Roster,
  attend,
  foldObligations,
  obligationsWakeAt,
  type ObligationEffect,
  wakeAt,
} from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { claimedId, escalatedId, isHostId } from '../../protocol/derived-id.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import {
  type AccountFacts,
  type BudgetFacts,
  type LogRecord,
  instantMs,
  recordKind,
  type RecordFacts,
  sourceIdOf,
} from '../../protocol/log-record.ts';
import type { RowRef, UnitView } from '../../store/store.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { type Change, type ChangeUnit, addChange, noChange, runAfter } from '../kernel/change.ts';
import { type HostContext, directoryOf } from '../kernel/context.ts';
import {
  INTERNAL_SURFACE,
  type ConversationState,
  conversationIn,
  conversationKeyOf,
  newConversation,
  obligationsKeyOf,
  parentKeyOf,
  placeAfter,
  placeOf,
} from '../kernel/conversation.ts';
import { scopedId } from '../kernel/event-id.ts';
import { packDecisions, putsTaskTo } from '../kernel/log-row.ts';
import { obligationsIn } from '../kernel/obligations.ts';
import { fileLeakedToken } from '../inbox/inbox-row.ts';
import type { Spans } from '../security/redact.ts';
import { revokeLeaked } from '../security/tokens.ts';
import { budgetNoticeRows, budgetNotices } from './budget-notice.ts';
import type { CommitView } from './commit-view.ts';
import { newestOf } from '../delivery/delivery-row.ts';
import { putMessageFile } from '../outbox/file-row.ts';
import { deliveriesFor } from './deliveries.ts';
import { applyEffects } from './effects.ts';
import { type Correcting, correctionEvents } from './log-corrections.ts';
import { logEscalations } from './log-escalations.ts';
import { applyObligationEffects, obligationOptionsFor } from './obligation-effects.ts';
import { releaseEarlier } from './release-earlier.ts';
import { type FactSources, isClaim, recordFacts } from './record-facts.ts';
import { type IdGiver, eventIdOf, identify, withEventIds, withRepliedAuthor } from './scoped-event.ts';

export interface CommitInput {
  event: ChatEvent;
  idGiver: IdGiver;
  /** The surface it came from. Undefined for a record of the host's own in a conversation that exists. */
  surface: string | undefined;
  secrets: Spans;
  /** The context under which it was prepared. One version of the settings decides all of an event. */
  under?: HostContext;
  /** Keys of what looks like tokens of this host in the event. Those that are valid are revoked. */
  leaked?: readonly string[];
  /** Accounts of the host that the event names. */
  accounts?: readonly AccountFacts[];
  authorRoles: readonly string[];
  focus: readonly { agent: string; until: number }[];
  budget?: readonly BudgetFacts[];
  /** How long it may wait for a second opinion. Undefined: nobody would be asked. */
  opinionMs?: number;
  /** Deliveries of the same author that wait for a second opinion. */
  waiting?: readonly { delivery: string; event: string }[];
  /** Offers go to the agent with the smallest rank first. */
  rank: (agent: string) => number;
  /** For an edit or delete: the earlier edits of its target, newest last. */
  edits?: readonly string[];
  /** For an edit or delete: the key of the outbox row that its target was sent from. */
  sent?: string | undefined;
  /** For a thread under a message that the host posted: the event id of that message. */
  root?: string;
  /** For a claim: the logged event whose decision counts, when that is an edit of the target. */
  judged?: string;
  /** For what corrects an agent: what was read in it, and the records before it. */
  correcting?: Correcting;
}

export interface Committed {
  status: 'accepted' | 'repeat';
  seq: number;
  row: LogRow;
  /** The effects of the fold. A repeat has none. */
  effects: readonly Effect[];
  /** What the record did to obligations. */
  owed: readonly ObligationEffect[];
}

const REFERS_BACK = new Set(['edit', 'delete', 'reaction', 'claim', 'resolve', 'opinion']);
const CONCERN_OBLIGATIONS = new Set(['edit', 'delete', 'reaction']);

/** The unit loads the conversation, looks at its parent, and loads the event itself (to detect a repeat), and what the event refers to. */
export function commitUnit(now: HostContext, input: CommitInput): ChangeUnit<Committed> {
  const { event, under: context = now.held() } = input;
  const place = placeOf(event);
  const key = conversationKeyOf(place);
  const roster = context.rosterAt(place, key);
  const parent = parentKeyOf(place);
  const target = targetOf(event);
  const rows: RowRef[] = [];
  if (target !== undefined) {
    rows.push(['log', target], ['offer', target]);
    for (const delivery of deliveryKeys(event, target, roster)) rows.push(['delivery', delivery]);
  }
  for (const { delivery, event: of } of input.waiting ?? []) rows.push(['delivery', delivery], ['log', of]);
  for (const edit of input.edits ?? []) rows.push(['log', edit]);
  if (input.sent !== undefined) rows.push(['outbox', input.sent]);
  const answered = answeredId(event);
  if (answered !== undefined) rows.push(['log', answered]);
  if (event.conversation.kind === 'thread') rows.push(['log', input.root ?? rootIdOf(event)]);
  if (input.judged !== undefined) rows.push(['log', input.judged]);
  if (input.budget !== undefined && input.budget.length > 0)
    rows.push(...budgetNoticeRows(input.budget, key));
  for (const token of input.leaked ?? []) rows.push(['token', token]);
  const fresh = freshId(context, input, key);
  if (fresh === undefined) rows.push(['log', sourceIdOf(event)], ['log', scopedId(key, sourceIdOf(event))]);
  const states = [key];
  if (concernsObligations(event)) states.push(obligationsKeyOf(place));
  if (input.leaked !== undefined) states.push(...context.changes.names);
  const unit: ChangeUnit<Committed> = {
    states,
    rows,
    run: (view) => commitEvent(context, input, roster, view, { key, parent }),
  };
  const { reads } = context.questions;
  if (parent !== undefined || reads.length > 0)
    unit.reads = parent === undefined ? reads : [parent, ...reads];
  if (fresh !== undefined) unit.fresh = fresh;
  return unit;
}

/** The id that is not looked for: the event's own, unless it is likely to be taken. */
function freshId({ sharedIds }: HostContext, input: CommitInput, conversation: string): RowRef | undefined {
  const { event, idGiver } = input;
  if (idGiver === 'source' && (isHostId(sourceIdOf(event)) || sharedIds.has(conversation))) return undefined;
  return ['log', event.eventId];
}

/** Nearly every event is new under the id that it came with. */
function isPlain(view: UnitView, { event, idGiver }: CommitInput): boolean {
  if (event.sourceId !== undefined || (idGiver === 'source' && isHostId(event.eventId))) return false;
  return view.row('log', event.eventId) === undefined;
}

interface Refs {
  key: string;
  parent: string | undefined;
}

function commitEvent(
  context: HostContext,
  given: CommitInput,
  roster: Roster,
  view: UnitView,
  refs: Refs,
): Change & { result: Committed } {
  const owner = ownerOf(context, given, view, refs);
  const { event: named, known } = isPlain(view, given)
    ? { event: given.event, known: undefined }
    : identify(view, given.event, refs.key, given.idGiver);
  if (known !== undefined) {
    const repeat = { status: 'repeat', seq: known.seq, row: known, effects: [], owed: [] } as const;
    return { ...noChange(), result: repeat };
  }
  const place = placeOf(named);
  const before = conversationIn(view, refs.key) ?? newConversation(place, owner);
  const said = { conversation: refs.key, parent: refs.parent, before: before.attention };
  const scoped = given.idGiver === 'source' && namesAnother(named) ? withEventIds(view, named, said) : named;
  const event = withRepliedAuthor(view, scoped, before.attention);
  const input = event === given.event ? given : { ...given, event };
  const record = recordOf(context, input, roster, view, refs, before);
  const attended = attend(before.attention, record, roster);
  const conversation: ConversationState = {
    ...before,
    place: placeAfter(before.place, named),
    surface: owner,
    attention: attended.state,
  };
  const row: LogRow = {
    key: event.eventId,
    conversation: refs.key,
    seq: record.seq,
    at: Math.max(record.at, view.now),
    type: event.type,
    author: `${event.author.kind}:${event.author.id}`,
    record,
    decisions: packDecisions(attended.decisions),
    secrets: input.secrets,
  };
  if (event.sourceId !== undefined) row.sourceId = event.sourceId;
  const commit: CommitView = {
    context,
    view,
    roster,
    row,
    conversation,
    rank: input.rank,
    target: targetRow(view, event, refs)?.key,
    edits: input.edits ?? [],
    sent: input.sent,
    before: before.attention,
  };
  const due = wakeAt(attended.state);
  const change: Change = {
    writes: [
      { table: 'log', row },
      { state: refs.key, value: conversation, wakeAt: due ?? null },
    ],
    news: [{ type: 'logged', row }],
  };
  if (due !== undefined) change.news.push({ type: 'due', at: due });
  const files = input.idGiver === 'host' ? context.filesToCome.get(row.key) : undefined;
  if (files !== undefined) change.writes.push(...files.map((file) => putMessageFile(row, file)));
  if (input.waiting !== undefined) {
    const { deadlineMs } = roster.limits;
    addChange(change, releaseEarlier(view, input.waiting, attended.decisions, deadlineMs));
  }
  const delivered = deliveriesFor(commit, attended.decisions);
  addChange(change, delivered);
  addChange(change, budgetNotices(commit, attended.decisions));
  if (attended.effects.length > 0 || event.type === 'delete') {
    addChange(change, applyEffects(commit, attended.effects, delivered.rows));
  }
  if (input.leaked !== undefined) addChange(change, leaks(commit, input.leaked));
  const owed = concernsObligations(event) ? applyToObligations(commit, record, attended) : NOTHING_OWED;
  addChange(change, owed);
  if (owed.effects.length > 0) {
    logEscalations(view, change, owed.effects, (escalation) =>
      conversationKeyOf(placeOf(escalation)) === refs.key
        ? commitUnit(context, hostInput(escalation))
        : undefined,
    );
  }
  if (input.correcting !== undefined) {
    const made = { ...input.correcting, event, decisions: attended.decisions, roster, now: view.now };
    for (const correction of correctionEvents(made))
      addChange(change, runAfter(view, change, commitUnit(context, hostInput(correction))));
  }
  if (event.type === 'typing') {
    const { author, typing = true } = event;
    change.news.push({ type: 'typing', conversation: refs.key, author, typing });
  }
  const { writes, news } = change;
  const { seq } = record;
  return {
    writes,
    news,
    result: { status: 'accepted', seq, row, effects: attended.effects, owed: owed.effects },
  };
}

/** Whose the conversation is after this event. A source that may not tell of it, or of its room, is refused. */
function ownerOf(
  { speakers }: HostContext,
  { event: { platform }, idGiver, surface }: CommitInput,
  view: UnitView,
  { key, parent }: Refs,
): string {
  const told = conversationIn(view, key)?.surface;
  if (idGiver === 'host' || surface === undefined) return told ?? surface ?? INTERNAL_SURFACE;
  const above = parent === undefined ? undefined : conversationIn(view, parent)?.surface;
  if (above !== undefined) speakers.ownerAfter(surface, above, platform);
  return told === undefined ? surface : speakers.ownerAfter(surface, told, platform);
}

/** A token that somebody wrote in chat is revoked with the event that shows it, and its owner's operator is told. */
function leaks({ context, view, row }: CommitView, keys: readonly string[]): Change {
  const { id, kind, parentId } = row.record.event.conversation;
  const { revoked, ...change } = revokeLeaked(view, keys, kind === 'dm' ? undefined : (parentId ?? id));
  for (const token of revoked) addChange(change, fileLeakedToken(token, row, view.now));
  const told = revoked.map((token) => token.key);
  change.writes.push(...context.changes.tell(view, 'token', told));
  return change;
}

/** The input for a record that the host itself writes into a conversation that exists. */
export function hostInput(event: ChatEvent): CommitInput {
  return {
    event,
    idGiver: 'host',
    surface: undefined,
    secrets: [],
    authorRoles: [],
    focus: [],
    rank: () => 0,
  };
}

type OwedChange = Change & { effects: readonly ObligationEffect[] };
const NOTHING_OWED: OwedChange = { writes: [], news: [], effects: [] };

function recordOf(
  context: HostContext,
  input: CommitInput,
  roster: Roster,
  view: UnitView,
  refs: Refs,
  before: ConversationState,
): LogRecord {
  const { event } = input;
  const target = targetOf(event);
  const sources: FactSources = {
    configVersion: context.configVersion,
    parent: refs.parent === undefined ? undefined : conversationIn(view, refs.parent),
    target: targetRow(view, event, refs),
    targetDeliveries: target === undefined ? [] : deliveriesOf(view, event, target, roster),
    root: rootFacts(view, input, refs, before),
    answersTask: putsTaskTo(answeredRow(view, event), roster.byIdentity.get(event.author.id)?.id),
    accounts: input.accounts ?? [],
    authorRoles: input.authorRoles,
    focus: input.focus,
    budget: input.budget ?? [],
    opinionMs: input.opinionMs,
    roster,
    judged: input.judged === undefined ? undefined : view.row('log', input.judged),
  };
  return {
    kind: recordKind(event),
    seq: before.attention.seq + 1,
    at: Math.max(before.attention.at, writtenAt(event, view.now)),
    event,
    facts: recordFacts(event, sources, view.now),
  };
}

function deliveriesOf(view: UnitView, event: ChatEvent, target: string, roster: Roster): DeliveryRow[] {
  const read = (key: string) => (isClaim(event) ? newestOf(view, key) : view.row('delivery', key));
  return deliveryKeys(event, target, roster).flatMap((key) => read(key) ?? []);
}

/**
 * What was delivered of the target. A claim also asks who answered under a claim, however long ago that was, and whether
 * the claimant was asked because another agent did not answer.
 */
function deliveryKeys(event: ChatEvent, target: string, { agents }: Roster): string[] {
  const ids = isClaim(event) ? [target, claimedId(target)] : [target];
  const keys = ids.flatMap((id) => agents.map((agent) => deliveryKey(id, agent.id)));
  if (!isClaim(event)) return keys;
  return [...keys, ...agents.map(({ id }) => deliveryKey(escalatedId(target, id), event.author.id))];
}

/** A message from the history counts at the time it was written, so an old speaker is not an active one. */
function writtenAt({ origin, at }: ChatEvent, now: number): number {
  return origin === 'backfill' ? Math.min(instantMs(at), now) : now;
}

/** An edit, delete or reaction can only refer to an event of the same conversation. */
function targetRow(view: UnitView, event: ChatEvent, { key }: Refs): LogRow | undefined {
  const target = targetOf(event);
  const row = target === undefined ? undefined : view.row('log', target);
  return row?.conversation === key ? row : undefined;
}

/** The root message of a thread whose first record this is. One that was never logged is known by its first reply. */
function rootFacts(
  view: UnitView,
  { event, root }: CommitInput,
  { key, parent }: Refs,
  { attention }: ConversationState,
): RecordFacts['root'] {
  if (event.conversation.kind !== 'thread' || attention.seq > 0) return undefined;
  const said = { conversation: key, parent, before: attention };
  const row = view.row('log', eventIdOf(view, event, root ?? rootIdOf(event), said));
  if (row !== undefined) {
    const { event: first } = row.record;
    const mentions = first.type === 'message' ? (first.mentions ?? []).map((mention) => mention.id) : [];
    return { eventId: row.key, authorId: first.author.id, mentions };
  }
  const replyTo = event.type === 'message' ? event.replyTo : undefined;
  if (replyTo?.authorId === undefined) return undefined;
  return { eventId: replyTo.eventId, authorId: replyTo.authorId, mentions: [] };
}

/** The message that an agent's message replies to. */
function answeredId(event: ChatEvent): string | undefined {
  if (event.type !== 'message' || event.author.kind === 'human') return undefined;
  return event.replyTo?.eventId ?? event.inReplyTo;
}

function answeredRow(view: UnitView, event: ChatEvent): LogRow | undefined {
  const answered = answeredId(event);
  return answered === undefined ? undefined : view.row('log', answered);
}

function concernsObligations(event: ChatEvent): boolean {
  return event.type === 'message' ? event.obligation !== undefined : CONCERN_OBLIGATIONS.has(event.type);
}

function applyToObligations(commit: CommitView, record: LogRecord, attended: Attended): OwedChange {
  const { context, view } = commit;
  const key = obligationsKeyOf(record.event);
  const before = obligationsIn(view, key);
  const logged = (eventId: string): LogRow | undefined => view.row('log', eventId);
  const options = obligationOptionsFor(context, record, attended.decisions, attended.state, logged);
  const { state, effects } = foldObligations(before, record, directoryOf(context), options);
  const change = applyObligationEffects(commit, effects, before);
  if (state !== before) {
    const due = obligationsWakeAt(state);
    change.writes.unshift({ state: key, value: state, wakeAt: due });
    if (due !== null) change.news.push({ type: 'due', at: due });
  }
  return { ...change, effects };
}

/** Whether the event names others. Events of the host name them by their event ids already. */
function namesAnother(event: ChatEvent): boolean {
  if (event.type === 'message') return event.replyTo !== undefined || event.inReplyTo !== undefined;
  return 'targetEventId' in event;
}

function targetOf(event: ChatEvent): string | undefined {
  return REFERS_BACK.has(event.type) && 'targetEventId' in event ? event.targetEventId : undefined;
}

/** A platform names a thread by the id of its root message, or its first reply says what it replies to. */
function rootIdOf(event: ChatEvent): string {
  const replyTo = event.type === 'message' ? event.replyTo?.eventId : undefined;
  return replyTo ?? event.conversation.id;
}
