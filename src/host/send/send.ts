// send: an agent's message, from the tool call into the durable outbox. Same key, same body: the stored answer again.
// Same key, other body: refused. What it answers is settled in the same transaction; posting comes after (post.ts).
import { createHash } from 'node:crypto';
import { type AttentionState, type Decision, foldText } from '../../attention/index.ts';
import { type WireError, wireError } from '../../protocol/errors.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { ToolResult } from '../../protocol/tools.ts';
import type { UnitView, Write } from '../../store/store.ts';
import type { DeliveryRow, InboxRow, LogRow, OutboxRow } from '../../store/tables.ts';
import {
  AGENT_RECORD_LIMITS,
  type AgentRecord,
  EMPTY_AGENT_RECORD,
  findTurn,
  withTurn,
} from '../kernel/agent-record.ts';
import { needsAgreement } from './approval.ts';
import type { HostContext, HostNews } from '../kernel/context.ts';
import {
  type ConversationState,
  agentStateKey,
  newConversation,
  parentKeyOf,
} from '../kernel/conversation.ts';
import { putOff, settle } from '../delivery/delivery-state.ts';
import { stanceOf } from '../attend/facts.ts';
import { answeredBy } from '../delivery/follow-up.ts';
import { endOffer } from '../delivery/offers.ts';
import type { OutboundLimit } from './outbound-limit.ts';
import { INTERNAL_SURFACE, type Places, type Target, resolveTarget } from '../kernel/places.ts';
import { type SendInput, type SendScene, isUnprompted, refuseSend } from './send-rules.ts';
import { mayReadRoom } from '../read/may-read.ts';

export type SendResult = ToolResult<'chat.send_message'>;
export type Sent =
  | { ok: true; key: string; row: OutboxRow; replayed: boolean }
  | { ok: false; error: WireError };

export interface SendDeps {
  context: HostContext;
  places: Places;
  outbound: OutboundLimit;
}

export async function send(deps: SendDeps, agent: string, input: SendInput): Promise<Sent> {
  const { context, places } = deps;
  const { store } = context;
  const key = `${agent}:${input.idempotencyKey}`;
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
  const sent = await store.transact<{ sent: Sent; news: HostNews[] }>({
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
      if (known !== undefined) return unchanged(repeat(known, bodyHash));
      const conversation = conversationAt(target, view.state(target.key));
      if (conversation === undefined)
        return unchanged(failed(wireError('not_found', { what: 'conversation' })));
      const above = parent === undefined ? undefined : (view.state(parent) as ConversationState | undefined);
      const said = view.state(asked) as ConversationState | undefined;
      const rooms = { conversation, above, asked: said?.attention, key: target.key };
      const scene = sceneOf(context, view, agent, input, rooms, answers, firstKey);
      const error = refuseSend(scene);
      if (error !== undefined) return unchanged(failed(error));
      return accept(context, view, scene, conversation, key, bodyHash, target);
    },
  });
  for (const news of sent.news) context.bus.tell(news);
  return sent.sent;
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
  const state = (await store.state(target.key)) as ConversationState | undefined;
  return state === undefined ? undefined : parentKeyOf(state.place);
}

interface Rooms {
  /** Where it goes, and the room around that. */
  conversation: ConversationState;
  key: string;
  above: ConversationState | undefined;
  asked: AttentionState | undefined;
}

function sceneOf(
  context: HostContext,
  view: UnitView,
  agent: string,
  input: SendInput,
  { conversation, above, asked, key }: Rooms,
  answers: LogRow | undefined,
  firstKey: string | undefined,
): SendScene {
  const delivery = firstKey === undefined ? undefined : answeredBy(view, firstKey);
  const decided = delivery?.detail['decision'] as Decision | undefined;
  const logged = answers === undefined ? undefined : (view.row('log', answers.key) ?? answers);
  // A claim's delivery says what the claim allows; what the event itself was to the agent is in the log.
  const stance = logged === undefined ? undefined : (stanceOf(logged, agent) ?? decided);
  return {
    agent,
    input,
    now: view.now,
    limits: context.settings.limits,
    conversation: key,
    asked,
    mode: modeHere(context, conversation, above, agent),
    record: (view.state(agentStateKey(agent)) as AgentRecord | undefined) ?? EMPTY_AGENT_RECORD,
    answers: logged,
    about: aboutOf(logged),
    stance,
    delivery,
    textHash: textHash(input.text),
  };
}

function unchanged(sent: Sent): { writes: Write[]; result: { sent: Sent; news: HostNews[] } } {
  return { writes: [], result: { sent, news: [] } };
}

function failed(error: WireError): Sent {
  return { ok: false, error };
}

function repeat(known: OutboxRow, bodyHash: string): Sent {
  if (known.bodyHash !== bodyHash) return failed(wireError('duplicate_key_other_body'));
  if (known.state === 'awaiting_approval')
    return failed(wireError('needs_approval', { approvalId: approvalKey(known.key) }));
  // Stopped, or refused by the person who was asked: the same words are not wanted any more.
  if (known.state === 'cancelled') return failed(wireError('fenced', { why: known.error }));
  return { ok: true, key: known.key, row: known, replayed: true };
}

function conversationAt(target: Target, state: unknown): ConversationState | undefined {
  if (state !== undefined) return state as ConversationState;
  return target.type === 'direct' ? newConversation(target.place, INTERNAL_SURFACE) : undefined;
}

function modeHere(
  context: HostContext,
  { place, attention }: ConversationState,
  parent: ConversationState | undefined,
  agent: string,
): SendScene['mode'] {
  const roster = context.rosterAt(place);
  const bound = roster.byIdentity.get(agent);
  const modeIn = (state: AttentionState) => state.agents.find(({ key }) => key === bound?.key)?.mode;
  const own = modeIn(attention);
  if (own !== undefined && own !== null) return own;
  return parent !== undefined && modeIn(parent.attention) === 'left' ? 'left' : roster.mode;
}

export function approvalKey(outboxKey: string): string {
  return `approval:${outboxKey}`;
}

function accept(
  context: HostContext,
  view: UnitView,
  scene: SendScene,
  conversation: ConversationState,
  key: string,
  bodyHash: string,
  target: Target,
): { writes: Write[]; result: { sent: Sent; news: HostNews[] } } {
  const { agent, input, now, about } = scene;
  const approval = needsAgreement(context, scene, conversation);
  const row: OutboxRow = {
    key,
    agent,
    surface: conversation.surface,
    conversation: scene.conversation,
    kind: 'message',
    state: approval === undefined ? 'queued' : 'awaiting_approval',
    eventId: `out_${context.random.id()}`,
    inReplyTo: about ?? null,
    turnId: input.turnId ?? null,
    bodyHash,
    body: bodyOf(scene, conversation, target),
    attempt: 0,
    dueAt: approval === undefined ? now : null,
    createdAt: now,
    platformId: null,
    error: null,
  };
  const writes: Write[] = [
    { table: 'outbox', row },
    { state: agentStateKey(agent), value: recordSend(scene) },
  ];
  if (approval !== undefined) return awaitAgreement(scene, row, approval, writes);
  const settled = settleAnswered(scene.delivery, now);
  if (settled !== undefined) writes.push({ table: 'delivery', row: settled });
  const offer = about === undefined ? undefined : endOffer(view, about, 'answered_by_other', now, agent);
  writes.push(...(offer?.writes ?? []));
  const news: HostNews[] = [{ type: 'outbox', key }, ...(offer?.news ?? [])];
  if (settled !== undefined) news.push({ type: 'settled', delivery: settled });
  return { writes, result: { sent: { ok: true, key, row, replayed: false }, news } };
}

/** A person is asked; until they have answered, the agent has done its part and what it answers is put off. */
function awaitAgreement(
  { agent, input, now, limits, delivery }: SendScene,
  row: OutboxRow,
  reason: string,
  writes: Write[],
): { writes: Write[]; result: { sent: Sent; news: HostNews[] } } {
  const key = approvalKey(row.key);
  const inbox: InboxRow = {
    key,
    kind: 'approval',
    eventId: row.eventId,
    agents: [agent],
    detail: { reason, text: input.text, conversation: row.conversation, outbox: row.key },
    createdAt: now,
    closedAt: null,
    open: 1,
  };
  const waiting = delivery === undefined ? undefined : putOff(delivery, 'deferred', now + limits.lapseMs);
  const all: Write[] = [...writes, { table: 'inbox', row: inbox }];
  if (waiting !== undefined) all.push({ table: 'delivery', row: waiting });
  const error = wireError('needs_approval', { approvalId: key });
  const news: HostNews[] = [{ type: 'inbox', key }, { type: 'due' }];
  return { writes: all, result: { sent: failed(error), news } };
}

function bodyOf(
  { input, delivery }: SendScene,
  conversation: ConversationState,
  target: Target,
): Record<string, unknown> {
  const { text, visibility, directedness, recipient, mentions = [], obligation } = input;
  const { place } = conversation;
  const to = target.type === 'direct' ? `agent:${target.to}` : recipient;
  return {
    text,
    visibility,
    directedness,
    mentions,
    obligation,
    recipient: to,
    place,
    ...(delivery === undefined ? {} : { delivery: delivery.key }),
  };
}

function settleAnswered(delivery: DeliveryRow | undefined, now: number): DeliveryRow | undefined {
  if (delivery === undefined || delivery.open === 0) return undefined;
  return settle({ ...delivery, sends: delivery.sends + 1 }, 'responded', null, now);
}

function recordSend(scene: SendScene): AgentRecord {
  const { record, conversation, textHash: hash, now, input } = scene;
  const turn = findTurn(record, input.turnId);
  const counted = turn === undefined ? record : withTurn(record, { ...turn, sends: turn.sends + 1 });
  const unprompted = isUnprompted(scene)
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
