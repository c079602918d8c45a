// send: an agent's message, from the tool call into the durable outbox. The same key with the same body gets the stored
// answer again; the same key with another body is refused. What it answers is settled in the same unit. Posting comes
// after (post.ts).
import { createHash } from 'node:crypto';
import { type AttentionState, foldText } from '../../attention/index.ts';
import { type WireError, wireError } from '../../protocol/errors.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { UnitView, Write } from '../../store/store.ts';
import type { DeliveryRow, LogRow, OutboxRow } from '../../store/tables.ts';
import { answeredBy, decisionOf } from '../delivery/delivery-row.ts';
import { deferUntil, settle } from '../delivery/move.ts';
import { endOffer } from '../delivery/offers.ts';
import { fileApproval, inboxKeys } from '../inbox/inbox-row.ts';
import {
  AGENT_RECORD_LIMITS,
  type AgentRecord,
  agentRecordIn,
  findTurn,
  withTurn,
  writeAgentRecord,
} from '../kernel/agent-record.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import {
  type ConversationState,
  INTERNAL_SURFACE,
  agentStateKey,
  conversationIn,
  newConversation,
  parentKeyOf,
  readConversation,
  type Places,
  type Target,
  resolveTarget,
} from '../kernel/conversation.ts';
import { decisionForAgent } from '../kernel/log-row.ts';
import { type MessageBody, newMessage, putSend, queueSend, sendKey } from '../outbox/outbox-row.ts';
import { mayReadRoom } from '../read/may-read.ts';
import { needsAgreement, type SendInput, type SendView, isUnprompted, refuseSend } from './send-rules.ts';
import type { OutboundLimit } from '../security/rate-limit.ts';

export type Sent =
  | { ok: true; key: string; row: OutboxRow; replayed: boolean }
  | { ok: false; error: WireError };

export interface SendDeps {
  context: HostContext;
  places: Places;
  outbound: OutboundLimit;
  /** The audit row of the call, written in the same unit. `refused` names the refusal, if it is one. */
  audit: (now: number, refused?: string) => Write[];
}

export async function send(deps: SendDeps, agent: string, input: SendInput): Promise<Sent> {
  const { context, places } = deps;
  const { store } = context;
  const key = sendKey(agent, input.idempotencyKey);
  const firstKey = input.inReplyTo === undefined ? undefined : deliveryKey(input.inReplyTo, agent);
  const delivered = firstKey === undefined ? undefined : await store.get('delivery', firstKey);
  const answers = await answered(context, input, delivered);
  const near = answers?.record.event;
  const target = resolveTarget(places, input.target, agent, near);
  if (target.type === 'unknown') return failed(wireError('not_found', { what: target.what }));
  if (!(await mayWrite(context, agent, target, delivered)))
    return failed(wireError('not_found', { what: 'conversation' }));
  const limited = await tooMany(deps, agent, target.key, key);
  if (limited !== undefined) return failed(limited);
  const about = aboutOf(answers);
  const parent = await parentOf(context, target);
  const asked = answers?.conversation ?? target.key;
  const states = new Set([
    target.key,
    agentStateKey(agent),
    asked,
    ...(parent === undefined ? [] : [parent]),
  ]);
  return context.apply<Sent>({
    states: [...states],
    rows: [
      ['outbox', key],
      ...(answers === undefined ? [] : [['log', answers.key] as const]),
      ...(about === undefined ? [] : [['offer', about] as const]),
      ...(firstKey === undefined ? [] : [['delivery', firstKey] as const]),
    ],
    run(view) {
      const bodyHash = hashOf(input);
      const known = view.row('outbox', key);
      if (known !== undefined) return { ...noChange(), result: repeat(known, bodyHash) };
      const conversation = conversationAt(target, conversationIn(view, target.key));
      if (conversation === undefined)
        return { ...noChange(), result: failed(wireError('not_found', { what: 'conversation' })) };
      const above = parent === undefined ? undefined : conversationIn(view, parent);
      const said = conversationIn(view, asked);
      const rooms = { conversation, above, asked: said?.attention, key: target.key };
      const sent = sendView(context, view, agent, input, rooms, answers, firstKey);
      const error = refuseSend(sent);
      if (error !== undefined) return { ...noChange(), result: failed(error) };
      return acceptSend(deps, view, sent, conversation, key, bodyHash, target);
    },
  });
}

/** A retry under the same key costs nothing. */
export async function tooMany(
  { context, outbound }: Pick<SendDeps, 'context' | 'outbound'>,
  agent: string,
  conversation: string,
  key: string,
): Promise<WireError | undefined> {
  if ((await context.store.get('outbox', key)) !== undefined) return undefined;
  const taken = outbound.take(agent, conversation);
  return taken.ok ? undefined : wireError('rate_limited', { retryAfterMs: taken.retryAfterMs });
}

/** The logged event a send answers: by its own id, or by that of a delivery about it. */
async function answered(
  { store }: HostContext,
  { inReplyTo }: SendInput,
  delivered: DeliveryRow | undefined,
): Promise<LogRow | undefined> {
  if (inReplyTo === undefined) return undefined;
  return store.get('log', delivered?.source ?? inReplyTo);
}

/** An edit is about the message it edits: that is what was claimed, offered and is answered. */
function aboutOf(answers: LogRow | undefined): string | undefined {
  const event = answers?.record.event;
  return event?.type === 'edit' ? event.targetEventId : answers?.key;
}

/** Where the agent may read, and where it was asked something. */
async function mayWrite(
  context: HostContext,
  agent: string,
  target: Exclude<Target, { type: 'unknown' }>,
  delivered: DeliveryRow | undefined,
): Promise<boolean> {
  if (target.type === 'direct' || delivered?.conversation === target.key) return true;
  return mayReadRoom(context, agent, target.key);
}

/** Leaving a room covers its threads. */
async function parentOf(
  { store }: HostContext,
  target: Exclude<Target, { type: 'unknown' }>,
): Promise<string | undefined> {
  const state = await readConversation(store, target.key);
  return state === undefined ? undefined : parentKeyOf(state.place);
}

/** The conversations a send is judged by. */
interface SendRooms {
  /** Where it goes, and the room around that. */
  conversation: ConversationState;
  key: string;
  above: ConversationState | undefined;
  asked: AttentionState | undefined;
}

function sendView(
  context: HostContext,
  view: UnitView,
  agent: string,
  input: SendInput,
  { conversation, above, asked, key }: SendRooms,
  answers: LogRow | undefined,
  firstKey: string | undefined,
): SendView {
  const delivery = firstKey === undefined ? undefined : answeredBy(view, firstKey);
  const decided = delivery === undefined ? undefined : decisionOf(delivery);
  const logged = answers === undefined ? undefined : (view.row('log', answers.key) ?? answers);
  // A claim's delivery says what the claim allows; what the event itself was to the agent is in the log.
  const stance = logged === undefined ? undefined : (decisionForAgent(logged, agent) ?? decided);
  return {
    agent,
    input,
    now: view.now,
    limits: context.settings.limits,
    conversation: key,
    asked,
    mode: modeHere(context, conversation, above, agent),
    record: agentRecordIn(view, agent),
    answers: logged,
    about: aboutOf(logged),
    stance,
    delivery,
    textHash: textHash(input.text),
  };
}

function failed(error: WireError): Sent {
  return { ok: false, error };
}

function repeat(known: OutboxRow, bodyHash: string): Sent {
  if (known.bodyHash !== bodyHash) return failed(wireError('duplicate_key_other_body'));
  if (known.state === 'awaiting_approval')
    return failed(wireError('needs_approval', { approvalId: inboxKeys.approval(known.key) }));
  // Stopped, or refused by the person who was asked: the same words are not wanted any more.
  if (known.state === 'cancelled') return failed(wireError('fenced', { why: known.error }));
  return { ok: true, key: known.key, row: known, replayed: true };
}

function conversationAt(target: Target, state: ConversationState | undefined): ConversationState | undefined {
  if (state !== undefined) return state;
  return target.type === 'direct' ? newConversation(target.place, INTERNAL_SURFACE) : undefined;
}

function modeHere(
  context: HostContext,
  { place, attention }: ConversationState,
  parent: ConversationState | undefined,
  agent: string,
): SendView['mode'] {
  const roster = context.rosterAt(place);
  const bound = roster.byIdentity.get(agent);
  const modeIn = (state: AttentionState) => state.agents.find(({ key }) => key === bound?.key)?.mode;
  const own = modeIn(attention);
  if (own !== undefined && own !== null) return own;
  return parent !== undefined && modeIn(parent.attention) === 'left' ? 'left' : roster.mode;
}

function acceptSend(
  { context, audit }: SendDeps,
  view: UnitView,
  sent: SendView,
  conversation: ConversationState,
  key: string,
  bodyHash: string,
  target: Target,
): Change & { result: Sent } {
  const { agent, input, now, about, delivery } = sent;
  const reason = needsAgreement(context, sent, conversation);
  const row = newMessage(
    {
      key,
      agent,
      surface: conversation.surface,
      conversation: sent.conversation,
      eventId: `out_${context.random.id()}`,
      inReplyTo: about ?? null,
      turnId: input.turnId ?? null,
      bodyHash,
      now,
    },
    bodyOf(sent, conversation, target),
    reason !== undefined,
  );
  const change = noChange();
  addChange(change, reason === undefined ? queueSend(row) : putSend(row));
  change.writes.push(writeAgentRecord(agent, recordSend(sent)));
  if (reason !== undefined) {
    addChange(change, awaitAgreement(sent, row, reason));
    change.writes.push(...audit(now, 'needs_approval'));
    const error = wireError('needs_approval', { approvalId: inboxKeys.approval(key) });
    return { ...change, result: failed(error) };
  }
  if (delivery !== undefined) addChange(change, settleAnswered(delivery, now));
  if (about !== undefined) addChange(change, endOffer(view, about, 'answered_by_other', agent));
  change.writes.push(...audit(now));
  return { ...change, result: { ok: true, key, row, replayed: false } };
}

/** A person is asked. Until they have answered, the agent has done its part, and what it answers is put off. */
function awaitAgreement({ input, now, limits, delivery }: SendView, row: OutboxRow, reason: string): Change {
  const change = noChange();
  addChange(change, fileApproval(row, input.text, reason, now));
  if (delivery !== undefined) addChange(change, deferUntil(delivery, 'deferred', now + limits.lapseMs));
  return change;
}

function bodyOf({ input, delivery }: SendView, { place }: ConversationState, target: Target): MessageBody {
  const { text, visibility, directedness, recipient, mentions = [], obligation } = input;
  const to = target.type === 'direct' ? `agent:${target.to}` : recipient;
  const answers = delivery === undefined ? {} : { delivery: delivery.key };
  return { text, visibility, directedness, mentions, obligation, recipient: to, place, ...answers };
}

/** An answer settles what it answers, and counts as one of its sends. */
export function settleAnswered(delivery: DeliveryRow, now: number): Change {
  return settle(delivery, 'responded', null, now, { sends: delivery.sends + 1 });
}

function recordSend(sent: SendView): AgentRecord {
  const { record, conversation, textHash: hash, now, input } = sent;
  const turn = findTurn(record, input.turnId);
  const counted = turn === undefined ? record : withTurn(record, { ...turn, sends: turn.sends + 1 });
  const unprompted = isUnprompted(sent)
    ? [{ conversation, at: now }, ...record.unprompted].slice(0, AGENT_RECORD_LIMITS.unprompted)
    : record.unprompted;
  const said = [{ conversation, hash, at: now }, ...record.said].slice(0, AGENT_RECORD_LIMITS.said);
  return { ...counted, unprompted, said };
}

function textHash(text: string): string {
  return createHash('sha256')
    .update(foldText(text).replace(/\s+/g, ' ').trim())
    .digest('base64url')
    .slice(0, 22);
}

/** Everything that makes the message what it is; the turn and the token may differ between retries. */
function hashOf({
  target,
  text,
  inReplyTo,
  visibility,
  directedness,
  recipient,
  mentions,
  obligation,
}: SendInput): string {
  const body = JSON.stringify([
    target,
    text,
    inReplyTo,
    visibility,
    directedness,
    recipient,
    mentions,
    obligation,
  ]);
  return createHash('sha256').update(body).digest('base64url').slice(0, 22);
}
