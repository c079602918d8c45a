// amend: takes an agent's edit or delete of its own message from the tool call into the outbox. A message can be amended
// once it is shown. An edit passes what holds for the text of a send: its length, the configured rules, private quotes.
// Nobody is asked to answer it, so neither policies nor claims nor budgets matter. The same wish again returns the stored
// result. Posting comes after that (post.ts).
import { type WireError, wireError } from '../../protocol/errors.ts';
import { hostId } from '../../protocol/derived-id.ts';
import type { UnitView } from '../../store/store.ts';
import type { LogRow, OutboxRow } from '../../store/tables.ts';
import type { Surface } from '../../surfaces/surface.ts';
import { agentRecordIn, findTurn } from '../kernel/agent-record.ts';
import { type Change, noChange } from '../kernel/change.ts';
import { agentStateKey, readConversation } from '../kernel/conversation.ts';
import { isDeleted, subjectOf } from '../kernel/log-row.ts';
import {
  type Amending,
  amendmentHash,
  amendSend,
  nextAmendmentKey,
  sendOf,
} from '../outbox/amendment-row.ts';
import {
  amendBodyOf,
  currentSend,
  isAcknowledgement,
  isEnded,
  messageBodyOf,
  sendKey,
} from '../outbox/outbox-row.ts';
import { isInParts } from '../outbox/parts.ts';
import type { PostsUnderWay } from '../outbox/posts-under-way.ts';
import { needsApproval } from '../security/sensitive.ts';
import { quotesPrivately } from './private-quote.ts';
import { cancelledError, checkRate, type SendDeps, type Sent } from './send.ts';

export interface AmendDeps extends SendDeps {
  posts: PostsUnderWay;
}

export interface AmendInput {
  /** The message, or an edit of it. */
  eventId: string;
  amending: Amending;
  idempotencyKey?: string | undefined;
  turnId?: string | undefined;
}

export async function amend(deps: AmendDeps, agent: string, input: AmendInput): Promise<Sent> {
  const { context } = deps;
  const own = await ownMessage(deps, agent, input.eventId);
  if (!own.ok) return own;
  const { sent } = own;
  const known = await knownAmendment(deps, sent, input);
  if (known !== undefined) return known;
  const problem = cannotAmend(deps.surface(sent.surface), sent, input.amending);
  if (problem !== undefined) return refusedWith(problem);
  const key = keyOf(sent, input);
  const limited = await checkRate(deps, agent, sent.conversation, key);
  if (limited !== undefined) return refusedWith(limited);
  const reason = input.amending.type === 'edit' ? await agreementFor(deps, sent, input) : undefined;
  if (reason !== undefined) return refusedWith(unsupported(`a person has to agree first, because ${reason}`));
  return context.apply<Sent>({
    states: [agentStateKey(agent)],
    rows: [
      ['outbox', sent.key],
      ['outbox', key],
      ['log', sent.eventId],
    ],
    run: (view) => acceptAmendment(deps, view, currentSend(view, sent), input),
  });
}

function acceptAmendment(
  { context, audit }: AmendDeps,
  view: UnitView,
  sent: OutboxRow,
  input: AmendInput,
): Change & { result: Sent } {
  const { amending, turnId } = input;
  const read = (key: string): OutboxRow | undefined => view.row('outbox', key);
  const known = repeated(sent, input, read);
  if (known !== undefined) return { ...noChange(), result: known };
  if (findTurn(agentRecordIn(view, sent.agent), turnId)?.ended === true)
    return { ...noChange(), result: refusedWith(wireError('fenced')) };
  const logged = view.row('log', sent.eventId);
  if (logged === undefined || isDeleted(logged) || isBeingDeleted(sent, read))
    return { ...noChange(), result: refusedWith(wireError('already_deleted')) };
  const { row, ...change } = amendSend(sent, amending, {
    key: keyOf(sent, input),
    eventId: hostId('send', context.random.id()),
    turnId: turnId ?? null,
    now: view.now,
  });
  change.writes.push(...audit(view.now));
  return { ...change, result: { ok: true, key: row.key, row, replayed: false } };
}

type Own = { ok: true; sent: OutboxRow } | { ok: false; error: WireError };

/** The agent's own message, once it is shown. What the host said for the agent is not the agent's. */
async function ownMessage(deps: AmendDeps, agent: string, eventId: string): Promise<Own> {
  const { store, settings } = deps.context;
  const logged: LogRow | undefined = await store.get('log', eventId);
  const sent = await sendOf(store, logged === undefined ? eventId : subjectOf(logged));
  if (sent === undefined || sent.agent !== agent || sent.kind !== 'message' || isAcknowledgement(sent))
    return { ok: false, error: wireError('not_yours') };
  if (!isEnded(sent)) await deps.posts.outcome(sent.key, settings.limits.sendWaitMs);
  const now = (await store.get('outbox', sent.key)) ?? sent;
  if (now.state === 'visible') return { ok: true, sent: now };
  const error = isEnded(now) ? wireError('not_found', { what: 'message' }) : wireError('not_shown_yet');
  return { ok: false, error };
}

/** The caller's key, else one for each wish. */
function keyOf(sent: OutboxRow, { idempotencyKey }: AmendInput): string {
  return idempotencyKey === undefined ? nextAmendmentKey(sent) : sendKey(sent.agent, idempotencyKey);
}

async function knownAmendment(
  { context: { store } }: AmendDeps,
  sent: OutboxRow,
  input: AmendInput,
): Promise<Sent | undefined> {
  const newest = messageBodyOf(sent).amended?.key;
  const rows = new Map<string, OutboxRow | undefined>();
  for (const key of [keyOf(sent, input), ...(newest === undefined ? [] : [newest])])
    rows.set(key, await store.get('outbox', key));
  return repeated(sent, input, (key) => rows.get(key));
}

/** The answer to a wish that was taken before: by its key, or because the newest amendment is just that. */
function repeated(
  sent: OutboxRow,
  { amending, idempotencyKey }: AmendInput,
  read: (key: string) => OutboxRow | undefined,
): Sent | undefined {
  const wanted = amendmentHash(amending);
  const known = idempotencyKey === undefined ? undefined : read(sendKey(sent.agent, idempotencyKey));
  if (known !== undefined) {
    if (known.bodyHash !== wanted || amendBodyOf(known).targetEventId !== sent.eventId)
      return refusedWith(wireError('duplicate_key_other_body'));
    if (known.state === 'cancelled') return refusedWith(cancelledError(known));
    return { ok: true, key: known.key, row: known, replayed: true };
  }
  const newest = newestOf(sent, read);
  if (newest?.bodyHash !== wanted) return undefined;
  return { ok: true, key: newest.key, row: newest, replayed: true };
}

const GIVEN_UP: ReadonlySet<OutboxRow['state']> = new Set(['failed', 'lost', 'cancelled']);

/** The newest amendment of the message, unless nothing came of it. */
function newestOf(sent: OutboxRow, read: (key: string) => OutboxRow | undefined): OutboxRow | undefined {
  const { amended } = messageBodyOf(sent);
  const row = amended === undefined ? undefined : read(amended.key);
  return row === undefined || GIVEN_UP.has(row.state) ? undefined : row;
}

function isBeingDeleted(sent: OutboxRow, read: (key: string) => OutboxRow | undefined): boolean {
  return newestOf(sent, read)?.kind === 'delete';
}

/** Why the message cannot be amended like this where it was posted. */
function cannotAmend(
  surface: Surface | undefined,
  sent: OutboxRow,
  amending: Amending,
): WireError | undefined {
  const { edits = false, deletes = false } = surface?.capabilities.does ?? {};
  const can = amending.type === 'edit' ? edits : deletes;
  const done = amending.type === 'edit' ? 'edited' : 'deleted';
  if (surface?.amend === undefined || !can) return unsupported(`messages cannot be ${done} on this platform`);
  if (messageBodyOf(sent).visibility === 'ephemeral') return unsupported('only one reader sees it');
  if (amending.type === 'delete') return undefined;
  if (isInParts(sent)) return unsupported('it was posted in several parts');
  const { maxChars: limit } = surface.capabilities;
  return amending.text.length > limit ? wireError('too_large', { limit, unit: 'characters' }) : undefined;
}

function unsupported(problem: string): WireError {
  const instead = 'Send a correction as a new message';
  return wireError('unsupported', { what: 'This change', problem, instead });
}

/** Why a person would have to agree to the text: the rules for a send with the same words to the same place. */
async function agreementFor(
  deps: AmendDeps,
  sent: OutboxRow,
  { amending, turnId }: AmendInput,
): Promise<string | undefined> {
  if (amending.type !== 'edit') return undefined;
  const { context } = deps;
  const { text } = amending;
  const { agent, inReplyTo, conversation } = sent;
  const answers = inReplyTo === null ? undefined : await context.store.get('log', inReplyTo);
  const place = (await readConversation(context.store, conversation))?.place;
  const elsewhere = answers !== undefined && answers.conversation !== conversation;
  const { visibility } = messageBodyOf(sent);
  const { id: room = '', parentId } = place?.conversation ?? {};
  const said = { agent, text, conversation: room, room: parentId, visibility, elsewhere };
  return (
    needsApproval(said, context.sensitive) ??
    (await quotesPrivately(deps, agent, { text, turnId }, { key: conversation }, answers))
  );
}

function refusedWith(error: WireError): Sent {
  return { ok: false, error };
}
