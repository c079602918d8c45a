// send: an agent's message, from the tool call into the durable outbox. Same key, same body: the stored answer again.
// Same key, other body: refused. What it answers is settled in the same transaction; posting comes after (post.ts).
import { createHash } from 'node:crypto';
import { foldText } from '../attention/index.ts';
import { type WireError, wireError } from '../protocol/errors.ts';
import { deliveryKey } from '../protocol/identity.ts';
import type { ToolResult } from '../protocol/tools.ts';
import type { Write } from '../store/store.ts';
import type { DeliveryRow, OutboxRow } from '../store/tables.ts';
import {
  AGENT_RECORD_LIMITS,
  type AgentRecord,
  EMPTY_AGENT_RECORD,
  findTurn,
  withTurn,
} from './agent-record.ts';
import type { HostContext, HostNews } from './context.ts';
import { type ConversationState, agentStateKey, newConversation } from './conversation.ts';
import { settle } from './delivery-state.ts';
import { INTERNAL_SURFACE, type Places, type Target, resolveTarget } from './places.ts';
import { type SendInput, type SendScene, isUnprompted, refuseSend } from './send-rules.ts';
import { needsApproval } from './sensitive.ts';

export type SendResult = ToolResult<'chat.send_message'>;
export type Sent =
  | { ok: true; key: string; row: OutboxRow; replayed: boolean }
  | { ok: false; error: WireError };

export interface SendDeps {
  context: HostContext;
  places: Places;
}

export async function send(deps: SendDeps, agent: string, input: SendInput): Promise<Sent> {
  const { context, places } = deps;
  const key = `${agent}:${input.idempotencyKey}`;
  const firstKey = input.inReplyTo === undefined ? undefined : deliveryKey(input.inReplyTo, agent);
  const delivered = firstKey === undefined ? undefined : await context.store.get('delivery', firstKey);
  const source = delivered?.source ?? input.inReplyTo;
  const answers = source === undefined ? undefined : await context.store.get('log', source);
  const near = answers?.record.event;
  const target = resolveTarget(places, input.target, agent, near);
  if (target.type === 'unknown') return { ok: false, error: wireError('not_found', { what: target.what }) };
  const sent = await context.store.transact<{ sent: Sent; news: HostNews[] }>({
    states: [target.key, agentStateKey(agent)],
    rows: [
      ['outbox', key],
      ...(source === undefined ? [] : [['log', source] as const]),
      ...(firstKey === undefined ? [] : [['delivery', firstKey] as const]),
    ],
    run(view) {
      const bodyHash = hashOf(input);
      const known = view.row('outbox', key);
      if (known !== undefined) return unchanged(repeat(known, bodyHash));
      const record = (view.state(agentStateKey(agent)) as AgentRecord | undefined) ?? EMPTY_AGENT_RECORD;
      const conversation = conversationAt(target, view.state(target.key));
      if (conversation === undefined)
        return unchanged(failed(wireError('not_found', { what: 'conversation' })));
      const scene: SendScene = {
        agent,
        input,
        now: view.now,
        limits: context.settings.limits,
        conversation: target.key,
        attention: conversation.attention,
        mode: modeHere(context, conversation, agent),
        record,
        answers: source === undefined ? undefined : view.row('log', source),
        delivery: firstKey === undefined ? undefined : view.row('delivery', firstKey),
        textHash: textHash(input.text),
      };
      const error = refuseSend(scene);
      if (error !== undefined) return unchanged(failed(error));
      return accept(context, scene, conversation, key, bodyHash, target);
    },
  });
  for (const news of sent.news) context.bus.tell(news);
  return sent.sent;
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
    return failed(wireError('needs_approval', { approvalId: known.key }));
  return { ok: true, key: known.key, row: known, replayed: true };
}

function conversationAt(target: Target, state: unknown): ConversationState | undefined {
  if (state !== undefined) return state as ConversationState;
  return target.type === 'direct' ? newConversation(target.place, INTERNAL_SURFACE) : undefined;
}

function modeHere(
  context: HostContext,
  { place, attention }: ConversationState,
  agent: string,
): SendScene['mode'] {
  const roster = context.rosterAt(place);
  const bound = roster.byIdentity.get(agent);
  const own = attention.agents.find(({ key }) => key === bound?.key)?.mode;
  return own ?? roster.mode;
}

function accept(
  context: HostContext,
  scene: SendScene,
  conversation: ConversationState,
  key: string,
  bodyHash: string,
  target: Target,
): { writes: Write[]; result: { sent: Sent; news: HostNews[] } } {
  const { agent, input, now } = scene;
  const approval = needsApproval(context, scene, conversation);
  const row: OutboxRow = {
    key,
    agent,
    surface: conversation.surface,
    conversation: scene.conversation,
    kind: 'message',
    state: approval === undefined ? 'queued' : 'awaiting_approval',
    eventId: `out_${context.random.id()}`,
    inReplyTo: scene.answers?.key ?? null,
    turnId: input.turnId ?? null,
    bodyHash,
    body: bodyOf(input, conversation, target),
    attempt: 0,
    dueAt: approval === undefined ? now : null,
    createdAt: now,
    platformId: null,
    error: null,
  };
  const writes: Write[] = [{ table: 'outbox', row }];
  if (approval !== undefined) {
    const inbox = `approval:${key}`;
    const detail = { reason: approval, text: input.text, conversation: scene.conversation, outbox: key };
    const common = {
      eventId: row.eventId,
      agents: [agent],
      createdAt: now,
      closedAt: null,
      open: 1,
    } as const;
    writes.push({ table: 'inbox', row: { key: inbox, kind: 'approval', detail, ...common } });
    const error = wireError('needs_approval', { approvalId: inbox });
    return { writes, result: { sent: failed(error), news: [{ type: 'inbox', key: inbox }] } };
  }
  const settled = settleAnswered(scene.delivery, now);
  if (settled !== undefined) writes.push({ table: 'delivery', row: settled });
  writes.push({ state: agentStateKey(agent), value: recordSend(scene) });
  const news: HostNews[] = [{ type: 'outbox', key }];
  if (settled !== undefined) news.push({ type: 'settled', delivery: settled });
  return { writes, result: { sent: { ok: true, key, row, replayed: false }, news } };
}

function bodyOf(input: SendInput, conversation: ConversationState, target: Target): Record<string, unknown> {
  const { text, visibility, directedness, recipient, mentions = [], obligation } = input;
  const to = target.type === 'direct' ? `agent:${target.to}` : recipient;
  return { text, visibility, directedness, mentions, obligation, recipient: to, place: conversation.place };
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
